package io.cadastre.address;

import java.math.BigInteger;

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
/// between a lone border and its neighbours take no nodes, be it a used part among free ones or a hole
/// among used ones, and the tree is as deep as the borders are many.
///
/// Mutable, and for one thread.
public final class SparsePartIndex {

    private final long lastPart;
    private final Branch root;

    /// How many parts are used, modulo 2^64; [#full()] tells none from all.
    private long count;

    /// An index over the parts from 0 to `lastPart`, unsigned, in which every part is free.
    public SparsePartIndex(long lastPart) {
        this.lastPart = lastPart;
        this.root = Branch.root();
        if (lastPart != -1L) {
            root.set(lastPart + 1, -1L, true);
        }
    }

    private SparsePartIndex(SparsePartIndex original) {
        this.lastPart = original.lastPart;
        this.root = original.root.copy();
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
        return lowest instanceof Branch branch
                ? branch.filled(branch.slot(part))
                : ((Leaf) lowest).contains(part);
    }

    /// Marks the part as used and tells whether it was free.
    public boolean add(long part) {
        checkPart(part);
        boolean changed = change(part, true);
        count += changed ? 1 : 0;
        return changed;
    }

    /// Marks the part as free and tells whether it was used.
    public boolean remove(long part) {
        checkPart(part);
        boolean changed = change(part, false);
        count -= changed ? 1 : 0;
        return changed;
    }

    /// Marks the parts from `first` to `last`, both included, as used, and tells how many were free.
    public BigInteger addRange(long first, long last) {
        checkRange(first, last);
        var before = count();
        count += root.set(first, last, true);
        return count().subtract(before);
    }

    /// Marks the parts from `first` to `last`, both included, as free, and tells how many were used.
    public BigInteger removeRange(long first, long last) {
        checkRange(first, last);
        var before = count();
        count -= root.set(first, last, false);
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
            return branch.filled(branch.slot(part)) != used && root.set(part, part, used) == 1;
        }
        var leaf = (Leaf) lowest;
        if (leaf.contains(part) == used) {
            return false;
        }
        if (leaf.uniformBut(part)) {
            return root.set(part, part, used) == 1;
        }
        leaf.flip(part);
        return true;
    }

    /// The leaf with the part, or the branch that knows of it without one.
    private Tract lowestAt(long part) {
        Tract tract = root;
        while (tract instanceof Branch branch && branch.leadsTo(part)) {
            tract = branch.child(branch.slot(part));
        }
        return tract;
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
            throw new IllegalArgumentException(
                    "parts %s to %s are not in order"
                            .formatted(Long.toUnsignedString(first), Long.toUnsignedString(last)));
        }
    }

    private static BigInteger unsigned(long number) {
        return new BigInteger(Long.toUnsignedString(number));
    }
}
