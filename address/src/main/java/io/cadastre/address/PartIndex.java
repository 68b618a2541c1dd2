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
/// In a nearly full index it is chance whether a word has a free part left, and a processor that
/// guesses wrong loses more time than the whole operation takes. So the words and their summary are
/// always read and written together, without asking; only the levels above are reached by a branch,
/// which is rarely taken.
///
/// Mutable, and for one thread.
public final class PartIndex {

    /// The most parts that one index holds.
    public static final int SIZE_MAX = 1 << 24;

    private static final int WORD_SHIFT = 6;
    private static final int WORD_BITS = 1 << WORD_SHIFT;
    private static final long ALL = -1L;

    private final int size;

    /// Where each level starts in [#words]; level 0 is the parts. The last entry is where they all end.
    private final int[] starts;

    private final long[] words;
    private int count;

    /// An index in which every part is free.
    public PartIndex(int size) {
        if (size < 1 || size > SIZE_MAX) {
            throw new IllegalArgumentException("an index has from 1 to %d parts, not %d".formatted(SIZE_MAX, size));
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

    /// Marks the part as used and returns whether it was free.
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
        summarizeAdded(word);
        return true;
    }

    /// Marks the part as free and returns whether it was used.
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
        summarizeRemoved(word);
        return true;
    }

    /// Marks the parts from `first` to `last`, both included, as used, and returns how many were free.
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

    /// Marks the parts from `first` to `last`, both included, as free, and returns how many were used.
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
        int word = from >>> WORD_SHIFT;
        long here = ~words[word] & ALL << from;
        long later = ~words[summary(word)] & ALL << word << 1;
        if ((here | later) == 0) {
            return nextFreeBeyondSummary(word >>> WORD_SHIFT);
        }
        long elsewhere = Words.onesIfZero(here);
        int laterWord = (word & -WORD_BITS) + Long.numberOfTrailingZeros(later);
        int found = word + (laterWord - word & (int) elsewhere);
        return found * WORD_BITS + Long.numberOfTrailingZeros(~words[found] & (ALL << from | elsewhere));
    }

    /// Another index with the same content, for what-if.
    public PartIndex copy() {
        return new PartIndex(this);
    }

    @Override
    public String toString() {
        return "%d of %d parts used".formatted(count, size);
    }

    /// Climbs from a word of level 1 that has nothing to offer until a level shows something further
    /// right. A climb that falls off the top starts again at the left: there is a free part somewhere.
    private int nextFreeBeyondSummary(int word) {
        int index = word;
        for (int level = 2; level < levels(); level++) {
            int next = index + 1;
            int place = starts[level] + (next >>> WORD_SHIFT);
            long later = place < starts[level + 1] ? ~words[place] & ALL << next : 0;
            if (later != 0) {
                return descend(level - 1, (next & -WORD_BITS) + Long.numberOfTrailingZeros(later));
            }
            index = next >>> WORD_SHIFT;
        }
        return descend(levels() - 1, 0);
    }

    /// The first free part below a word of a level, which is known to have one.
    private int descend(int level, int word) {
        int at = word;
        for (int below = level; below >= 0; below--) {
            at = at * WORD_BITS + Long.numberOfTrailingZeros(~words[starts[below] + at]);
        }
        return at;
    }

    /// Keeps the summaries of a word to which a part was added.
    private void summarizeAdded(int word) {
        int place = summary(word);
        words[place] |= Words.onesIfZero(~words[word]) & bit(word);
        int index = word;
        for (int level = 2; words[place] == ALL && level < levels(); level++) {
            index >>>= WORD_SHIFT;
            place = starts[level] + (index >>> WORD_SHIFT);
            words[place] |= bit(index);
        }
    }

    /// Keeps the summaries of a word from which a part was removed.
    private void summarizeRemoved(int word) {
        int place = summary(word);
        boolean wasFull = words[place] == ALL;
        words[place] &= ~bit(word);
        int index = word;
        for (int level = 2; wasFull && level < levels(); level++) {
            index >>>= WORD_SHIFT;
            place = starts[level] + (index >>> WORD_SHIFT);
            wasFull = words[place] == ALL;
            words[place] &= ~bit(index);
        }
    }

    /// Derives the summaries over the parts from `first` to `last` afresh.
    private void summarize(int first, int last) {
        int from = first >>> WORD_SHIFT;
        int to = last >>> WORD_SHIFT;
        for (int level = 1; level < levels(); level++) {
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

    /// How many levels there are, of which at least one above the parts.
    private int levels() {
        return starts.length - 1;
    }

    /// Where the word's bit of level 1 is.
    private int summary(int word) {
        return starts[1] + (word >>> WORD_SHIFT);
    }

    private void setBitsBeyondEnd() {
        int bits = size;
        for (int level = 0; level < levels(); level++) {
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
            throw new IllegalArgumentException("parts %d to %d are not in order".formatted(first, last));
        }
    }

    private static int[] starts(int size) {
        var starts = new int[] {0, wordsFor(size)};
        int width = wordsFor(size);
        do {
            width = wordsFor(width);
            starts = Arrays.copyOf(starts, starts.length + 1);
            starts[starts.length - 1] = starts[starts.length - 2] + width;
        } while (width > 1);
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
