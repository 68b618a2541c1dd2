package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Because;
import io.cadastre.engine.Survey;
import java.util.List;

/// Why this law decided as it did.
public sealed interface NodeCidrReason extends Because {

    /// A service range could not be read, which upstream takes for none at all.
    record ServiceRangeUnread(String text) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "unsuccessful parsing of service CIDR '%s': nothing is kept free for it".formatted(text);
        }
    }

    /// A service range takes blocks out of a cluster CIDR.
    record ServiceRangeTakes(Prefix serviceRange, Subdivision cluster, CidrSet.Reach.Blocks blocks)
            implements NodeCidrReason {
        @Override
        public String sentence() {
            return "service range %s takes %d of %d blocks of %s, from %s to %s"
                    .formatted(
                            serviceRange,
                            blocks.count(),
                            cluster.lastOrdinal() + 1,
                            cluster.whole(),
                            cluster.part(blocks.first()),
                            cluster.part(blocks.last()));
        }
    }

    /// The search in a cluster CIDR went from the cursor to a block.
    ///
    /// @param skipped how many used blocks it passed on the way
    record Chose(Prefix block, int cursor, int skipped, Subdivision cluster) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "chose %s of %s: the cursor stood at %s and %d used blocks were skipped"
                    .formatted(block, cluster.whole(), cluster.part(cursor), skipped);
        }
    }

    /// The node that is to be removed is not there any more.
    record AlreadyGone(String node, String uid) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "node %s with the uid %s is gone already".formatted(node, uid);
        }
    }

    /// The node had what it asked for.
    record AlreadyHolds(String node, List<String> podCidrs) implements NodeCidrReason {
        public AlreadyHolds {
            podCidrs = List.copyOf(podCidrs);
        }

        @Override
        public String sentence() {
            return "node %s already holds %s".formatted(node, String.join(", ", podCidrs));
        }
    }

    /// Two nodes, or a node and a service range, hold the same addresses. Upstream does not notice.
    record HeldTwice(Survey.Violation.TwoHolders holders) implements NodeCidrReason {
        @Override
        public String sentence() {
            return holders.sentence();
        }
    }

    /// Blocks that a removed node held are not free, because someone else holds a part of them.
    record StayUsed(Prefix cidr, int blocks, Subdivision cluster) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "%d blocks of %s that %s touched stay used: a node or a service range holds a part of them"
                    .formatted(blocks, cluster.whole(), cidr);
        }
    }

    /// How full a cluster CIDR is.
    record Filled(Subdivision cluster, int used, int blocks) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "%d of %d blocks of %s are used".formatted(used, blocks, cluster.whole());
        }
    }

    /// There are more reasons of the preceding kind than are useful to read.
    record AndMore(int count) implements NodeCidrReason {
        @Override
        public String sentence() {
            return "and %d more like it".formatted(count);
        }
    }

    /// A node's CIDR that does not fit the configuration. What can be read of it is kept from others
    /// all the same.
    sealed interface Misfit extends NodeCidrReason, NodeCidrRefusal {

        String node();
    }

    /// It is not a CIDR.
    ///
    /// @param podCidr the node's first CIDR, which upstream names whichever is unreadable
    record Unreadable(String node, String podCidr) implements Misfit {
        @Override
        public String sentence() {
            return "failed to parse node %s, CIDR %s".formatted(node, podCidr);
        }
    }

    /// The node has more CIDRs than the cluster.
    record NoSuchCluster(String node, String podCidr, int index) implements Misfit {
        @Override
        public String sentence() {
            return "node:%s has an allocated cidr: %s at index:%d that does not exist in cluster cidrs configuration"
                    .formatted(node, podCidr, index);
        }
    }

    /// It has nothing in common with the cluster CIDR at its place.
    record Foreign(String node, int index, CidrSet.Reach.Outside outside) implements Misfit {
        @Override
        public String sentence() {
            return "failed to mark cidr[%s] at idx [%d] as occupied for node: %s: %s"
                    .formatted(outside.cidr(), index, node, outside.sentence());
        }
    }
}
