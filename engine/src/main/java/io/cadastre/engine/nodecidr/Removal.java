package io.cadastre.engine.nodecidr;

import java.util.List;

/// What a request to remove a node came to.
public sealed interface Removal {

    /// The node is gone.
    ///
    /// @param podCidrs what it held, as it was stored; empty if it had been given nothing
    record Removed(String node, List<String> podCidrs) implements Removal {
        public Removed {
            podCidrs = List.copyOf(podCidrs);
        }
    }

    record Refused(NodeCidrRefusal refusal) implements Removal {}
}
