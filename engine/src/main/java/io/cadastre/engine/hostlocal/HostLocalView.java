package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// All that this law may look at: the folder of a network.
///
/// @param entries every file that could be read, in any order
/// @param barred addresses that are the name of something that is not a file, or of a file that cannot
///     be read
/// @param lastReserved by the index of the range set; what could not be read is not there
public record HostLocalView(List<FolderEntry> entries, RangeSet barred, SortedMap<Integer, Address> lastReserved) {

    public static final HostLocalView EMPTY =
            new HostLocalView(List.of(), RangeSet.EMPTY, Collections.emptySortedMap());

    public HostLocalView {
        entries = List.copyOf(entries);
        lastReserved = Collections.unmodifiableSortedMap(new TreeMap<>(lastReserved));
    }

    public Optional<Address> lastReserved(int set) {
        return Optional.ofNullable(lastReserved.get(set));
    }

    /// The addresses that cannot be given.
    public RangeSet taken() {
        return new RangeSet(Stream.concat(
                        barred.ranges().stream(),
                        entries.stream()
                                .filter(entry -> entry.path().indexOf('/') < 0)
                                .flatMap(entry -> entry.address().stream())
                                .map(Range::of))
                .toList());
    }

    /// This view after the change was written.
    public HostLocalView with(HostLocalChange change) {
        return switch (change) {
            case HostLocalChange.Reserve(var address, var attachment) -> {
                var more = new ArrayList<>(entries);
                more.add(FolderEntry.of(address, attachment));
                yield new HostLocalView(more, barred, lastReserved);
            }
            case HostLocalChange.NoteLast(int set, var address) -> {
                var moved = new TreeMap<>(lastReserved);
                moved.put(set, address);
                yield new HostLocalView(entries, barred, moved);
            }
            case HostLocalChange.Delete(var entry) ->
                new HostLocalView(
                        entries.stream()
                                .filter(other -> !other.path().equals(entry.path()))
                                .toList(),
                        barred,
                        lastReserved);
        };
    }
}
