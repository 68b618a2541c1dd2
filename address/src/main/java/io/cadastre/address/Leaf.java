package io.cadastre.address;

import java.util.Arrays;

/// 4096 parts as 64 words, of which only those are kept that were once partly used.
///
/// A word that is kept stays kept when it becomes all ones or all zeros, because the next change is
/// likely to come there again; it goes when the leaf goes. A leaf that keeps many keeps all, so that
/// each is where its slot says.
final class Leaf implements Tract {

    static final int BITS = 12;

    private static final int WORD_SHIFT = 6;
    private static final int WORD_BITS = 1 << WORD_SHIFT;
    private static final long ALL = -1L;

    /// A leaf that would keep more words than this keeps all.
    private static final int KEPT_MAX = 16;

    private final long first;
    private int count;

    /// Which words are all ones, kept or not.
    private long fullWords;

    /// Which words are kept; the others are all ones or all zeros.
    private long keptWords;

    /// The words that are kept, in order; there may be room for more at the end.
    private long[] words;

    /// The leaf that spans the part, used or free throughout.
    Leaf(long part, boolean used) {
        this(part & -(1L << BITS), used ? 1 << BITS : 0, used ? ALL : 0, 0, new long[1]);
    }

    private Leaf(long first, int count, long fullWords, long keptWords, long[] words) {
        this.first = first;
        this.count = count;
        this.fullWords = fullWords;
        this.keptWords = keptWords;
        this.words = words;
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public int bits() {
        return BITS;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public boolean full() {
        return count == 1 << BITS;
    }

    @Override
    public boolean empty() {
        return count == 0;
    }

    boolean contains(long part) {
        return (word(slot(part)) & 1L << part) != 0;
    }

    /// Whether the leaf would be full or empty if only the part were flipped.
    boolean uniformBut(long part) {
        return contains(part) ? count == 1 : count == (1 << BITS) - 1;
    }

    void flip(long part) {
        int slot = slot(part);
        long after = word(slot) ^ 1L << part;
        count += (after & 1L << part) != 0 ? 1 : -1;
        put(slot, after);
    }

    @Override
    public long set(long from, long to, boolean used) {
        int before = count;
        for (int slot = slot(from); slot <= slot(to); slot++) {
            long mask =
                    (slot == slot(from) ? ALL << from : ALL) & (slot == slot(to) ? ALL >>> (WORD_BITS - 1 - to) : ALL);
            long word = word(slot);
            long after = used ? word | mask : word & ~mask;
            count += Long.bitCount(after) - Long.bitCount(word);
            put(slot, after);
        }
        return Math.abs(count - before);
    }

    @Override
    public boolean hasFreeFrom(long part) {
        int slot = slot(part);
        long here = ~word(slot) & ALL << part;
        long later = ~fullWords & ALL << slot << 1;
        return (here | later) != 0;
    }

    /// Looks at the part's word and at a later one at once, for the reason given in [PartIndex].
    @Override
    public long firstFreeFrom(long part) {
        int slot = slot(part);
        long elsewhere = Words.onesIfZero(~word(slot) & ALL << part);
        int later = Long.numberOfTrailingZeros(~fullWords & ALL << slot << 1);
        int found = slot + (later - slot & (int) elsewhere);
        long free = ~word(found) & (ALL << part | elsewhere);
        return first + (long) found * WORD_BITS + Long.numberOfTrailingZeros(free);
    }

    @Override
    public long firstFree() {
        return firstFreeFrom(first);
    }

    @Override
    public Leaf copy() {
        return new Leaf(first, count, fullWords, keptWords, words.clone());
    }

    private static int slot(long part) {
        return (int) (part >>> WORD_SHIFT) & (WORD_BITS - 1);
    }

    private long word(int slot) {
        if (keptWords == ALL) {
            return words[slot];
        }
        if ((keptWords & 1L << slot) != 0) {
            return words[rank(slot)];
        }
        return (fullWords & 1L << slot) != 0 ? ALL : 0;
    }

    private void put(int slot, long word) {
        if (keptWords == ALL) {
            words[slot] = word;
        } else if ((keptWords & 1L << slot) != 0) {
            words[rank(slot)] = word;
        } else if (word != ALL && word != 0) {
            keep(slot, word);
        }
        fullWords = (fullWords & ~(1L << slot)) | (Words.onesIfZero(~word) & 1L << slot);
    }

    private void keep(int slot, long word) {
        int kept = Long.bitCount(keptWords);
        if (kept == KEPT_MAX) {
            keepAll();
            words[slot] = word;
            return;
        }
        if (kept == words.length) {
            words = Arrays.copyOf(words, Math.min(2 * kept, WORD_BITS));
        }
        int rank = rank(slot);
        System.arraycopy(words, rank, words, rank + 1, kept - rank);
        words[rank] = word;
        keptWords |= 1L << slot;
    }

    private void keepAll() {
        var all = new long[WORD_BITS];
        for (int slot = 0; slot < WORD_BITS; slot++) {
            all[slot] = word(slot);
        }
        words = all;
        keptWords = ALL;
    }

    /// The place of a slot's word among those kept.
    private int rank(int slot) {
        return Long.bitCount(keptWords & (1L << slot) - 1);
    }
}
