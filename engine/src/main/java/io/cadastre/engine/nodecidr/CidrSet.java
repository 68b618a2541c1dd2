package io.cadastre.engine.nodecidr;

import io.cadastre.address.Family;
import io.cadastre.address.PartIndex;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import java.util.List;
import java.util.Optional;

/// The equal blocks cut out of one cluster CIDR, which of them are used, and the cursor.
///
/// The cursor only moves forward and wraps, and only when a block is taken: a block that was given
/// back rests until the cursor comes round. Any CIDR may be marked, not only a block: a bigger one
/// stands for all blocks inside it, a smaller one for the block around it.
///
/// A value: taking, occupying and releasing return another set.
public final class CidrSet {

    /// What upstream says of an IPv6 cluster CIDR with too many blocks.
    static final String TOO_BIG = "New CIDR set failed; the node CIDR size is too big";

    /// What upstream says when all blocks are used.
    static final String NONE_REMAINING =
            "CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted" + " range";

    private static final int IPV6_BLOCK_BITS_MAX = 16;
    private static final int IPV4_BLOCK_BITS_MAX = 24;

    private final Subdivision cluster;
    private final PartIndex used;
    private final int cursor;

    private CidrSet(Subdivision cluster, PartIndex used, int cursor) {
        this.cluster = cluster;
        this.used = used;
        this.cursor = cursor;
    }

    /// A set of which no block is used.
    ///
    /// @throws IllegalArgumentException if there are more blocks than [#sizeFault(Subdivision)] allows
    public static CidrSet empty(Subdivision cluster) {
        checkSize(cluster);
        return new CidrSet(cluster, new PartIndex(Math.toIntExact(cluster.lastOrdinal() + 1)), 0);
    }

    /// Why there are too many blocks in it, if there are. Upstream has no limit for IPv4 and runs out
    /// of memory instead.
    public static Optional<String> sizeFault(Subdivision cluster) {
        int blockBits = cluster.partLength() - cluster.whole().length();
        if (cluster.whole().family() == Family.IPV6) {
            return blockBits > IPV6_BLOCK_BITS_MAX ? Optional.of(TOO_BIG) : Optional.empty();
        }
        return blockBits > IPV4_BLOCK_BITS_MAX
                ? Optional.of("%s has more than 2^%d node CIDRs of /%d"
                        .formatted(cluster.whole(), IPV4_BLOCK_BITS_MAX, cluster.partLength()))
                : Optional.empty();
    }

    static void checkSize(Subdivision cluster) {
        sizeFault(cluster).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
    }

    public Subdivision cluster() {
        return cluster;
    }

    /// The number of blocks, used or not.
    public int blockCount() {
        return (int) cluster.lastOrdinal() + 1;
    }

    /// The number of used blocks.
    public int usedCount() {
        return used.count();
    }

    /// The number of used blocks among these.
    public int usedCount(Reach.Blocks blocks) {
        return release(blocks).flipped();
    }

    /// The block at which the next search starts.
    public int cursor() {
        return cursor;
    }

    public Prefix block(int index) {
        return cluster.part(index);
    }

    public boolean uses(int index) {
        return used.contains(index);
    }

    /// This set with its cursor elsewhere.
    public CidrSet at(int newCursor) {
        if (newCursor < 0 || newCursor >= blockCount()) {
            throw new IllegalArgumentException("%s has no block %d for the cursor".formatted(cluster, newCursor));
        }
        return new CidrSet(cluster, used, newCursor);
    }

    /// Takes the first unused block from the cursor on.
    public Next next() {
        if (used.full()) {
            return new Next.NoneRemaining();
        }
        int index = used.nextFree(cursor);
        var after = used.copy();
        after.add(index);
        int tries = Math.floorMod(index - cursor, blockCount());
        return new Next.Took(index, block(index), tries, new CidrSet(cluster, after, (index + 1) % blockCount()));
    }

    /// Which blocks a CIDR touches.
    public Reach reach(Prefix cidr) {
        var whole = cluster.whole();
        if (!whole.overlaps(cidr)) {
            return new Reach.Outside(cidr, whole);
        }
        return cidr.length() <= whole.length()
                ? new Reach.Blocks(0, blockCount() - 1)
                : new Reach.Blocks((int) cluster.ordinal(cidr.first()), (int) cluster.ordinal(cidr.last()));
    }

    /// This set with the blocks used. Used ones stay so.
    public Marked occupy(Reach.Blocks blocks) {
        return occupy(List.of(blocks));
    }

    /// This set with all these blocks used, for the price of one copy.
    public Marked occupy(List<Reach.Blocks> runs) {
        var after = used.copy();
        int flipped = 0;
        for (var run : runs) {
            flipped += after.addRange(run.first(), run.last());
        }
        return new Marked(new CidrSet(cluster, after, cursor), flipped);
    }

    /// This set with the blocks unused. Unused ones stay so.
    public Marked release(Reach.Blocks blocks) {
        var after = used.copy();
        int flipped = after.removeRange(blocks.first(), blocks.last());
        return new Marked(new CidrSet(cluster, after, cursor), flipped);
    }

    @Override
    public String toString() {
        return "%s: %d of %d used, cursor %d".formatted(cluster, usedCount(), blockCount(), cursor);
    }

    /// What taking a block came to.
    public sealed interface Next {

        /// A block was taken.
        ///
        /// @param tries how many used blocks lay between the cursor and the block
        record Took(int index, Prefix block, int tries, CidrSet after) implements Next {}

        /// All blocks are used.
        record NoneRemaining() implements Next {
            public String sentence() {
                return NONE_REMAINING;
            }
        }
    }

    /// How a CIDR lies to the set.
    public sealed interface Reach {

        /// It touches the blocks from `first` to `last`, both included.
        record Blocks(int first, int last) implements Reach {

            public Blocks {
                if (first < 0 || first > last) {
                    throw new IllegalArgumentException("no blocks are from %d to %d".formatted(first, last));
                }
            }

            public int count() {
                return last - first + 1;
            }
        }

        /// It and the cluster CIDR share nothing.
        record Outside(Prefix cidr, Prefix cluster) implements Reach {
            public String sentence() {
                return "cidr %s is out the range of cluster cidr %s".formatted(cidr, cluster);
            }
        }
    }

    /// A set with other marks.
    ///
    /// @param flipped how many blocks changed between used and unused
    public record Marked(CidrSet after, int flipped) {}
}
