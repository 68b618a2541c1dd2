package io.cadastre.engine;

import java.util.List;

/// One write that a decision asks for, in the words of its engine.
public interface Change {

    /// A sentence without a full stop, for example "give 10.244.0.0/24 to node-1".
    String sentence();

    /// The holdings that the change grants.
    List<Holding> granted();

    /// The holdings that the change takes away.
    List<Holding> returned();
}
