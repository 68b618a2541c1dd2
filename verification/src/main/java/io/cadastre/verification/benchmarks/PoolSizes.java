package io.cadastre.verification.benchmarks;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.pool.AddressPool;
import io.cadastre.engine.pool.AddressPool.Origin;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAffinity;
import io.cadastre.engine.pool.PoolAllocation;
import io.cadastre.engine.pool.PoolEngine;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolSpec;
import io.cadastre.engine.pool.PoolSpec.Giving;
import io.cadastre.engine.pool.PoolSpec.Preference;
import io.cadastre.engine.pool.PoolView;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What the decision on one address costs in pools of different sizes that have as many records and exclusions.
final class PoolSizes {

    private static final int RECORDS = 200;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int TIMES = 3_000;

    private PoolSizes() {}

    /// Microseconds for each decision, in the order of the lengths.
    static List<Double> micros(List<Integer> lengths) {
        var views = lengths.stream().map(PoolSizes::view).toList();
        for (int round = 0; round < WARM_UP_ROUNDS; round++) {
            views.forEach(PoolSizes::micros);
        }
        return views.stream().map(PoolSizes::micros).toList();
    }

    private static double micros(PoolView view) {
        var request = PoolAgents.request(0, new PodKey("sizes", "pod"), "eth0", PoolAgents.single("p"));
        long begin = System.nanoTime();
        for (int time = 0; time < TIMES; time++) {
            if (PoolEngine.allocate(view, request).outcome() instanceof PoolAllocation.Refused(var refusal)) {
                throw new IllegalStateException(refusal.sentence());
            }
        }
        return (System.nanoTime() - begin) / 1e3 / TIMES;
    }

    private static PoolView view(int length) {
        var subnet = Prefix.containing(Address.parse("10.0.0.0"), length);
        var records = new TreeMap<Address, PoolRecord>();
        for (int number = 0; number < RECORDS; number++) {
            records.put(subnet.first().plus(number), new PoolRecord("sizes/other-" + number, "uid-" + number));
        }
        var spec = new PoolSpec(
                subnet,
                List.of(subnet.range()),
                RangeSet.EMPTY,
                Optional.empty(),
                List.of(),
                PoolAffinity.NONE,
                Preference.NAMED,
                Giving.ENABLED);
        return PoolView.whole(
                List.of(new AddressPool("p", spec, Origin.MADE_BY_HAND, false, records, "")),
                RangeSet.EMPTY,
                List.of());
    }
}
