package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A set of addresses of one family, and which pod has which of them.
///
/// @param terminating whether its deletion has begun; it gives nothing new and goes with its last record
/// @param damage why nothing can be given or taken back, as upstream would say it; empty if it can
public record AddressPool(
        String name,
        PoolSpec spec,
        Origin origin,
        boolean terminating,
        SortedMap<Address, PoolRecord> records,
        String damage) {

    public AddressPool {
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    }

    /// A pool that was made by hand, and in which nothing is assigned.
    public AddressPool(String name, PoolSpec spec) {
        this(name, spec, Origin.MADE_BY_HAND, false, Collections.emptySortedMap(), "");
    }

    /// Where it comes from.
    public enum Origin {
        MADE_BY_HAND,

        /// Made for one application. Labels that no pod has bind it to the application's pods.
        MADE_FOR_APPLICATION
    }

    public Family family() {
        return spec.family();
    }

    public boolean isDefault() {
        return spec.preference() == Preference.DEFAULT;
    }

    public boolean disabled() {
        return spec.giving() == Giving.DISABLED;
    }

    public boolean damaged() {
        return !damage.isEmpty();
    }

    /// The address that has this record here.
    Optional<Address> find(PoolRecord record) {
        return records.entrySet().stream()
                .filter(held -> held.getValue().equals(record))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// The first address, in the order of the ranges, that is not assigned and is neither excluded nor
    /// reserved. Goes once over the records, and never over the addresses of a range.
    Optional<Address> firstFree(RangeSet reserved) {
        var barred = spec.excluded().union(reserved);
        for (var range : spec.ips()) {
            var next = Optional.of(range.first());
            // Ends: each step goes on in the range, beyond a barred range or a record.
            while (next.isPresent()) {
                var address = next.get();
                var obstacle = barred.findRange(address);
                if (obstacle.isEmpty() && !records.containsKey(address)) {
                    return next;
                }
                var last = obstacle.isPresent() ? obstacle.get().last() : address;
                next = last.compareTo(range.last()) < 0 ? Optional.of(last.next()) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    AddressPool withRecord(Address address, PoolRecord record) {
        var more = new TreeMap<>(records);
        more.put(address, record);
        return new AddressPool(name, spec, origin, terminating, more, damage);
    }

    AddressPool withoutRecord(Address address) {
        var fewer = new TreeMap<>(records);
        fewer.remove(address);
        return new AddressPool(name, spec, origin, terminating, fewer, damage);
    }
}
