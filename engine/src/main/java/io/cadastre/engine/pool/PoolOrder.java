package io.cadastre.engine.pool;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Which pool is tried first: the one that is more particular. Among equals the order stays.
final class PoolOrder {

    private static final Comparator<Pool> PARTICULAR =
            has(affinity -> affinity.pods().isPresent())
                    .thenComparing(has(affinity -> !affinity.nodeNames().isEmpty()))
                    .thenComparing(has(affinity -> affinity.nodes().isPresent()))
                    .thenComparing(has(affinity -> !affinity.namespaceNames().isEmpty()))
                    .thenComparing(has(affinity -> affinity.namespaces().isPresent()))
                    .thenComparing(has(affinity -> !affinity.networks().isEmpty()));

    private PoolOrder() {}

    static List<Pool> sorted(List<Pool> pools) {
        return pools.stream().sorted(PARTICULAR).toList();
    }

    private static Comparator<Pool> has(Predicate<Affinity> trait) {
        return Comparator.comparing(
                pool -> trait.test(pool.spec().affinity()), Comparator.reverseOrder());
    }
}
