package io.cadastre.address;

import java.util.Arrays;

/// A region of 64 equal slots, most of them used or free throughout.
///
/// A slot may have one child, a smaller region somewhere in it; what the slot says of itself then
/// holds for the rest of the slot. If the child takes up the whole slot, it holds for nothing.
final class Branch implements Tract {

    private static final int SLOT_BITS = 6;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final long ALL = -1L;
    private static final Tract[] NO_CHILDREN = {};

    /// Sixty-four bits are four more than fit evenly, so the root has but 16 slots.
    private static final int ROOT_SHIFT = 60;

    private static final int ROOT_SLOTS = 16;

    private final long first;

    /// The binary logarithm of the number of parts in a slot.
    private final int shift;

    /// Which slots are used, apart from their child.
    private long filled;

    /// Which slots have a child.
    private long divided;

    /// The children in order, one for each slot that has one.
    private Tract[] children;

    private Branch(long part, int shift, long filled, long divided, Tract[] children) {
        this.first = shift == ROOT_SHIFT ? 0 : part & -(1L << (shift + SLOT_BITS));
        this.shift = shift;
        this.filled = filled;
        this.divided = divided;
        this.children = children;
    }

    /// The region of all 2^64 parts, all free. The slots that it does not have count as used.
    static Branch root() {
        return new Branch(0, ROOT_SHIFT, ALL << ROOT_SLOTS, 0, NO_CHILDREN);
    }

    /// The smallest branch that spans both parts, used or free throughout.
    static Branch spanning(long first, long last, boolean used) {
        int highestBit = Long.SIZE - 1 - Long.numberOfLeadingZeros(first ^ last);
        int shift = Leaf.BITS + (highestBit - Leaf.BITS) / SLOT_BITS * SLOT_BITS;
        return new Branch(first, shift, used ? ALL : 0, 0, NO_CHILDREN);
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public int bits() {
        return shift + SLOT_BITS;
    }

    @Override
    public long count() {
        long count = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            count += count(slot);
        }
        return count;
    }

    @Override
    public boolean full() {
        return divided == 0 && filled == ALL;
    }

    @Override
    public boolean empty() {
        return divided == 0 && filled == 0;
    }

    int slot(long part) {
        return (int) (part >>> shift) & (SLOTS - 1);
    }

    boolean filled(int slot) {
        return (filled & 1L << slot) != 0;
    }

    boolean divided(int slot) {
        return (divided & 1L << slot) != 0;
    }

    Tract child(int slot) {
        return children[rank(slot)];
    }

    /// Whether the part lies in a child.
    boolean leadsTo(long part) {
        int slot = slot(part);
        return divided(slot) && child(slot).spans(part);
    }

    @Override
    public long firstFree() {
        return firstFree(Long.numberOfTrailingZeros(open()));
    }

    @Override
    public boolean hasFreeFrom(long part) {
        int slot = slot(part);
        if (openAfter(slot) != 0) {
            return true;
        }
        if (!leadsTo(part)) {
            return !filled(slot) || childFollows(part);
        }
        return child(slot).hasFreeFrom(part) || freeAfterChild(slot);
    }

    @Override
    public long firstFreeFrom(long part) {
        int slot = slot(part);
        if (!leadsTo(part)) {
            if (!filled(slot)) {
                return part;
            }
            if (childFollows(part)) {
                return child(slot).firstFree();
            }
        } else if (child(slot).hasFreeFrom(part)) {
            return child(slot).firstFreeFrom(part);
        } else if (freeAfterChild(slot)) {
            return child(slot).last() + 1;
        }
        return firstFree(Long.numberOfTrailingZeros(openAfter(slot)));
    }

    @Override
    public long set(long from, long to, boolean used) {
        long changed = 0;
        for (int slot = slot(from); slot <= slot(to); slot++) {
            long slotFrom = slot == slot(from) ? from : first(slot);
            long slotTo = slot == slot(to) ? to : last(slot);
            changed += slotFrom == first(slot) && slotTo == last(slot)
                    ? setWhole(slot, used)
                    : setWithin(slot, slotFrom, slotTo, used);
        }
        return changed;
    }

    @Override
    public Branch copy() {
        var copies = children.clone();
        Arrays.setAll(copies, rank -> children[rank].copy());
        return new Branch(first, shift, filled, divided, copies);
    }

    /// The lowest free part of an open slot.
    private long firstFree(int slot) {
        if (!divided(slot)) {
            return first(slot);
        }
        var child = child(slot);
        boolean freeBeforeChild = !filled(slot) && child.first() != first(slot);
        return freeBeforeChild ? first(slot) : child.firstFree();
    }

    /// Whether the part's slot has a child that begins after the part.
    private boolean childFollows(long part) {
        int slot = slot(part);
        return divided(slot) && Long.compareUnsigned(part, child(slot).first()) < 0;
    }

    private boolean freeAfterChild(int slot) {
        return !filled(slot) && child(slot).last() != last(slot);
    }

    private long setWhole(int slot, boolean used) {
        long count = count(slot);
        makeUniform(slot, used);
        return used ? (1L << shift) - count : count;
    }

    private long setWithin(int slot, long from, long to, boolean used) {
        if (filled(slot) != used) {
            var child = divided(slot) ? widened(slot, from, to) : Tract.spanning(from, to, !used);
            long changed = child.set(from, to, used);
            put(slot, child);
            return changed;
        }
        if (!divided(slot)) {
            return 0;
        }
        var child = child(slot);
        long childFrom = Long.compareUnsigned(from, child.first()) > 0 ? from : child.first();
        long childTo = Long.compareUnsigned(to, child.last()) < 0 ? to : child.last();
        if (Long.compareUnsigned(childFrom, childTo) > 0) {
            return 0;
        }
        long changed = child.set(childFrom, childTo, used);
        put(slot, child);
        return changed;
    }

    /// The child of the slot, if it spans the parts; else a new branch that does and has it as child.
    private Tract widened(int slot, long from, long to) {
        var child = child(slot);
        if (child.spans(from) && child.spans(to)) {
            return child;
        }
        var wide = spanning(child.first(), farther(child.first(), from, to), filled(slot));
        wide.insert(wide.slot(child.first()), child);
        return wide;
    }

    /// The one of two parts that shares fewer leading bits with a third. What spans it and the third
    /// spans the other as well.
    private static long farther(long third, long one, long other) {
        return Long.compareUnsigned(third ^ one, third ^ other) > 0 ? one : other;
    }

    /// Makes this the slot's child, in the shortest form: nothing if a bit can say it, and no branch
    /// that merely leads to another tract.
    private void put(int slot, Tract child) {
        boolean whole = child.bits() == shift;
        if (child.full() || child.empty()) {
            if (whole || child.full() == filled(slot)) {
                makeUniform(slot, child.full());
            } else {
                insert(slot, raised(child));
            }
        } else if (child instanceof Branch branch && branch.leadsOn(filled(slot), whole)) {
            fill(slot, branch.othersFilled());
            insert(slot, branch.children[0]);
        } else {
            insert(slot, child);
        }
    }

    /// The branch above a uniform tract that says the same by a bit.
    private static Branch raised(Tract uniform) {
        var raised = new Branch(uniform.first(), uniform.bits(), uniform.full() ? 0 : ALL, 0, NO_CHILDREN);
        raised.fill(raised.slot(uniform.first()), uniform.full());
        return raised;
    }

    /// Whether nothing but one child sets this branch apart from what surrounds it.
    private boolean leadsOn(boolean contextFilled, boolean noContext) {
        if (Long.bitCount(divided) != 1) {
            return false;
        }
        boolean others = othersFilled();
        boolean alike = (filled & ~divided) == (others ? ~divided : 0);
        int slot = Long.numberOfTrailingZeros(divided);
        boolean restAlike = children[0].bits() == shift || filled(slot) == others;
        return alike && restAlike && (noContext || contextFilled == others);
    }

    /// Whether any slot without a child is used.
    private boolean othersFilled() {
        return (filled & ~divided) != 0;
    }

    private void makeUniform(int slot, boolean used) {
        if (divided(slot)) {
            int rank = rank(slot);
            var rest = Arrays.copyOf(children, children.length - 1);
            System.arraycopy(children, rank + 1, rest, rank, rest.length - rank);
            children = rest;
            divided &= ~(1L << slot);
        }
        fill(slot, used);
    }

    private void fill(int slot, boolean used) {
        filled = used ? filled | 1L << slot : filled & ~(1L << slot);
    }

    private void insert(int slot, Tract child) {
        int rank = rank(slot);
        if (!divided(slot)) {
            var more = Arrays.copyOf(children, children.length + 1);
            System.arraycopy(children, rank, more, rank + 1, children.length - rank);
            children = more;
            divided |= 1L << slot;
        }
        children[rank] = child;
    }

    /// The slots with a free part: no tract is full.
    private long open() {
        return ~filled | divided;
    }

    private long openAfter(int slot) {
        return open() & ALL << slot << 1;
    }

    private long first(int slot) {
        return first | (long) slot << shift;
    }

    private long last(int slot) {
        return first(slot) | (1L << shift) - 1;
    }

    private long count(int slot) {
        if (!divided(slot)) {
            return filled(slot) ? 1L << shift : 0;
        }
        var child = child(slot);
        long rest = filled(slot) ? (1L << shift) - (1L << child.bits()) : 0;
        return rest + child.count();
    }

    /// The place of a slot's child among the children.
    private int rank(int slot) {
        return Long.bitCount(divided & (1L << slot) - 1);
    }
}
