package io.cadastre.controller.collection;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.controller.collection.Reclamations.Place;
import io.cadastre.controller.pages.Metric;
import io.cadastre.controller.pages.Metric.Sample;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.Pool;
import io.cadastre.engine.block.Tracker;
import io.cadastre.engine.block.Tracker.Allocation;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// The figures of Calico's collector, under its names. They are counted afresh each time.
final class Figures {

    static final String NO_POOL = "no_ippool";

    private static final String NO_AFFINITY = "no_affinity";
    private static final String UNKNOWN_NODE = "unknown_node";

    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::pool).thenComparing(Place::node);

    private final Picture picture;
    private final Tracker tracker;
    private final List<Pool> pools;

    private final SortedMap<Place, Long> inUse = new TreeMap<>(ORDER);
    private final SortedMap<Place, Long> borrowed = new TreeMap<>(ORDER);
    private final SortedMap<Place, Long> candidates = new TreeMap<>(ORDER);
    private final SortedMap<Place, Long> blocks = new TreeMap<>(ORDER);

    private Figures(Picture picture, Tracker tracker) {
        this.picture = picture;
        this.tracker = tracker;
        this.pools = picture.view().pools();
    }

    static List<Metric> of(Picture picture, Tracker tracker, Map<Place, Long> reclaimed) {
        var figures = new Figures(picture, tracker);
        figures.seed();
        for (var family : Family.values()) {
            picture.view().blocks(family).stream()
                    .filter(block -> !block.damaged())
                    .forEach(figures::count);
        }
        return figures.metrics(reclaimed);
    }

    /// The pool that a block lies in.
    static String poolOf(Prefix block, List<Pool> pools) {
        return pools.stream()
                .filter(pool -> pool.cidr().contains(block))
                .map(Pool::name)
                .findFirst()
                .orElse(NO_POOL);
    }

    private void seed() {
        for (var pool : pools) {
            for (var node : picture.nodes().keySet()) {
                var place = new Place(pool.name(), node);
                inUse.put(place, 0L);
                borrowed.put(place, 0L);
                candidates.put(place, 0L);
            }
        }
    }

    private void count(Block block) {
        var pool = poolOf(block.cidr(), pools);
        var host =
                block.owner()
                        .filter(owner -> owner.kind() == Owner.Kind.HOST)
                        .map(Owner::name)
                        .orElse(NO_AFFINITY);
        blocks.merge(new Place(pool, host), 1L, Long::sum);
        var attributes = block.attributes();
        int[] allocations = block.allocations();
        var tally = new Tally(pool, host);
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            if (allocations[ordinal] != Block.FREE
                    && attributes.get(allocations[ordinal]) instanceof Held held
                    && !held.handle().isEmpty()) {
                tally.count(node(held), suspected(block, ordinal, held));
            }
        }
        tally.end();
    }

    private static String node(Held held) {
        var node = held.owner().getOrDefault("node", "");
        return node.isEmpty() ? UNKNOWN_NODE : node;
    }

    private boolean suspected(Block block, int ordinal, Held held) {
        return !tracker.suspicions().isEmpty()
                && tracker.suspicions()
                        .containsKey(new Allocation(held.cleanHandle(), block.address(ordinal)));
    }

    /// Neighbours are mostly of one node, so they are added up before they are entered.
    private final class Tally {

        private final String pool;
        private final String host;
        private String node = UNKNOWN_NODE;
        private long held;
        private long suspects;

        Tally(String pool, String host) {
            this.pool = pool;
            this.host = host;
        }

        void count(String other, boolean suspected) {
            if (!other.equals(node)) {
                end();
                node = other;
            }
            held++;
            suspects += suspected ? 1 : 0;
        }

        void end() {
            var place = new Place(pool, node);
            if (held > 0) {
                inUse.merge(place, held, Long::sum);
            }
            if (held > 0 && !node.equals(host)) {
                borrowed.merge(place, held, Long::sum);
            }
            if (suspects > 0) {
                candidates.merge(place, suspects, Long::sum);
            }
            held = 0;
            suspects = 0;
        }
    }

    private List<Metric> metrics(Map<Place, Long> counted) {
        var reclaimed = new TreeMap<Place, Long>(ORDER);
        reclaimed.putAll(counted);
        return List.of(
                Metric.gauge(
                        "ipam_allocations_in_use",
                        "Addresses that somebody holds, by pool and node.",
                        byPlace(inUse)),
                Metric.gauge(
                        "ipam_allocations_borrowed",
                        "Addresses on another node than the one that has their block.",
                        byPlace(borrowed)),
                Metric.gauge(
                        "ipam_blocks", "Blocks, by pool and by who has them.", byPlace(blocks)),
                Metric.gauge(
                        "ipam_allocations_gc_candidates",
                        "Addresses that nobody seems to use.",
                        byPlace(candidates)),
                Metric.counter(
                        "ipam_allocations_gc_reclamations",
                        "Addresses that were taken back since nobody used them.",
                        byPlace(reclaimed)),
                Metric.gauge(
                        "ipam_ippool_size",
                        "Addresses of a pool.",
                        byPool(pool -> pool.cidr().size())),
                Metric.gauge(
                        "ipam_ippool_reserved",
                        "Addresses of a pool that are reserved.",
                        byPool(pool -> picture.view().reservations().countIn(pool.cidr()))),
                Metric.gauge(
                        "ipam_allocations_per_node",
                        "Addresses that somebody holds, by node.",
                        byNode(inUse)),
                Metric.gauge(
                        "ipam_allocations_borrowed_per_node",
                        "Addresses on another node than the one that has their block, by node.",
                        byNode(borrowed)),
                Metric.gauge("ipam_blocks_per_node", "Blocks, by who has them.", byNode(blocks)));
    }

    private static List<Sample> byPlace(SortedMap<Place, Long> counts) {
        var samples = new ArrayList<Sample>(counts.size());
        counts.forEach(
                (place, count) ->
                        samples.add(
                                Sample.of(count, "ippool", place.pool(), "node", place.node())));
        return samples;
    }

    private static List<Sample> byNode(SortedMap<Place, Long> counts) {
        var totals = new TreeMap<String, Long>();
        counts.forEach(
                (place, count) -> {
                    if (count > 0) {
                        totals.merge(place.node(), count, Long::sum);
                    }
                });
        var samples = new ArrayList<Sample>(totals.size());
        totals.forEach((node, total) -> samples.add(Sample.of(total, "node", node)));
        return samples;
    }

    private List<Sample> byPool(Function<Pool, BigInteger> count) {
        return pools.stream()
                .map(pool -> Sample.of(count.apply(pool).doubleValue(), "ippool", pool.name()))
                .toList();
    }
}
