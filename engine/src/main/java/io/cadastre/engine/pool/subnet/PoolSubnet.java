package io.cadastre.engine.pool.subnet;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.PodRoute;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A set of addresses that pools are made of, and which pool has which of them.
///
/// @param addresses those that pools may have
/// @param preAllocations by the names of the pools
/// @param damage why nothing can be taken of it or given back; empty if it can
public record PoolSubnet(
        String name,
        Prefix subnet,
        RangeSet addresses,
        Optional<Address> gateway,
        List<PodRoute> routes,
        Life life,
        Labelling labelling,
        Counts counts,
        SortedMap<String, PreAllocation> preAllocations,
        String damage) {

    public PoolSubnet {
        routes = List.copyOf(routes);
        preAllocations = Collections.unmodifiableSortedMap(new TreeMap<>(preAllocations));
    }

    /// One of which no pool has anything.
    public PoolSubnet(String name, Prefix subnet, RangeSet addresses) {
        this(
                name,
                subnet,
                addresses,
                Optional.empty(),
                List.of(),
                Life.LIVE,
                Labelling.LABELLED,
                Counts.RIGHT,
                Collections.emptySortedMap(),
                "");
    }

    /// Whether its deletion has begun.
    public enum Life {
        LIVE,
        TERMINATING
    }

    /// Whether it has the label by which pools find it.
    public enum Labelling {
        LABELLED,
        UNLABELLED
    }

    /// Whether the numbers in its status are those of its addresses and pre-allocations.
    public enum Counts {
        RIGHT,
        WRONG
    }

    public Family family() {
        return subnet.family();
    }

    public boolean terminating() {
        return life == Life.TERMINATING;
    }

    public boolean damaged() {
        return !damage.isEmpty();
    }

    /// All that pools other than this one have of it.
    RangeSet preAllocatedBeside(String pool) {
        return new RangeSet(preAllocations.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(pool))
                .flatMap(entry -> entry.getValue().addresses().ranges().stream())
                .toList());
    }

    PoolSubnet withPreAllocations(SortedMap<String, PreAllocation> others) {
        return new PoolSubnet(name, subnet, addresses, gateway, routes, life, labelling, Counts.RIGHT, others, damage);
    }

    PoolSubnet withPreAllocation(String pool, PreAllocation allocation) {
        var more = new TreeMap<>(preAllocations);
        more.put(pool, allocation);
        return withPreAllocations(more);
    }

    PoolSubnet labelled() {
        return new PoolSubnet(
                name, subnet, addresses, gateway, routes, life, Labelling.LABELLED, counts, preAllocations, damage);
    }

    public PoolSubnet terminated() {
        return new PoolSubnet(
                name, subnet, addresses, gateway, routes, Life.TERMINATING, labelling, counts, preAllocations, damage);
    }
}
