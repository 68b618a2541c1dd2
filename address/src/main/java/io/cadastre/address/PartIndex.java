package io.cadastre.address;

import java.util.Arrays;
import java.util.Objects;

/// Which of the parts `0 … size-1` are used, with a fast answer to "which is the next free one?".
///
/// Bits are kept in words of 64, a set bit being a used part. Above them lie summary levels: bit `i`
/// of a level says that word `i` of the level below is all ones. To find a free part the search looks
/// into the word of the starting point, climbs only while everything to the right is used, and comes
/// down again along the first zero. That touches at most seven words for 2^24 parts, however full
/// they are. Bits beyond `size` are set once and for all and never counted, so that no search finds
/// them.
///
/// Mutable, and for one thread.
public final class PartIndex {

    /// The most parts that one index holds.
    public static final int SIZE_MAX = 1 << 24;

    private static final int WORD_SHIFT = 6;
    private static final int WORD_BITS = 1 << WORD_SHIFT;
    private static final long ALL = -1L;

    private final int size;

    /// Where each level starts in [#words]; level 0 is the parts. The last entry is where the words end.
    private final int[] starts;

    private final long[] words;
    private int count;

    /// An index in which every part is free.
    public PartIndex(int size) {
        if (size < 1 || size > SIZE_MAX) {
            throw new IllegalArgumentException(
                    "an index has from 1 to %d parts, not %d".formatted(SIZE_MAX, size));
        }
        this.size = size;
        this.starts = starts(size);
        this.words = new long[starts[starts.length - 1]];
        setBitsBeyondEnd();
    }

    private PartIndex(PartIndex original) {
        this.size = original.size;
        this.starts = original.starts;
        this.words = original.words.clone();
        this.count = original.count;
    }

    /// How many parts there are.
    public int size() {
        return size;
    }

    /// How many of them are used.
    public int count() {
        return count;
    }

    public boolean full() {
        return count == size;
    }

    /// Whether the part is used.
    public boolean contains(int part) {
        Objects.checkIndex(part, size);
        return (words[part >>> WORD_SHIFT] & bit(part)) != 0;
    }

    /// Marks the part as used and tells whether it was free.
    public boolean add(int part) {
        Objects.checkIndex(part, size);
        int word = part >>> WORD_SHIFT;
        long before = words[word];
        long after = before | bit(part);
        if (after == before) {
            return false;
        }
        words[word] = after;
        count++;
        if (after == ALL) {
            recordFull(word);
        }
        return true;
    }

    /// Marks the part as free and tells whether it was used.
    public boolean remove(int part) {
        Objects.checkIndex(part, size);
        int word = part >>> WORD_SHIFT;
        long before = words[word];
        long after = before & ~bit(part);
        if (after == before) {
            return false;
        }
        words[word] = after;
        count--;
        if (before == ALL) {
            recordNotFull(word);
        }
        return true;
    }

    /// Marks the parts from `first` to `last`, both included, as used, and tells how many were free.
    public int addRange(int first, int last) {
        checkRange(first, last);
        int changed = 0;
        for (int word = first >>> WORD_SHIFT; word <= last >>> WORD_SHIFT; word++) {
            long mask = mask(word, first, last);
            changed += Long.bitCount(mask & ~words[word]);
            words[word] |= mask;
        }
        count += changed;
        summarize(first, last);
        return changed;
    }

    /// Marks the parts from `first` to `last`, both included, as free, and tells how many were used.
    public int removeRange(int first, int last) {
        checkRange(first, last);
        int changed = 0;
        for (int word = first >>> WORD_SHIFT; word <= last >>> WORD_SHIFT; word++) {
            long mask = mask(word, first, last);
            changed += Long.bitCount(mask & words[word]);
            words[word] &= ~mask;
        }
        count -= changed;
        summarize(first, last);
        return changed;
    }

    /// The first free part at or after `from`; after the last part the search goes on at part 0.
    ///
    /// @throws IllegalStateException if no part is free
    public int nextFree(int from) {
        Objects.checkIndex(from, size);
        if (full()) {
            throw new IllegalStateException("all %d parts are used".formatted(size));
        }
        long here = ~words[from >>> WORD_SHIFT] & ALL << from;
        if (here != 0) {
            return (from & -WORD_BITS) + Long.numberOfTrailingZeros(here);
        }
        return nextFreeBeyondWord(from >>> WORD_SHIFT);
    }

    /// Another index with the same content, for what-if.
    public PartIndex copy() {
        return new PartIndex(this);
    }

    @Override
    public String toString() {
        return "%d of %d parts used".formatted(count, size);
    }

    /// Climbs from a word that has nothing to offer until a level shows a word further right that
    /// does. A climb that falls off the top starts again at the left: there is a free part somewhere.
    private int nextFreeBeyondWord(int word) {
        int index = word;
        for (int level = 1; level < starts.length - 1; level++) {
            int next = index + 1;
            int place = starts[level] + (next >>> WORD_SHIFT);
            long later = place < starts[level + 1] ? ~words[place] & ALL << next : 0;
            if (later != 0) {
                return descend(level, (next & -WORD_BITS) + Long.numberOfTrailingZeros(later));
            }
            index = next >>> WORD_SHIFT;
        }
        return descend(starts.length - 1, 0);
    }

    /// The first free part below word `index` of level `level - 1`, which is known to have one.
    private int descend(int level, int index) {
        int at = index;
        for (int below = level - 1; below >= 0; below--) {
            at = at * WORD_BITS + Long.numberOfTrailingZeros(~words[starts[below] + at]);
        }
        return at;
    }

    private void recordFull(int fullWord) {
        int index = fullWord;
        for (int level = 1; level < starts.length - 1; level++) {
            int place = starts[level] + (index >>> WORD_SHIFT);
            words[place] |= bit(index);
            if (words[place] != ALL) {
                return;
            }
            index >>>= WORD_SHIFT;
        }
    }

    private void recordNotFull(int openedWord) {
        int index = openedWord;
        for (int level = 1; level < starts.length - 1; level++) {
            int place = starts[level] + (index >>> WORD_SHIFT);
            boolean wasFull = words[place] == ALL;
            words[place] &= ~bit(index);
            if (!wasFull) {
                return;
            }
            index >>>= WORD_SHIFT;
        }
    }

    /// Derives the summaries over the parts from `first` to `last` afresh.
    private void summarize(int first, int last) {
        int from = first >>> WORD_SHIFT;
        int to = last >>> WORD_SHIFT;
        for (int level = 1; level < starts.length - 1; level++) {
            for (int index = from; index <= to; index++) {
                int place = starts[level] + (index >>> WORD_SHIFT);
                if (words[starts[level - 1] + index] == ALL) {
                    words[place] |= bit(index);
                } else {
                    words[place] &= ~bit(index);
                }
            }
            from >>>= WORD_SHIFT;
            to >>>= WORD_SHIFT;
        }
    }

    private void setBitsBeyondEnd() {
        int bits = size;
        for (int level = 0; level < starts.length - 1; level++) {
            if (bits % WORD_BITS != 0) {
                words[starts[level + 1] - 1] = ALL << bits;
            }
            bits = wordsFor(bits);
        }
    }

    private void checkRange(int first, int last) {
        Objects.checkIndex(first, size);
        Objects.checkIndex(last, size);
        if (first > last) {
            throw new IllegalArgumentException(
                    "parts %d to %d are not in order".formatted(first, last));
        }
    }

    private static int[] starts(int size) {
        var starts = new int[] {0, wordsFor(size)};
        for (int width = wordsFor(size); width > 1; width = wordsFor(width)) {
            starts = Arrays.copyOf(starts, starts.length + 1);
            starts[starts.length - 1] = starts[starts.length - 2] + wordsFor(width);
        }
        return starts;
    }

    private static int wordsFor(int bits) {
        return (bits + WORD_BITS - 1) >>> WORD_SHIFT;
    }

    private static long bit(int index) {
        return 1L << index;
    }

    /// The bits of a word that lie between two parts.
    private static long mask(int word, int first, int last) {
        long mask = ALL;
        if (word == first >>> WORD_SHIFT) {
            mask &= ALL << first;
        }
        if (word == last >>> WORD_SHIFT) {
            mask &= ALL >>> (WORD_BITS - 1 - (last & (WORD_BITS - 1)));
        }
        return mask;
    }
}
