package io.cadastre.engine.pool.subnet;

import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.PoolSpec;
import java.util.Optional;

/// A pool, and what binds it to a subnet and to an application.
///
/// @param subnet the subnet that controls it; empty if none does
/// @param purpose what it is made for; empty for a pool made by hand
public record SubnetPool(AddressPool pool, String subnet, Optional<ApplicationPool> purpose) {

    /// A pool that nothing controls.
    public SubnetPool(AddressPool pool) {
        this(pool, "", Optional.empty());
    }

    public String name() {
        return pool.name();
    }

    /// The addresses that it gives.
    RangeSet addresses() {
        return pool.spec().effective();
    }

    /// Whether it is made for an application, also if its labels do not say all that they should.
    boolean forApplication() {
        return pool.origin() == Origin.MADE_FOR_APPLICATION;
    }

    SubnetPool controlledBy(String other) {
        return new SubnetPool(pool, other, purpose);
    }

    SubnetPool with(PoolSpec spec) {
        return new SubnetPool(
                new AddressPool(pool.name(), spec, pool.origin(), pool.terminating(), pool.records(), pool.damage()),
                subnet,
                purpose);
    }

    SubnetPool adapted(RangeSet addresses, ApplicationPool other) {
        var spec = pool.spec();
        return new SubnetPool(pool, subnet, Optional.of(other))
                .with(new PoolSpec(
                        spec.subnet(),
                        addresses.ranges(),
                        RangeSet.EMPTY,
                        spec.gateway(),
                        spec.routes(),
                        spec.affinity(),
                        spec.preference(),
                        spec.giving()));
    }

    SubnetPool terminated() {
        return new SubnetPool(
                new AddressPool(pool.name(), pool.spec(), pool.origin(), true, pool.records(), pool.damage()),
                subnet,
                purpose);
    }
}
