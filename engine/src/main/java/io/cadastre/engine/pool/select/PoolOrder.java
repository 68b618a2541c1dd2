package io.cadastre.engine.pool.select;

import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.PoolAffinity;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Which pool is tried first: the one that is more particular. Among equals the order stays.
public final class PoolOrder {

    private static final Comparator<AddressPool> PARTICULAR = has(affinity ->
                    affinity.pods().isPresent())
            .thenComparing(has(affinity -> !affinity.nodeNames().isEmpty()))
            .thenComparing(has(affinity -> affinity.nodes().isPresent()))
            .thenComparing(has(affinity -> !affinity.namespaceNames().isEmpty()))
            .thenComparing(has(affinity -> affinity.namespaces().isPresent()))
            .thenComparing(has(affinity -> !affinity.networks().isEmpty()));

    private PoolOrder() {}

    public static List<AddressPool> sorted(List<AddressPool> pools) {
        return pools.stream().sorted(PARTICULAR).toList();
    }

    private static Comparator<AddressPool> has(Predicate<PoolAffinity> trait) {
        return Comparator.comparing(pool -> trait.test(pool.spec().affinity()), Comparator.reverseOrder());
    }
}
