package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import java.util.List;

/// Why this law decided as it did.
public sealed interface ClusterCidrReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case SelectorMismatch(var name, var key) ->
                "passed over ClusterCIDR %s: the labels of the node do not match '%s'".formatted(name, key);
            case GivesNothing(var name) -> "passed over ClusterCIDR %s: it is terminating".formatted(name);
            case FinalizerAwaited(var name) ->
                "passed over ClusterCIDR %s: its finalizer is not written yet".formatted(name);
            case NoneRemaining(var name, var range) ->
                "passed over ClusterCIDR %s: CIDR allocation failed; there are no remaining CIDRs left to allocate in the range %s"
                        .formatted(name, range);
            case Overlapped(var name, var block, var holder, var held) ->
                "passed over ClusterCIDR %s: no block is left, and %s overlaps %s of %s"
                        .formatted(name, block, held, holder);
            case Chose(var name, var block, var tries) ->
                "chose %s of ClusterCIDR %s after %d used blocks".formatted(block, name, tries);
            case StillReserved(var node, var name) ->
                "blocks of ClusterCIDR %s are on their way to node %s".formatted(name, node);
            case StillHeld(var node, var cidrs) -> "node %s already holds %s".formatted(node, cidrs);
            case NotSpanned(var name, var cidrs) ->
                "passed over ClusterCIDR %s: it does not span all of %s".formatted(name, cidrs);
            case HeldTwice(var node, var cidr, var other, var held) ->
                "%s of node %s overlaps %s of node %s".formatted(cidr, node, held, other);
            case AnotherNode(var node) -> "another node had the name %s before".formatted(node);
            case Modified(var name) ->
                "CIDRs from ClusterCIDR %s will not be used for allocation as it was modified".formatted(name);
            case AnotherObject(var name) -> "another ClusterCIDR had the name %s before".formatted(name);
            case AndMore(var count) -> "and %d more like it".formatted(count);
        };
    }

    /// A ClusterCIDR is not for the node.
    record SelectorMismatch(String clusterCidr, String selectorKey) implements ClusterCidrReason {}

    /// A ClusterCIDR is being deleted, or was modified.
    record GivesNothing(String clusterCidr) implements ClusterCidrReason {}

    /// A ClusterCIDR without a finalizer could vanish under a node.
    record FinalizerAwaited(String clusterCidr) implements ClusterCidrReason {}

    /// All blocks of one family of a ClusterCIDR are used by its own nodes.
    record NoneRemaining(String clusterCidr, Prefix range) implements ClusterCidrReason {}

    /// All blocks of one family of a ClusterCIDR are used, and others than its own nodes use some of them.
    ///
    /// @param block one of these
    /// @param holder what uses it: a node, or the service range
    /// @param held what that holds
    record Overlapped(String clusterCidr, Prefix block, String holder, Prefix held) implements ClusterCidrReason {}

    /// The search found a block.
    ///
    /// @param tries how many used blocks lay between the cursor and the block
    record Chose(String clusterCidr, Prefix block, int tries) implements ClusterCidrReason {}

    /// An earlier assignment is not finished.
    record StillReserved(String node, String clusterCidr) implements ClusterCidrReason {}

    /// Nothing changed at the node.
    record StillHeld(String node, List<Prefix> cidrs) implements ClusterCidrReason {
        public StillHeld {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// A ClusterCIDR that suits the node cannot have given its CIDRs, at least not all of them.
    record NotSpanned(String clusterCidr, List<Prefix> cidrs) implements ClusterCidrReason {
        public NotSpanned {
            cidrs = List.copyOf(cidrs);
        }
    }

    /// Two nodes have the same addresses, which upstream does not notice.
    record HeldTwice(String node, Prefix cidr, String other, Prefix held) implements ClusterCidrReason {}

    /// A node was replaced by another one of its name.
    record AnotherNode(String node) implements ClusterCidrReason {}

    /// The spec of a ClusterCIDR is not the one with which it was created.
    record Modified(String clusterCidr) implements ClusterCidrReason {}

    /// A ClusterCIDR was replaced by another one of its name.
    record AnotherObject(String clusterCidr) implements ClusterCidrReason {}

    /// There are more reasons of the preceding kind than are useful to read.
    record AndMore(int count) implements ClusterCidrReason {}
}
