package io.cadastre.engine.pool;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.pool.select.PoolRival;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All that this law may look at, as far as it was read. What was not is [NotReadException].
///
/// A changed view shares what did not change with the one it came from.
public final class PoolView {

    /// Nothing was read yet.
    public static final PoolView UNREAD =
            new PoolView(SortedIndex.empty(), Extent.PART, null, SortedIndex.empty(), Extent.PART, SortedIndex.empty());

    /// What was found under names.
    private final SortedIndex<String, Optional<AddressPool>> pools;

    /// Whether all pools are among them.
    private final Extent poolExtent;

    /// The reserved addresses of both families, if they were read.
    private final @Nullable RangeSet reserved;

    /// What was found of pods.
    private final SortedIndex<PodKey, Optional<PodEndpoint>> endpoints;

    /// Whether a pod that is not among them has no endpoint.
    private final Extent endpointExtent;

    /// The pools that overlap a pool, by the name of that, as far as they were looked for.
    private final SortedIndex<String, List<PoolRival>> rivals;

    /// How much of a kind was read.
    private enum Extent {
        PART,
        WHOLE
    }

    private PoolView(
            SortedIndex<String, Optional<AddressPool>> pools,
            Extent poolExtent,
            @Nullable RangeSet reserved,
            SortedIndex<PodKey, Optional<PodEndpoint>> endpoints,
            Extent endpointExtent,
            SortedIndex<String, List<PoolRival>> rivals) {
        this.pools = pools;
        this.poolExtent = poolExtent;
        this.reserved = reserved;
        this.endpoints = endpoints;
        this.endpointExtent = endpointExtent;
        this.rivals = rivals;
    }

    /// A view of everything there is, in which no pool overlaps another.
    public static PoolView whole(Collection<AddressPool> pools, RangeSet reserved, Collection<PodEndpoint> endpoints) {
        var known = new TreeMap<PodKey, Optional<PodEndpoint>>();
        endpoints.forEach(endpoint -> known.put(endpoint.key(), Optional.of(endpoint)));
        var read = UNREAD.withAllPools(pools).withReserved(reserved);
        return new PoolView(
                read.pools, read.poolExtent, reserved, SortedIndex.ofSorted(known), Extent.WHOLE, SortedIndex.empty());
    }

    // ---- looking ----

    /// All pools by their names.
    public List<AddressPool> allPools() {
        if (poolExtent == Extent.PART) {
            throw new NotReadException(new MissingPoolItem.OfAllPools());
        }
        return knownPools();
    }

    /// The pools that were found so far, by their names.
    public List<AddressPool> knownPools() {
        return pools.values().stream().flatMap(Optional::stream).toList();
    }

    /// Whether this pool was looked for by its name.
    public boolean knowsPool(String name) {
        return pools.find(name).isPresent();
    }

    public Optional<AddressPool> findPool(String name) {
        var known = pools.find(name);
        if (known.isEmpty() && poolExtent == Extent.PART) {
            throw new NotReadException(new MissingPoolItem.OfPool(name));
        }
        return known.flatMap(found -> found);
    }

    public RangeSet reservedAddresses() {
        if (reserved == null) {
            throw new NotReadException(new MissingPoolItem.OfReservations());
        }
        return reserved;
    }

    /// Whether the reserved addresses were read.
    public boolean readReserved() {
        return reserved != null;
    }

    public Optional<PodEndpoint> findEndpoint(PodKey key) {
        return endpoint(key, new MissingPoolItem.OfEndpoint(key));
    }

    /// The endpoint of a pod that is not expected to have one.
    Optional<PodEndpoint> findUnexpectedEndpoint(PodKey key) {
        return endpoint(key, new MissingPoolItem.OfUnexpectedEndpoint(key));
    }

    private Optional<PodEndpoint> endpoint(PodKey key, MissingPoolItem missing) {
        var known = endpoints.find(key);
        if (known.isEmpty() && endpointExtent == Extent.PART) {
            throw new NotReadException(missing);
        }
        return known.flatMap(found -> found);
    }

    /// The endpoints that were found so far, by their pods.
    public List<PodEndpoint> knownEndpoints() {
        return endpoints.values().stream().flatMap(Optional::stream).toList();
    }

    /// The pools that overlap one, as far as they were looked for.
    public List<PoolRival> findRivals(String pool) {
        var known = rivals.find(pool);
        if (known.isEmpty() && endpointExtent == Extent.PART) {
            throw new NotReadException(new MissingPoolItem.OfRivals(pool));
        }
        return known.orElse(List.of());
    }

    // ---- reading and writing ----

    /// This, after pools were looked for that overlap one.
    public PoolView withRivals(String pool, List<PoolRival> found) {
        return new PoolView(
                pools, poolExtent, reserved, endpoints, endpointExtent, rivals.with(pool, List.copyOf(found)));
    }

    /// This, after all pools were listed.
    public PoolView withAllPools(Collection<AddressPool> all) {
        var known = new TreeMap<String, Optional<AddressPool>>();
        all.forEach(pool -> known.put(pool.name(), Optional.of(pool)));
        return new PoolView(SortedIndex.ofSorted(known), Extent.WHOLE, reserved, endpoints, endpointExtent, rivals);
    }

    /// This, after a pool was looked for.
    public PoolView withPool(String name, Optional<AddressPool> pool) {
        return new PoolView(pools.with(name, pool), poolExtent, reserved, endpoints, endpointExtent, rivals);
    }

    /// This, after the reserved addresses were read.
    public PoolView withReserved(RangeSet addresses) {
        return new PoolView(pools, poolExtent, addresses, endpoints, endpointExtent, rivals);
    }

    /// This, after an endpoint was looked for.
    public PoolView withEndpoint(PodKey key, Optional<PodEndpoint> endpoint) {
        return new PoolView(pools, poolExtent, reserved, endpoints.with(key, endpoint), endpointExtent, rivals);
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
