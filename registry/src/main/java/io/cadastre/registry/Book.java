package io.cadastre.registry;

import io.cadastre.engine.Change;

/// Where an engine's state is written, in one wire format.
public interface Book<V, C extends Change> {

    /// Reads the book as it is now.
    Page<V, C> open();

    /// Learns that a batch was given up. What was read for its last attempt must not serve the next one:
    /// nobody has found out what of it is outdated.
    default void forget() {}
}
