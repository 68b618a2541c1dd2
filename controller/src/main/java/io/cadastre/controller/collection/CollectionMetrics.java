package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.controller.collection.Reclamations.Place;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.collect.LeakTracker;
import io.cadastre.engine.block.collect.LeakTracker.Allocation;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The figures of Calico's collector, under its names. They are added up afresh each time.
final class CollectionMetrics {

    static final String NO_POOL = "no_ippool";

    private static final String NO_AFFINITY = "no_affinity";

    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::pool).thenComparing(Place::node);

    private final ClusterSnapshot snapshot;
    private final BlockUsage usage;
    private final List<IpPool> pools;

    private final Map<Place, Long> inUse = new HashMap<>();
    private final Map<Place, Long> borrowed = new HashMap<>();
    private final Map<Place, Long> candidates = new HashMap<>();
    private final Map<Place, Long> blocks = new HashMap<>();

    private CollectionMetrics(ClusterSnapshot snapshot, BlockUsage usage) {
        this.snapshot = snapshot;
        this.usage = usage;
        this.pools = snapshot.view().pools();
    }

    /// @param usage what is known of blocks from one time to the next
    static List<Metric> of(
            ClusterSnapshot snapshot, LeakTracker tracker, Map<Place, Long> reclaimed, BlockUsage usage) {
        var figures = new CollectionMetrics(snapshot, usage);
        figures.seed();
        var blocks = Arrays.stream(Family.values())
                .flatMap(family -> snapshot.view().blocks(family).stream())
                .filter(block -> !block.damaged())
                .toList();
        usage.count(blocks);
        blocks.forEach(figures::count);
        tracker.suspicions().keySet().forEach(figures::count);
        return figures.metrics(reclaimed);
    }

    /// The pool that a block lies in.
    static String poolOf(Prefix block, List<IpPool> pools) {
        return pools.stream()
                .filter(pool -> pool.cidr().contains(block))
                .map(IpPool::name)
                .findFirst()
                .orElse(NO_POOL);
    }

    private void seed() {
        for (var pool : pools) {
            for (var node : snapshot.nodes().keySet()) {
                var place = new Place(pool.name(), node);
                inUse.put(place, 0L);
                borrowed.put(place, 0L);
                candidates.put(place, 0L);
            }
        }
    }

    private void count(Block block) {
        var pool = poolOf(block.cidr(), pools);
        var host = block.owner()
                .filter(owner -> owner.kind() == Owner.Kind.HOST)
                .map(Owner::name)
                .orElse(NO_AFFINITY);
        blocks.merge(new Place(pool, host), 1L, Long::sum);
        usage.of(block).forEach((node, held) -> {
            var place = new Place(pool, node);
            inUse.merge(place, held, Long::sum);
            if (!node.equals(host)) {
                borrowed.merge(place, held, Long::sum);
            }
        });
    }

    /// Counts what is suspected, as long as it is still held by the same handle.
    private void count(Allocation suspected) {
        snapshot.view()
                .findBlockAround(suspected.address())
                .filter(block -> !block.damaged())
                .ifPresent(block -> {
                    int ordinal = block.ordinal(suspected.address()).orElseThrow();
                    block.attribute(ordinal)
                            .filter(attribute -> heldBy(suspected.handle(), attribute))
                            .flatMap(_ -> BlockUsage.node(block, ordinal))
                            .ifPresent(node ->
                                    candidates.merge(new Place(poolOf(block.cidr(), pools), node), 1L, Long::sum));
                });
    }

    private static boolean heldBy(String handle, Attribute attribute) {
        return attribute instanceof Held held && held.cleanHandle().equals(handle);
    }

    private List<Metric> metrics(Map<Place, Long> reclaimed) {
        return List.of(
                Metric.gauge("ipam_allocations_in_use", "Addresses in use, by pool and node.", byPlace(inUse)),
                Metric.gauge(
                        "ipam_allocations_borrowed",
                        "Addresses in use on a node that does not own their block.",
                        byPlace(borrowed)),
                Metric.gauge("ipam_blocks", "Blocks, by pool and node.", byPlace(blocks)),
                Metric.gauge(
                        "ipam_allocations_gc_candidates", "Addresses suspected to be leaked.", byPlace(candidates)),
                Metric.counter(
                        "ipam_allocations_gc_reclamations",
                        "Addresses released because they were leaked.",
                        byPlace(reclaimed)),
                Metric.gauge(
                        "ipam_ippool_size",
                        "Addresses in a pool.",
                        byPool(pool -> pool.cidr().size())),
                Metric.gauge(
                        "ipam_ippool_reserved",
                        "Reserved addresses in a pool.",
                        byPool(pool -> snapshot.view().reservations().countIn(pool.cidr()))),
                Metric.gauge("ipam_allocations_per_node", "Addresses in use, by node.", byNode(inUse)),
                Metric.gauge(
                        "ipam_allocations_borrowed_per_node",
                        "Addresses in use on a node that does not own their block, by node.",
                        byNode(borrowed)),
                Metric.gauge("ipam_blocks_per_node", "Blocks, by node.", byNode(blocks)));
    }

    private static List<Sample> byPlace(Map<Place, Long> counts) {
        var sorted = new TreeMap<Place, Long>(ORDER);
        sorted.putAll(counts);
        var samples = new ArrayList<Sample>(sorted.size());
        sorted.forEach((place, count) -> samples.add(Sample.of(count, "ippool", place.pool(), "node", place.node())));
        return samples;
    }

    private static List<Sample> byNode(Map<Place, Long> counts) {
        var totals = new TreeMap<String, Long>();
        counts.forEach((place, count) -> {
            if (count > 0) {
                totals.merge(place.node(), count, Long::sum);
            }
        });
        var samples = new ArrayList<Sample>(totals.size());
        totals.forEach((node, total) -> samples.add(Sample.of(total, "node", node)));
        return samples;
    }

    private List<Sample> byPool(Function<IpPool, BigInteger> count) {
        return pools.stream()
                .map(pool -> Sample.of(count.apply(pool).doubleValue(), "ippool", pool.name()))
                .toList();
    }
}
