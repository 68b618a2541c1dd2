package io.cadastre.registry;

import io.cadastre.engine.Change;

/// Where an engine's state is written, in one wire format.
public interface Book<V, C extends Change> {

    /// Reads the book as it is now.
    Page<V, C> open();
}
