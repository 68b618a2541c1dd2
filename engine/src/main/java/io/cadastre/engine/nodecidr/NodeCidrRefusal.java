package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Holding;
import java.util.List;

/// Why a request was not served. Nothing was changed.
public sealed interface NodeCidrRefusal
        permits NodeCidrRefusal.Exhausted,
                NodeCidrRefusal.Terminating,
                NodeCidrRefusal.NoSuchNode,
                NodeCidrRefusal.HeldElsewhere,
                NodeCidrRefusal.HeldByNode,
                NodeCidrReason.Misfit {

    /// A sentence without a full stop.
    default String sentence() {
        return switch (this) {
            case Exhausted(var _, var index) ->
                "failed to allocate cidr from cluster cidr at idx:%d: %s".formatted(index, CidrSet.NONE_REMAINING);
            case Terminating(var node) -> "node %s is being deleted and is not given a CIDR any more".formatted(node);
            case HeldByNode(var node, var podCidrs) -> "node %s holds %s".formatted(node, String.join(", ", podCidrs));
            case NoSuchNode(var node) -> "there is no node %s".formatted(node);
            case HeldElsewhere(var range, var cluster, var by) ->
                "%s %s overlaps %s of %s, and no two dialects in one store may give addresses of one range; choose another %s, or %s %s first"
                        .formatted(
                                cluster ? "cluster CIDR" : "service range",
                                range,
                                by.range(),
                                by.holder(),
                                cluster ? "--cluster-cidr" : "--service-cluster-ip-range",
                                by.level() == Holding.Level.NODE ? "release the addresses of" : "delete",
                                by.holder());
            case NodeCidrReason.Misfit misfit -> misfit.sentence();
        };
    }

    /// A cluster CIDR has no block left.
    ///
    /// @param index the place of the cluster CIDR in the configuration
    record Exhausted(String node, int index) implements NodeCidrRefusal {

        /// The reason of the event that upstream records on the node.
        public static final String EVENT_REASON = "CIDRNotAvailable";

        /// The message of that event.
        public String eventMessage() {
            return "Node %s status is now: %s".formatted(node, EVENT_REASON);
        }
    }

    /// The node is being deleted and holds nothing.
    record Terminating(String node) implements NodeCidrRefusal {}

    /// Another node holds a part of what this one holds, or this one holds something else.
    record HeldByNode(String node, List<String> podCidrs) implements NodeCidrRefusal {
        public HeldByNode {
            podCidrs = List.copyOf(podCidrs);
        }
    }

    /// There is no such node.
    record NoSuchNode(String node) implements NodeCidrRefusal {}

    /// Another dialect in the store holds something of a range that is not kept from it yet.
    ///
    /// @param cluster whether it is a cluster CIDR, and not a service range
    record HeldElsewhere(Prefix range, boolean cluster, Holding by) implements NodeCidrRefusal {}
}
