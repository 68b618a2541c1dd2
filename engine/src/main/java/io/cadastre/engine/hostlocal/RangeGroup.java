package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A range set: ranges of one family, of which an attachment gets one address. Their order is the order
/// of the search.
public record RangeGroup(List<SubnetRange> ranges) {

    public RangeGroup {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()) {
            throw new IllegalArgumentException("a range set has at least one range");
        }
    }

    public Family family() {
        return ranges.getFirst().subnet().family();
    }

    public Optional<SubnetRange> find(Address address) {
        return ranges.stream().filter(range -> range.contains(address)).findFirst();
    }

    public boolean contains(Address address) {
        return find(address).isPresent();
    }

    boolean overlaps(RangeGroup other) {
        return ranges.stream()
                .anyMatch(mine ->
                        other.ranges.stream().anyMatch(theirs -> mine.range().overlaps(theirs.range())));
    }

    /// All of it, in the order of a search from the start.
    List<Stretch> fromTheStart() {
        return ranges.stream().map(range -> new Stretch(range, range.range())).toList();
    }

    /// All of it, in the order of a search that begins after this address, which comes last.
    List<Stretch> after(Address last) {
        int at = ranges.indexOf(find(last).orElseThrow());
        var home = ranges.get(at);
        var stretches = new ArrayList<Stretch>(ranges.size() + 1);
        if (!home.range().last().equals(last)) {
            stretches.add(new Stretch(home, new Range(last.next(), home.range().last())));
        }
        for (int step = 1; step < ranges.size(); step++) {
            var other = ranges.get((at + step) % ranges.size());
            stretches.add(new Stretch(other, other.range()));
        }
        stretches.add(new Stretch(home, new Range(home.range().first(), last)));
        return stretches;
    }

    public String words() {
        return ranges.stream().map(SubnetRange::words).collect(Collectors.joining(","));
    }

    /// A part of a range that is searched in one go.
    record Stretch(SubnetRange of, Range part) {}
}
