package io.cadastre.registry;

import io.cadastre.engine.Because;
import io.cadastre.engine.Change;
import java.util.List;

/// Where an engine's state is written, in one wire format.
public interface Book<V, C extends Change> {

    /// Reads the book as it is now.
    Page<V, C> open();

    /// Discards the state of a batch that was given up. What was read for its last attempt must not
    /// serve the next one: it is not known which of it is outdated.
    default void forget() {}

    /// What an operator should read beside the reasons of a decision that makes these changes.
    default List<Because> remarks(List<C> changes) {
        return List.of();
    }
}
