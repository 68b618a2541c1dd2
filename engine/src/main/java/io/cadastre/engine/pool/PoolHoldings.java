package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import io.cadastre.engine.Holding.Level;
import io.cadastre.engine.Holding.State;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: pools, the addresses in them that pods have, and those that are reserved. An address
/// that a pod had before it was reserved is the pod's until it gives it back.
public final class PoolHoldings {

    private PoolHoldings() {}

    /// What a view shows of which everything was read.
    public static List<Holding> of(PoolView view) {
        var holdings = new ArrayList<Holding>();
        for (var pool : view.allPools()) {
            var effective = pool.spec().effective();
            for (var range : effective.ranges()) {
                holdings.add(new Holding(range, Level.POOL, "pool/" + pool.name(), State.HELD));
            }
            var held =
                    new RangeSet(pool.records().keySet().stream().map(Range::of).toList());
            var reserved = effective.intersect(view.reservedAddresses()).minus(held);
            for (var range : reserved.ranges()) {
                holdings.add(new Holding(range, Level.ENDPOINT, "reservation", State.RESERVED));
            }
            pool.records().forEach((address, record) -> holdings.add(of(address, record)));
        }
        return List.copyOf(holdings);
    }

    /// What a pod has by a record. Two pods that have the same name one after the other are two holders.
    public static Holding of(Address address, PoolRecord record) {
        return of(address, record, NicPlace.UNKNOWN);
    }

    /// What a pod has by a record, on an interface that is known from elsewhere.
    static Holding of(Address address, PoolRecord record, NicPlace place) {
        return new Holding(
                Range.of(address),
                Level.ENDPOINT,
                "pod/%s/%s".formatted(record.pod(), record.podUid()),
                State.HELD,
                facts(record).withNode(place.node()).withNetworkInterface(place.nic()));
    }

    private static HolderFacts facts(PoolRecord record) {
        int slash = record.pod().indexOf('/');
        return HolderFacts.ofPod(
                        record.pod().substring(0, Math.max(0, slash)),
                        record.pod().substring(slash + 1))
                .withUid(record.podUid());
    }
}
