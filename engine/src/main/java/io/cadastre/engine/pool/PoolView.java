package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.NotReadException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// All that this law may look at, as far as it was read. What was not is [NotReadException].
///
/// @param pools what was found under names
/// @param listed whether all pools are among them
/// @param reserved the reserved addresses of both families; empty if they were not read
/// @param endpoints what was found of pods
/// @param whole whether a pod that is not among them has no endpoint
/// @param rivals the pools that overlap a pool, by the name of that
public record PoolView(
        SortedMap<String, Optional<AddressPool>> pools,
        boolean listed,
        Optional<RangeSet> reserved,
        SortedMap<PodKey, Optional<PodEndpoint>> endpoints,
        boolean whole,
        SortedMap<String, List<PoolRival>> rivals) {

    /// Nothing was read yet.
    public static final PoolView UNREAD = new PoolView(
            Collections.emptySortedMap(),
            false,
            Optional.empty(),
            Collections.emptySortedMap(),
            false,
            Collections.emptySortedMap());

    public PoolView {
        pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
        endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
        rivals = Collections.unmodifiableSortedMap(new TreeMap<>(rivals));
    }

    /// A view of everything there is, in which no pool overlaps another.
    public static PoolView whole(Collection<AddressPool> pools, RangeSet reserved, Collection<PodEndpoint> endpoints) {
        var known = new TreeMap<PodKey, Optional<PodEndpoint>>();
        endpoints.forEach(endpoint -> known.put(endpoint.key(), Optional.of(endpoint)));
        return UNREAD.withAllPools(pools).withReserved(reserved).withAllEndpoints(known);
    }

    /// All pools by their names.
    public List<AddressPool> allPools() {
        if (!listed) {
            throw new NotReadException(new MissingPoolItem.OfAllPools());
        }
        return pools.values().stream().flatMap(Optional::stream).toList();
    }

    public Optional<AddressPool> findPool(String name) {
        if (!listed && !pools.containsKey(name)) {
            throw new NotReadException(new MissingPoolItem.OfPool(name));
        }
        return pools.getOrDefault(name, Optional.empty());
    }

    public RangeSet reservedAddresses() {
        return reserved.orElseThrow(() -> new NotReadException(new MissingPoolItem.OfReservations()));
    }

    public Optional<PodEndpoint> findEndpoint(PodKey key) {
        if (!whole && !endpoints.containsKey(key)) {
            throw new NotReadException(new MissingPoolItem.OfEndpoint(key));
        }
        return endpoints.getOrDefault(key, Optional.empty());
    }

    /// The pools that overlap one, as far as they were looked for.
    public List<PoolRival> findRivals(String pool) {
        if (!whole && !rivals.containsKey(pool)) {
            throw new NotReadException(new MissingPoolItem.OfRivals(pool));
        }
        return rivals.getOrDefault(pool, List.of());
    }

    /// This, after pools were looked for that overlap one.
    public PoolView withRivals(String pool, List<PoolRival> found) {
        var known = new TreeMap<>(rivals);
        known.put(pool, List.copyOf(found));
        return new PoolView(pools, listed, reserved, endpoints, whole, known);
    }

    /// This, after all pools were listed.
    public PoolView withAllPools(Collection<AddressPool> all) {
        var known = new TreeMap<String, Optional<AddressPool>>();
        all.forEach(pool -> known.put(pool.name(), Optional.of(pool)));
        return new PoolView(known, true, reserved, endpoints, whole, rivals);
    }

    /// This, after a pool was looked for.
    public PoolView withPool(String name, Optional<AddressPool> pool) {
        var known = new TreeMap<>(pools);
        known.put(name, pool);
        return new PoolView(known, listed, reserved, endpoints, whole, rivals);
    }

    /// This, after the reserved addresses were read.
    public PoolView withReserved(RangeSet addresses) {
        return new PoolView(pools, listed, Optional.of(addresses), endpoints, whole, rivals);
    }

    /// This, after an endpoint was looked for.
    public PoolView withEndpoint(PodKey key, Optional<PodEndpoint> endpoint) {
        var known = new TreeMap<>(endpoints);
        known.put(key, endpoint);
        return new PoolView(pools, listed, reserved, known, whole, rivals);
    }

    private PoolView withAllEndpoints(SortedMap<PodKey, Optional<PodEndpoint>> all) {
        return new PoolView(pools, listed, reserved, all, true, rivals);
    }

    /// This view after the change was written.
    public PoolView with(PoolChange change) {
        return switch (change) {
            case PoolChange.Take(var pool, var address, var record, var _) ->
                withPool(pool, findPool(pool).map(found -> found.withRecord(address, record)));
            case PoolChange.Confirm _, PoolChange.Bar _ -> this;
            case PoolChange.Free(var pool, var address, var _, var _) ->
                withPool(pool, findPool(pool).map(found -> found.withoutRecord(address)));
            case PoolChange.DropPool(var pool) -> withPool(pool, Optional.empty());
            case PoolChange.PutEndpoint(var endpoint) -> withEndpoint(endpoint.key(), Optional.of(endpoint));
            case PoolChange.DropEndpoint(var key) -> withEndpoint(key, Optional.empty());
        };
    }
}
