package io.cadastre.address;

import java.util.Comparator;

/// The addresses from `first` to `last`, both included, of one family.
public record Range(Address first, Address last) implements Comparable<Range> {

    private static final Comparator<Range> ORDER =
            Comparator.comparing(Range::first).thenComparing(Range::last);

    public Range {
        if (first.family() != last.family()) {
            throw new IllegalArgumentException(
                    "a range is of one family, not %s-%s".formatted(first, last));
        }
        if (first.compareTo(last) > 0) {
            throw new IllegalArgumentException(
                    "a range ends at or after its start, not %s-%s".formatted(first, last));
        }
    }

    public static Range of(Address single) {
        return new Range(single, single);
    }

    public Family family() {
        return first.family();
    }

    public boolean contains(Address address) {
        return first.compareTo(address) <= 0 && address.compareTo(last) <= 0;
    }

    public boolean contains(Range other) {
        return first.compareTo(other.first) <= 0 && other.last.compareTo(last) <= 0;
    }

    public boolean overlaps(Range other) {
        return first.compareTo(other.last) <= 0 && other.first.compareTo(last) <= 0;
    }

    @Override
    public int compareTo(Range other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return first + "-" + last;
    }
}
