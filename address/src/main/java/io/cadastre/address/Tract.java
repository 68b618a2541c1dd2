package io.cadastre.address;

/// An aligned region of 2^[#bits()] parts, some used and some free: a node of [SparsePartIndex].
///
/// Between operations no tract below the root is used throughout or free throughout; its parent says so
/// in a bit and drops it. The root is an exception: what it spans is never asked.
sealed interface Tract permits Branch, Leaf {

    /// The smallest tract that spans both parts, used or free throughout.
    static Tract spanning(long first, long last, boolean used) {
        return (first ^ last) >>> Leaf.BITS == 0 ? new Leaf(first, used) : Branch.spanning(first, last, used);
    }

    /// The lowest part of the region.
    long first();

    /// The binary logarithm of the number of parts.
    int bits();

    /// How many parts are used.
    long count();

    /// Whether every part is used.
    boolean full();

    /// Whether every part is free.
    boolean empty();

    /// Marks parts of this region as used or free and returns how many changed.
    long set(long first, long last, boolean used);

    /// The lowest free part of a region that has one.
    long firstFree();

    /// Whether this region has a free part at or after this one, which lies in it.
    boolean hasFreeFrom(long part);

    /// The first free part at or after this one, if there is one in this region.
    long firstFreeFrom(long part);

    Tract copy();

    default boolean spans(long part) {
        return (part ^ first()) >>> bits() == 0;
    }

    default long last() {
        return first() | (1L << bits()) - 1;
    }
}
