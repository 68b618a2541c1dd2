package io.cadastre.engine.nodecidr;

import java.util.List;

/// What a request for CIDRs came to.
public sealed interface NodeCidrAssignment {

    /// The node holds these, newly or as before.
    ///
    /// @param podCidrs as they are stored, in the order of the cluster CIDRs
    record Assigned(String node, List<String> podCidrs) implements NodeCidrAssignment {
        public Assigned {
            podCidrs = List.copyOf(podCidrs);
        }
    }

    record Refused(NodeCidrRefusal refusal) implements NodeCidrAssignment {}
}
