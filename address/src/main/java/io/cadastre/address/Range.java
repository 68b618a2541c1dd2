package io.cadastre.address;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The addresses from `first` to `last`, both included, of one family.
public record Range(Address first, Address last) implements Comparable<Range> {

    private static final Comparator<Range> ORDER =
            Comparator.comparing(Range::first).thenComparing(Range::last);

    public Range {
        if (first.family() != last.family()) {
            throw new IllegalArgumentException("a range is of one family, not %s-%s".formatted(first, last));
        }
        if (first.compareTo(last) > 0) {
            throw new IllegalArgumentException("a range ends at or after its start, not %s-%s".formatted(first, last));
        }
    }

    public static Range of(Address single) {
        return new Range(single, single);
    }

    /// Reads `first-last`, `address/length` or a single address, each by the strict rules.
    ///
    /// @throws IllegalArgumentException naming the text and the rule it breaks
    public static Range parse(String text) {
        return RangeText.parse(text);
    }

    public Family family() {
        return first.family();
    }

    /// How many addresses there are: at most 2^128, which no `long` holds.
    public BigInteger size() {
        return first.distanceTo(last).add(BigInteger.ONE);
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

    /// The fewest prefixes that together are this range, in order.
    ///
    /// There are at most twice as many as an address has bits: the lengths fall once and rise once.
    public List<Prefix> prefixes() {
        var prefixes = new ArrayList<Prefix>();
        var prefix = largestPrefixFrom(first);
        prefixes.add(prefix);
        while (!prefix.last().equals(last)) {
            prefix = largestPrefixFrom(prefix.last().next());
            prefixes.add(prefix);
        }
        return List.copyOf(prefixes);
    }

    /// The addresses in order, made one at a time as they are asked for.
    public Stream<Address> addresses() {
        return Stream.concat(
                Stream.of(first),
                Stream.iterate(first, address -> !address.equals(last), Address::next)
                        .map(Address::next));
    }

    @Override
    public int compareTo(Range other) {
        return ORDER.compare(this, other);
    }

    /// The canonical text, for example `10.0.0.1-10.0.0.9`.
    @Override
    public String toString() {
        return first + "-" + last;
    }

    /// The largest prefix that starts at the address and does not reach beyond this range.
    private Prefix largestPrefixFrom(Address start) {
        int zeros = start.low() != 0
                ? Long.numberOfTrailingZeros(start.low())
                : 64 + Long.numberOfTrailingZeros(start.high());
        int bits = family().bits();
        int length = bits - Math.min(zeros, bits);
        var prefix = new Prefix(start, length);
        while (prefix.last().compareTo(last) > 0) {
            prefix = new Prefix(start, prefix.length() + 1);
        }
        return prefix;
    }
}
