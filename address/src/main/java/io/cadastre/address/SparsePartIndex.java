package io.cadastre.address;

import java.math.BigInteger;
import java.util.Arrays;

/// Which of up to 2^64 parts are used, with a fast answer to "which is the next free one?".
///
/// The same questions as [PartIndex], for spaces that no array of bits can hold. Part numbers are
/// unsigned.
///
/// Goals: a range of any size costs the same as a single part; memory follows the number of borders
/// between used and free parts, not the number of parts; a search never walks over used ones.
///
/// Method: a tree that divides by 64, with nothing below a region that is all used or all free. The
/// lowest nodes, [Leaf]s, are bitmaps of 4096 parts. A [Branch] has 64 slots; a slot is used or free
/// throughout, except for at most one smaller region in it that has a node of its own. So the levels
/// above a lone used part among free ones take no nodes, nor do those above a lone hole, and a border
/// between two ranges takes one path of nodes at most.
///
/// Mutable, and for one thread.
public final class SparsePartIndex {

    private static final int RECENT_MAX = 1024;

    /// In each place a leaf that spans no part of that place, but of the next.
    private static final Leaf[] NONE_RECENT = new Leaf[RECENT_MAX];

    static {
        Arrays.setAll(NONE_RECENT, place -> new Leaf((place + 1L) << Leaf.BITS, false));
    }

    private final long lastPart;
    private final Branch root;

    /// Leaves met of late, each at the place that [#recentPlace(long)] gives its parts. Parts are taken
    /// and given back near each other, so this saves most ways from the root. A leaf that leaves the
    /// tree leaves this too.
    private final Leaf[] recent;

    /// How many parts are used, modulo 2^64; [#full()] distinguishes none from all.
    private long count;

    /// An index over the parts from 0 to `lastPart`, unsigned, in which every part is free.
    public SparsePartIndex(long lastPart) {
        this.lastPart = lastPart;
        this.root = Branch.root();
        this.recent = NONE_RECENT.clone();
        if (lastPart != -1L) {
            root.set(lastPart + 1, -1L, true);
        }
    }

    private SparsePartIndex(SparsePartIndex original) {
        this.lastPart = original.lastPart;
        this.root = original.root.copy();
        this.recent = NONE_RECENT.clone();
        this.count = original.count;
    }

    /// How many parts there are.
    public BigInteger size() {
        return unsigned(lastPart).add(BigInteger.ONE);
    }

    /// How many of them are used.
    public BigInteger count() {
        return full() ? size() : unsigned(count);
    }

    public boolean full() {
        return root.full();
    }

    /// Whether the part is used.
    public boolean contains(long part) {
        checkPart(part);
        var lowest = lowestAt(part);
        return lowest instanceof Branch branch ? branch.filled(branch.slot(part)) : ((Leaf) lowest).contains(part);
    }

    /// Marks the part as used and returns whether it was free.
    public boolean add(long part) {
        checkPart(part);
        boolean changed = change(part, true);
        count += changed ? 1 : 0;
        return changed;
    }

    /// Marks the part as free and returns whether it was used.
    public boolean remove(long part) {
        checkPart(part);
        boolean changed = change(part, false);
        count -= changed ? 1 : 0;
        return changed;
    }

    /// Marks the parts from `first` to `last`, both included, as used, and returns how many were free.
    public BigInteger addRange(long first, long last) {
        checkRange(first, last);
        var before = count();
        count += setRange(first, last, true);
        return count().subtract(before);
    }

    /// Marks the parts from `first` to `last`, both included, as free, and returns how many were used.
    public BigInteger removeRange(long first, long last) {
        checkRange(first, last);
        var before = count();
        count -= setRange(first, last, false);
        return before.subtract(count());
    }

    /// The first free part at or after `from`; after the last part the search goes on at part 0.
    ///
    /// @throws IllegalStateException if no part is free
    public long nextFree(long from) {
        checkPart(from);
        if (full()) {
            throw new IllegalStateException("all %s parts are used".formatted(size()));
        }
        if (lowestAt(from) instanceof Leaf leaf) {
            if (leaf.hasFreeFrom(from)) {
                return leaf.firstFreeFrom(from);
            }
            // A leaf that is in the tree is not full. After the last part of all comes part 0.
            if (lowestAt(leaf.last() + 1) instanceof Leaf next) {
                return next.firstFree();
            }
        }
        return root.hasFreeFrom(from) ? root.firstFreeFrom(from) : root.firstFree();
    }

    /// Another index with the same content, for what-if.
    public SparsePartIndex copy() {
        return new SparsePartIndex(this);
    }

    @Override
    public String toString() {
        return "%s of %s parts used".formatted(count(), size());
    }

    /// Flips one part where it stands if that leaves the shape of the tree alone, as it nearly always
    /// does; else by way of the root.
    private boolean change(long part, boolean used) {
        var lowest = lowestAt(part);
        if (lowest instanceof Branch branch) {
            return branch.filled(branch.slot(part)) != used && setSingle(part, used);
        }
        var leaf = (Leaf) lowest;
        if (leaf.contains(part) == used) {
            return false;
        }
        if (leaf.uniformBut(part)) {
            return setSingle(part, used);
        }
        leaf.flip(part);
        return true;
    }

    /// Changes one part by way of the root. No other leaf than the one with the part can go by that.
    private boolean setSingle(long part, boolean used) {
        int place = recentPlace(part);
        recent[place] = NONE_RECENT[place];
        return root.set(part, part, used) == 1;
    }

    private long setRange(long first, long last, boolean used) {
        System.arraycopy(NONE_RECENT, 0, recent, 0, RECENT_MAX);
        return root.set(first, last, used);
    }

    /// The leaf with the part, or the branch that knows of it without one.
    private Tract lowestAt(long part) {
        var known = recent[recentPlace(part)];
        if (known.spans(part)) {
            return known;
        }
        Tract tract = root;
        while (tract instanceof Branch branch && branch.leadsTo(part)) {
            tract = branch.child(branch.slot(part));
        }
        if (tract instanceof Leaf leaf) {
            recent[recentPlace(part)] = leaf;
        }
        return tract;
    }

    private static int recentPlace(long part) {
        return (int) (part >>> Leaf.BITS) & (RECENT_MAX - 1);
    }

    private void checkPart(long part) {
        if (Long.compareUnsigned(part, lastPart) > 0) {
            throw new IndexOutOfBoundsException(
                    "there is no part %s among %s".formatted(Long.toUnsignedString(part), size()));
        }
    }

    private void checkRange(long first, long last) {
        checkPart(first);
        checkPart(last);
        if (Long.compareUnsigned(first, last) > 0) {
            throw new IllegalArgumentException("parts %s to %s are not in order"
                    .formatted(Long.toUnsignedString(first), Long.toUnsignedString(last)));
        }
    }

    private static BigInteger unsigned(long number) {
        return new BigInteger(Long.toUnsignedString(number));
    }
}
