package io.cadastre.engine.nodecidr;

/// Why a request was not served. Nothing was changed.
public sealed interface NodeCidrRefusal
        permits NodeCidrRefusal.Exhausted,
                NodeCidrRefusal.Terminating,
                NodeCidrRefusal.NoSuchNode,
                NodeCidrReason.Misfit {

    /// A sentence without a full stop.
    String sentence();

    /// A cluster CIDR has no block left.
    ///
    /// @param index the place of the cluster CIDR in the configuration
    record Exhausted(String node, int index) implements NodeCidrRefusal {

        /// The reason of the event that upstream records on the node.
        public static final String EVENT_REASON = "CIDRNotAvailable";

        @Override
        public String sentence() {
            return "failed to allocate cidr from cluster cidr at idx:%d: %s"
                    .formatted(index, CidrSet.NONE_REMAINING);
        }

        /// The message of that event.
        public String eventMessage() {
            return "Node %s status is now: %s".formatted(node, EVENT_REASON);
        }
    }

    /// The node is being deleted and holds nothing.
    record Terminating(String node) implements NodeCidrRefusal {
        @Override
        public String sentence() {
            return "node %s is being deleted and is not given a CIDR any more".formatted(node);
        }
    }

    /// There is no such node.
    record NoSuchNode(String node) implements NodeCidrRefusal {
        @Override
        public String sentence() {
            return "there is no node %s".formatted(node);
        }
    }
}
