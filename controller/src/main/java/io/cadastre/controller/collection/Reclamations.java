package io.cadastre.controller.collection;

import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.collect.Leak;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How many leaked addresses were taken back, by pool and node. Not safe for several threads at once.
final class Reclamations {

    private final Map<Place, Long> counts = new HashMap<>();

    /// @param pool its name, or [CollectionMetrics#NO_POOL]
    record Place(String pool, String node) {}

    void count(Collection<Leak> released, List<IpPool> pools) {
        for (var leak : released) {
            var place = new Place(CollectionMetrics.poolOf(leak.block(), pools), leak.node());
            counts.merge(place, 1L, Long::sum);
        }
    }

    /// What is counted for a pool or a node that is gone is forgotten.
    void keep(Set<String> pools, Set<String> nodes) {
        counts.keySet()
                .removeIf(place -> !nodes.contains(place.node())
                        || (!pools.contains(place.pool()) && !place.pool().equals(CollectionMetrics.NO_POOL)));
    }

    Map<Place, Long> counts() {
        return Map.copyOf(counts);
    }
}
