package io.cadastre.address;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A set of addresses of both families, kept as the fewest ranges in order.
///
/// The ranges are disjoint and do not touch, so two sets are equal exactly if they have the same
/// addresses. The constructor takes ranges in any order and with any overlap. Nothing changes a set;
/// the operations return another one.
public record RangeSet(List<Range> ranges) {

    /// The set without addresses.
    public static final RangeSet EMPTY = new RangeSet(List.of());

    public RangeSet {
        ranges = joined(ranges);
    }

    public static RangeSet of(Range... ranges) {
        return new RangeSet(Arrays.asList(ranges));
    }

    public static RangeSet of(Prefix... prefixes) {
        return ofPrefixes(Arrays.asList(prefixes));
    }

    public static RangeSet ofPrefixes(Collection<Prefix> prefixes) {
        return new RangeSet(prefixes.stream().map(Prefix::range).toList());
    }

    public boolean empty() {
        return ranges.isEmpty();
    }

    /// How many addresses there are.
    public BigInteger size() {
        return ranges.stream().map(Range::size).reduce(BigInteger.ZERO, BigInteger::add);
    }

    public boolean contains(Address address) {
        return contains(Range.of(address));
    }

    /// Whether all addresses of the range are in this set.
    public boolean contains(Range range) {
        int index = firstEndingFrom(range.first());
        return index < ranges.size() && ranges.get(index).contains(range);
    }

    /// Whether any address of the range is in this set.
    public boolean overlaps(Range range) {
        int index = firstEndingFrom(range.first());
        return index < ranges.size() && ranges.get(index).overlaps(range);
    }

    /// The range of this set that has the address; empty if the address is not in it.
    public Optional<Range> findRange(Address address) {
        int index = firstEndingFrom(address);
        return index < ranges.size() && ranges.get(index).contains(address)
                ? Optional.of(ranges.get(index))
                : Optional.empty();
    }

    public RangeSet union(RangeSet other) {
        var both = new ArrayList<>(ranges);
        both.addAll(other.ranges);
        return new RangeSet(both);
    }

    public RangeSet intersect(RangeSet other) {
        var common = new ArrayList<Range>();
        int mine = 0;
        int theirs = 0;
        while (mine < ranges.size() && theirs < other.ranges.size()) {
            var left = ranges.get(mine);
            var right = other.ranges.get(theirs);
            if (left.overlaps(right)) {
                common.add(new Range(later(left.first(), right.first()), earlier(left.last(), right.last())));
            }
            if (left.last().compareTo(right.last()) <= 0) {
                mine++;
            } else {
                theirs++;
            }
        }
        return new RangeSet(common);
    }

    /// The addresses of this set that are not in the other.
    public RangeSet minus(RangeSet other) {
        var rest = new ArrayList<Range>();
        for (var range : ranges) {
            other.appendGaps(range, rest);
        }
        return new RangeSet(rest);
    }

    /// The addresses of `whole` that are not in this set.
    public RangeSet complementWithin(Range whole) {
        return of(whole).minus(this);
    }

    /// The lowest prefix of this length that lies in this set.
    ///
    /// Ask the set of what is free, and carve: `free.minus(RangeSet.of(prefix))` is what remains.
    public Optional<Prefix> firstPrefix(Family family, int length) {
        if (length < 0 || length > family.bits()) {
            throw new IllegalArgumentException(
                    "an %s prefix length is from 0 to %d, not %d".formatted(family, family.bits(), length));
        }
        return ranges.stream()
                .filter(range -> range.family() == family)
                .flatMap(range -> firstPrefix(range, length).stream())
                .findFirst();
    }

    /// The fewest prefixes that together are this set, in order.
    public List<Prefix> prefixes() {
        return ranges.stream().flatMap(range -> range.prefixes().stream()).toList();
    }

    /// The addresses in order, made one at a time as they are asked for.
    public Stream<Address> addresses() {
        return ranges.stream().flatMap(Range::addresses);
    }

    /// The ranges in order, divided by commas.
    @Override
    public String toString() {
        return String.join(",", ranges.stream().map(Range::toString).toList());
    }

    private static Optional<Prefix> firstPrefix(Range range, int length) {
        var prefix = Prefix.containing(range.first(), length);
        if (!prefix.first().equals(range.first())) {
            if (prefix.last().compareTo(range.last()) >= 0) {
                return Optional.empty();
            }
            prefix = new Prefix(prefix.last().next(), length);
        }
        return Optional.of(prefix).filter(found -> found.last().compareTo(range.last()) <= 0);
    }

    /// Appends what this set leaves free of the range.
    private void appendGaps(Range range, List<Range> gaps) {
        var start = range.first();
        for (int index = firstEndingFrom(start); index < ranges.size(); index++) {
            var taken = ranges.get(index);
            if (taken.first().compareTo(range.last()) > 0) {
                break;
            }
            if (start.compareTo(taken.first()) < 0) {
                gaps.add(new Range(start, taken.first().previous()));
            }
            if (taken.last().compareTo(range.last()) >= 0) {
                return;
            }
            start = taken.last().next();
        }
        gaps.add(new Range(start, range.last()));
    }

    /// The index of the first range that ends at or after the address; the number of ranges if none.
    private int firstEndingFrom(Address address) {
        int from = 0;
        int to = ranges.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (ranges.get(middle).last().compareTo(address) < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private static List<Range> joined(List<Range> ranges) {
        var joined = new ArrayList<Range>(ranges.size());
        for (var range : ranges.stream().sorted().toList()) {
            if (!joined.isEmpty() && touches(joined.getLast(), range)) {
                var last = joined.removeLast();
                joined.add(new Range(last.first(), later(last.last(), range.last())));
            } else {
                joined.add(range);
            }
        }
        return List.copyOf(joined);
    }

    /// Whether the second range, which does not start before the first, leaves no gap after it.
    private static boolean touches(Range before, Range after) {
        if (before.family() != after.family()) {
            return false;
        }
        return after.first().compareTo(before.last()) <= 0
                || before.last().next().equals(after.first());
    }

    private static Address later(Address left, Address right) {
        return left.compareTo(right) >= 0 ? left : right;
    }

    private static Address earlier(Address left, Address right) {
        return left.compareTo(right) <= 0 ? left : right;
    }
}
