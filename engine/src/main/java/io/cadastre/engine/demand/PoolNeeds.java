package io.cadastre.engine.demand;

import io.cadastre.address.Family;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What a node asks of its pools.
///
/// @param families those that the node has; nothing is asked of another
/// @param uses the pools of which the node has something
public record PoolNeeds(List<Family> families, PreAllocations ahead, List<PoolUse> uses, PendingPods pending) {

    public PoolNeeds {
        families = List.copyOf(families);
        uses = List.copyOf(uses);
    }

    /// The needs by the names of the pools. A pool of which nothing is needed is left out.
    public List<PoolNeed> at(Instant now) {
        var current = pending.at(now);
        var pools = new TreeSet<>(ahead.byPool().keySet());
        uses.forEach(use -> pools.add(use.pool()));
        pools.addAll(current.pools());
        var needs = new ArrayList<PoolNeed>();
        for (var pool : pools) {
            var need = new PoolNeed(pool, need(pool, Family.IPV4, current), need(pool, Family.IPV6, current));
            if (need.ipv4() > 0 || need.ipv6() > 0) {
                needs.add(need);
            }
        }
        return List.copyOf(needs);
    }

    private long need(String pool, Family family, PendingPods current) {
        if (!families.contains(family)) {
            return 0;
        }
        int used = uses.stream()
                .filter(use -> use.pool().equals(pool))
                .mapToInt(use -> use.of(family))
                .sum();
        return Demand.stepped(used + current.count(pool, family), ahead.count(pool));
    }
}
