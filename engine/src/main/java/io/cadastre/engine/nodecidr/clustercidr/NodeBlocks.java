package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import java.util.List;

/// What a look at a node came to.
public sealed interface NodeBlocks {

    /// Blocks are to be written to the node.
    ///
    /// @param tries how many used blocks the search met for each of the blocks; empty if the blocks were
    ///     reserved earlier
    record Reserved(Reservation reservation, List<Integer> tries) implements NodeBlocks {
        public Reserved {
            tries = List.copyOf(tries);
        }
    }

    /// The node has its CIDRs, and there is nothing to write.
    record Held(NodeHold hold) implements NodeBlocks {}

    /// Nothing can be done for the node now.
    sealed interface Refused extends NodeBlocks {

        String node();

        /// A sentence without a full stop.
        default String sentence() {
            return switch (this) {
                case NotAvailable(var node) -> "failed to get cidrs for node %s".formatted(node);
                case Awaiting(var node, var clusterCidr) ->
                    "ClusterCIDR %s gives node %s nothing before its finalizer is written".formatted(clusterCidr, node);
                case Terminating(var node) ->
                    "node %s is being deleted and is not given a CIDR any more".formatted(node);
                case Unreadable(var node, var cidr) ->
                    "failed to parse CIDR %s on Node %s: invalid CIDR address: %s".formatted(cidr, node, cidr);
                case Unmatched(var _, var podCidrs) ->
                    "could not occupy cidrs: [%s], No matching ClusterCIDRs found"
                            .formatted(String.join(" ", podCidrs));
            };
        }
    }

    /// No ClusterCIDR that suits the node has a block left.
    record NotAvailable(String node) implements Refused {

        /// The reason of the event that upstream records on the node.
        public static final String EVENT_REASON = "CIDRNotAvailable";

        /// The message of that event.
        public String eventMessage() {
            return "Node %s status is now: %s".formatted(node, EVENT_REASON);
        }
    }

    /// A ClusterCIDR that suits the node has no finalizer yet, and no other has a block left.
    record Awaiting(String node, String clusterCidr) implements Refused {}

    /// The node is being deleted and holds nothing.
    record Terminating(String node) implements Refused {}

    /// The node has a CIDR that cannot be read. What can be read is kept from other nodes.
    record Unreadable(String node, String podCidr) implements Refused {}

    /// The node has CIDRs that fit no ClusterCIDR. They are kept from other nodes.
    record Unmatched(String node, List<String> podCidrs) implements Refused {
        public Unmatched {
            podCidrs = List.copyOf(podCidrs);
        }
    }

    /// The blocks of a reservation, in the order in which a node lists them.
    static List<String> podCidrs(Reservation reservation) {
        return reservation.blocks().stream().map(Prefix::toString).toList();
    }
}
