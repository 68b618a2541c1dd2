package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.AddressPool.Origin;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// All that this law may look at. Applications are read when it asks for them.
///
/// @param subnets all, by their names
/// @param pools all, by their names
/// @param reserved the reserved addresses of both families
/// @param applications those that were looked for
public record SubnetView(
        SortedMap<String, PoolSubnet> subnets,
        SortedMap<String, SubnetPool> pools,
        RangeSet reserved,
        SortedMap<OwnerApplication, ApplicationState> applications) {

    public SubnetView {
        subnets = Collections.unmodifiableSortedMap(new TreeMap<>(subnets));
        pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
        applications = Collections.unmodifiableSortedMap(new TreeMap<>(applications));
    }

    /// A view of these, in which no application was looked for.
    public static SubnetView of(Collection<PoolSubnet> subnets, Collection<SubnetPool> pools, RangeSet reserved) {
        var bySubnet = new TreeMap<String, PoolSubnet>();
        subnets.forEach(subnet -> bySubnet.put(subnet.name(), subnet));
        var byPool = new TreeMap<String, SubnetPool>();
        pools.forEach(pool -> byPool.put(pool.name(), pool));
        return new SubnetView(bySubnet, byPool, reserved, Collections.emptySortedMap());
    }

    public Optional<PoolSubnet> findSubnet(String name) {
        return Optional.ofNullable(subnets.get(name));
    }

    public Optional<SubnetPool> findPool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    /// The pools that a subnet controls, by their names.
    public List<SubnetPool> poolsOf(String subnet) {
        return pools.values().stream()
                .filter(pool -> pool.subnet().equals(subnet))
                .toList();
    }

    ApplicationState state(OwnerApplication application) {
        var known = applications.get(application);
        if (known == null) {
            throw new NotReadException(new MissingSubnetItem.OfApplication(application));
        }
        return known;
    }

    /// This, after an application was looked for.
    public SubnetView withApplication(OwnerApplication application, ApplicationState state) {
        var more = new TreeMap<>(applications);
        more.put(application, state);
        return new SubnetView(subnets, pools, reserved, more);
    }

    private SubnetView with(PoolSubnet subnet) {
        var more = new TreeMap<>(subnets);
        more.put(subnet.name(), subnet);
        return new SubnetView(more, pools, reserved, applications);
    }

    private SubnetView with(SubnetPool pool) {
        var more = new TreeMap<>(pools);
        more.put(pool.name(), pool);
        return new SubnetView(subnets, more, reserved, applications);
    }

    private PoolSubnet subnet(String name) {
        return findSubnet(name).orElseThrow(() -> new IllegalStateException("there is no subnet " + name));
    }

    private SubnetPool pool(String name) {
        return findPool(name).orElseThrow(() -> new IllegalStateException("there is no pool " + name));
    }

    /// This view after the change was written.
    public SubnetView with(SubnetChange change) {
        return switch (change) {
            case SubnetChange.PreAllocate(var subnet, var pool, var allocation) ->
                with(subnet(subnet).withPreAllocation(pool, allocation));
            case SubnetChange.SetPreAllocations(var subnet, var all) ->
                with(subnet(subnet).withPreAllocations(all));
            case SubnetChange.LabelSubnet(var subnet) -> with(subnet(subnet).labelled());
            case SubnetChange.CreatePool(var pool, var spec, var subnet, var purpose, var _) ->
                with(new SubnetPool(
                        new AddressPool(
                                pool, spec, Origin.MADE_FOR_APPLICATION, false, Collections.emptySortedMap(), ""),
                        subnet,
                        Optional.of(purpose)));
            case SubnetChange.AdaptPool(var pool, var addresses, var purpose, var _) ->
                with(pool(pool).adapted(addresses, purpose));
            case SubnetChange.AdoptPool(var pool, var subnet, var spec) ->
                with(pool(pool).controlledBy(subnet).with(spec));
            case SubnetChange.DeletePool(var pool) ->
                pool(pool).pool().records().isEmpty()
                        ? without(pool)
                        : with(pool(pool).terminated());
            case SubnetChange.DropSubnet(var subnet) -> {
                var fewer = new TreeMap<>(subnets);
                fewer.remove(subnet);
                yield new SubnetView(fewer, pools, reserved, applications);
            }
        };
    }

    private SubnetView without(String pool) {
        var fewer = new TreeMap<>(pools);
        fewer.remove(pool);
        return new SubnetView(subnets, fewer, reserved, applications);
    }
}
