package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import java.util.Optional;
import java.util.SortedMap;

/// A set of addresses of one family, and which pod has which of them.
///
/// @param terminating whether its deletion has begun; it gives nothing new and goes with its last record
/// @param held which pod has which of its addresses
/// @param damage why nothing can be given or taken back, as upstream would say it; empty if it can
public record AddressPool(
        String name, PoolSpec spec, Origin origin, boolean terminating, PoolRecords held, String damage) {

    public AddressPool(
            String name,
            PoolSpec spec,
            Origin origin,
            boolean terminating,
            SortedMap<Address, PoolRecord> records,
            String damage) {
        this(name, spec, origin, terminating, PoolRecords.of(records), damage);
    }

    /// A pool that was made by hand, and in which nothing is assigned.
    public AddressPool(String name, PoolSpec spec) {
        this(name, spec, Origin.MADE_BY_HAND, false, PoolRecords.NONE, "");
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

    /// Which pod has which address.
    public SortedMap<Address, PoolRecord> records() {
        return held.map();
    }

    /// The address that has this record here.
    Optional<Address> find(PoolRecord record) {
        return held.findAddress(record);
    }

    /// The first address, in the order of the ranges, that is not assigned and is neither excluded nor
    /// reserved. Goes over the runs of such addresses, and never over the addresses of a range.
    Optional<Address> firstFree(RangeSet reserved) {
        var barred = spec.excluded().union(reserved);
        for (var range : spec.ips()) {
            var next = Optional.of(range.first());
            // Ends: each step goes on in the range, beyond a barred range or a run of records.
            while (next.isPresent()) {
                var address = next.get();
                var obstacle = barred.findRange(address).or(() -> held.findRun(address));
                if (obstacle.isEmpty()) {
                    return next;
                }
                var last = obstacle.get().last();
                next = last.compareTo(range.last()) < 0 ? Optional.of(last.next()) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    AddressPool withRecord(Address address, PoolRecord record) {
        return new AddressPool(name, spec, origin, terminating, held.with(address, record), damage);
    }

    AddressPool withoutRecord(Address address) {
        return new AddressPool(name, spec, origin, terminating, held.without(address), damage);
    }
}
