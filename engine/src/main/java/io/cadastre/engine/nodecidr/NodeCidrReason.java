package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Because;
import io.cadastre.engine.Survey;
import java.util.List;

/// Why this law decided as it did.
public sealed interface NodeCidrReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case ServiceRangeUnread(var text) ->
                "unsuccessful parsing of service CIDR '%s': nothing is kept free for it".formatted(text);
            case ServiceRangeTakes(var serviceRange, var cluster, var blocks) ->
                "service range %s takes %d of %d blocks of %s, from %s to %s"
                        .formatted(
                                serviceRange,
                                blocks.count(),
                                cluster.lastOrdinal() + 1,
                                cluster.whole(),
                                cluster.part(blocks.first()),
                                cluster.part(blocks.last()));
            case Chose(var block, var cursor, var skipped, var cluster) ->
                "chose %s of %s: the cursor stood at %s and %d used blocks were skipped"
                        .formatted(block, cluster.whole(), cluster.part(cursor), skipped);
            case AlreadyGone(var node, var uid) -> "node %s with the uid %s is gone already".formatted(node, uid);
            case AlreadyHolds(var node, var podCidrs) ->
                "node %s already holds %s".formatted(node, String.join(", ", podCidrs));
            case HeldTwice(var holders) -> holders.sentence();
            case StayUsed(var cidr, var blocks, var cluster) ->
                "%d blocks of %s that %s touched stay used: a node or a service range holds a part of them"
                        .formatted(blocks, cluster.whole(), cidr);
            case Filled(var cluster, var used, var blocks) ->
                "%d of %d blocks of %s are used".formatted(used, blocks, cluster.whole());
            case AndMore(var count) -> "and %d more like it".formatted(count);
            case Unreadable(var node, var podCidr) -> "failed to parse node %s, CIDR %s".formatted(node, podCidr);
            case NoSuchCluster(var node, var podCidr, var index) ->
                "node:%s has an allocated cidr: %s at index:%d that does not exist in cluster cidrs configuration"
                        .formatted(node, podCidr, index);
            case Foreign(var node, var index, var outside) ->
                "failed to mark cidr[%s] at idx [%d] as occupied for node: %s: %s"
                        .formatted(outside.cidr(), index, node, outside.sentence());
        };
    }

    /// A service range could not be read, which upstream takes for none at all.
    record ServiceRangeUnread(String text) implements NodeCidrReason {}

    /// A service range takes blocks out of a cluster CIDR.
    record ServiceRangeTakes(Prefix serviceRange, Subdivision cluster, CidrSet.Reach.Blocks blocks)
            implements NodeCidrReason {}

    /// The search in a cluster CIDR went from the cursor to a block.
    ///
    /// @param skipped how many used blocks it passed on the way
    record Chose(Prefix block, int cursor, int skipped, Subdivision cluster) implements NodeCidrReason {}

    /// The node that is to be removed is not there any more.
    record AlreadyGone(String node, String uid) implements NodeCidrReason {}

    /// The node had what it asked for.
    record AlreadyHolds(String node, List<String> podCidrs) implements NodeCidrReason {
        public AlreadyHolds {
            podCidrs = List.copyOf(podCidrs);
        }
    }

    /// Two nodes, or a node and a service range, hold the same addresses. Upstream does not notice.
    record HeldTwice(Survey.Violation.TwoHolders holders) implements NodeCidrReason {}

    /// Blocks that a removed node held are not free, because someone else holds a part of them.
    record StayUsed(Prefix cidr, int blocks, Subdivision cluster) implements NodeCidrReason {}

    /// How full a cluster CIDR is.
    record Filled(Subdivision cluster, int used, int blocks) implements NodeCidrReason {}

    /// There are more reasons of the preceding kind than are useful to read.
    record AndMore(int count) implements NodeCidrReason {}

    /// A node's CIDR that does not fit the configuration. What can be read of it is kept from others
    /// all the same.
    sealed interface Misfit extends NodeCidrReason, NodeCidrRefusal {

        String node();

        @Override
        default String sentence() {
            return NodeCidrReason.super.sentence();
        }
    }

    /// It is not a CIDR.
    ///
    /// @param podCidr the node's first CIDR, which upstream names whichever is unreadable
    record Unreadable(String node, String podCidr) implements Misfit {}

    /// The node has more CIDRs than the cluster.
    record NoSuchCluster(String node, String podCidr, int index) implements Misfit {}

    /// It has nothing in common with the cluster CIDR at its place.
    record Foreign(String node, int index, CidrSet.Reach.Outside outside) implements Misfit {}
}
