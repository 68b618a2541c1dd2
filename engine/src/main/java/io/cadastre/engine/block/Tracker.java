package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;

import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a collector remembers from one look to the next: since when something seems to be leaked, and
/// since when a block is empty. Whoever loses it waits a little longer, and nothing else.
public record Tracker(
        SortedMap<Allocation, Suspicion> suspicions, SortedMap<Prefix, Instant> emptySince) {

    public static final Tracker NOTHING_SEEN =
            new Tracker(Collections.emptySortedMap(), Collections.emptySortedMap());

    public Tracker {
        suspicions = Collections.unmodifiableSortedMap(new TreeMap<>(suspicions));
        emptySince = Collections.unmodifiableSortedMap(new TreeMap<>(emptySince));
    }

    /// An address of a handle.
    public record Allocation(String handle, Address address) implements Comparable<Allocation> {

        private static final Comparator<Allocation> ORDER =
                Comparator.comparing(Allocation::handle).thenComparing(Allocation::address);

        @Override
        public int compareTo(Allocation other) {
            return ORDER.compare(this, other);
        }
    }

    /// Nobody seems to use the address.
    ///
    /// @param sequence the number at which it was given; with another number it is another matter
    public record Suspicion(long sequence, Instant since) {}
}
