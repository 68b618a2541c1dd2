package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import java.util.List;

/// Why these laws decided as they did.
public sealed interface CloudReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case TooMany(var ranges, var kept) ->
                "the machine has %d alias ranges, %s, and only the first %d of them count"
                        .formatted(ranges.size(), GoWords.list(ranges), kept);
            case Unequal(var node, var held, var ranges) ->
                held.isEmpty()
                        ? "node %s has no CIDR and its machine has %s".formatted(node, GoWords.list(ranges))
                        : "PodCIDR being reassigned: node %s has %s and its machine has %s"
                                .formatted(node, GoWords.list(held), GoWords.list(ranges));
            case Equal(var node, var held) ->
                "node %s has %s and so has its machine".formatted(node, GoWords.list(held));
            case NextBlock(var block, var skipped) -> "chose %s: %d used blocks were skipped".formatted(block, skipped);
            case ChosenBefore(var node, var block) ->
                "%s was chosen for node %s by an attempt that did not come to its end".formatted(block, node);
            case Discarded(var clusterCidrs) ->
                "Multiple cidrs were configured with FromCluster or FromCloud. cidrs except first one were discarded: "
                        + clusterCidrs;
            case HeldToo(var other, var cidr) -> "node %s holds %s as well".formatted(other, cidr);
        };
    }

    /// The machine has more alias ranges than a node has CIDRs.
    record TooMany(List<String> ranges, int kept) implements CloudReason {
        public TooMany {
            ranges = List.copyOf(ranges);
        }
    }

    /// The node has something else than its machine.
    record Unequal(String node, List<String> held, List<String> ranges) implements CloudReason {
        public Unequal {
            held = List.copyOf(held);
            ranges = List.copyOf(ranges);
        }
    }

    /// The node has what its machine has.
    record Equal(String node, List<String> held) implements CloudReason {
        public Equal {
            held = List.copyOf(held);
        }
    }

    /// The search in the cluster CIDR found a block.
    record NextBlock(Prefix block, int skipped) implements CloudReason {}

    /// An earlier attempt chose the block.
    record ChosenBefore(String node, Prefix block) implements CloudReason {}

    /// Only the first cluster CIDR is synchronised.
    record Discarded(String clusterCidrs) implements CloudReason {}

    /// Another node holds a part of what the cloud gave to this one. Upstream does not notice.
    record HeldToo(String other, String cidr) implements CloudReason {}
}
