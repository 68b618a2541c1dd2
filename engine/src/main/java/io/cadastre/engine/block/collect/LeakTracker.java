package io.cadastre.engine.block.collect;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a collector keeps from one sweep to the next: since when something seems to be leaked, and
/// since when a block is empty. A collector that loses it only waits a little longer.
public record LeakTracker(SortedMap<Allocation, Suspicion> suspicions, SortedMap<Prefix, Instant> emptySince) {

    public static final LeakTracker NOTHING_SEEN =
            new LeakTracker(Collections.emptySortedMap(), Collections.emptySortedMap());

    public LeakTracker {
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

    /// The address seems unused.
    ///
    /// @param sequence the number at which it was given; another number is another assignment
    public record Suspicion(long sequence, Instant since) {}
}
