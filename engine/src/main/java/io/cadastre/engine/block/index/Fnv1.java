package io.cadastre.engine.block.index;

/// The hash FNV-1 of 32 bits, over the UTF-8 bytes of a text.
public final class Fnv1 {

    private static final int OFFSET_BASIS = 0x811c9dc5;
    private static final int PRIME = 0x01000193;

    private static final int REPLACEMENT = 0xfffd;

    private int hash = OFFSET_BASIS;

    private Fnv1() {}

    /// The hash as an unsigned number.
    public static long hash(String text) {
        var fnv = new Fnv1();
        text.codePoints().forEachOrdered(fnv::addCodePoint);
        return Integer.toUnsignedLong(fnv.hash);
    }

    /// Adds the bytes of UTF-8. Half a surrogate pair has none, and counts as the replacement
    /// character, which is what any other program would have read in its place.
    private void addCodePoint(int given) {
        int codePoint = given >= Character.MIN_SURROGATE && given <= Character.MAX_SURROGATE ? REPLACEMENT : given;
        if (codePoint < 0x80) {
            addByte(codePoint);
        } else if (codePoint < 0x800) {
            addByte(0xc0 | codePoint >>> 6);
            addTail(codePoint);
        } else if (codePoint < 0x10000) {
            addByte(0xe0 | codePoint >>> 12);
            addTail(codePoint >>> 6);
            addTail(codePoint);
        } else {
            addByte(0xf0 | codePoint >>> 18);
            addTail(codePoint >>> 12);
            addTail(codePoint >>> 6);
            addTail(codePoint);
        }
    }

    /// A byte that is not the first of its character carries six bits of it.
    private void addTail(int bits) {
        addByte(0x80 | (bits & 0x3f));
    }

    private void addByte(int value) {
        hash = (hash * PRIME) ^ value;
    }
}
