package io.cadastre.engine;

import java.util.List;

/// What an engine decided: the outcome, the changes in the order they must be written, and the
/// reasons. Nothing has happened yet.
public record Decision<C extends Change, O>(O outcome, List<C> changes, List<Because> because) {

    public Decision {
        changes = List.copyOf(changes);
        because = List.copyOf(because);
    }
}
