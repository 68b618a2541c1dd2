package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import java.util.List;
import java.util.Optional;

/// What a pool was made for.
///
/// @param ips in their stored order, which is the order in which they are used up
/// @param preference whether it serves pods for which no pool is named
/// @param giving whether it gives anything new
public record PoolSpec(
        Prefix subnet,
        List<Range> ips,
        RangeSet excluded,
        Optional<Address> gateway,
        List<PodRoute> routes,
        PoolAffinity affinity,
        Preference preference,
        Giving giving) {

    public PoolSpec {
        ips = List.copyOf(ips);
        routes = List.copyOf(routes);
    }

    /// Whether a pool has to be named to be used.
    public enum Preference {
        NAMED,
        DEFAULT
    }

    /// Whether it gives anything new.
    public enum Giving {
        ENABLED,
        DISABLED
    }

    public Family family() {
        return subnet.family();
    }

    /// The addresses that may be given.
    public RangeSet effective() {
        return new RangeSet(ips).minus(excluded);
    }
}
