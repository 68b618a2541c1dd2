package io.cadastre.verification.benchmarks;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.watch.SharedWatches;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.wire.pages.Metric;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// A controller at work on a large cluster in memory: how long a look at everything takes while there is
/// nothing to do, and how soon it takes back the addresses that thousands of pods leave behind.
///
/// A sweep is all that the controller does for one look: the snapshot of the cluster, the rules and the
/// metrics that it shows.
public final class SweepBenchmark {

    private static final int NODES = 250;
    private static final int PODS_EACH = 1000;
    private static final int GONE_EACH = 12;

    private static final int WARM_UP_SWEEPS = 40;
    private static final int SWEEPS = 40;

    /// Everything is looked at twice in this time.
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final PrintStream out;
    private final BenchContext means;

    public SweepBenchmark(PrintStream out, BenchContext means) {
        this.out = out;
        this.means = means;
    }

    public void measure() throws InterruptedException {
        try (var store = new MemoryDatastore()) {
            var city = new LargeCluster(store, NODES, PODS_EACH);
            city.build();
            var controllers = new ControllerContext(
                    store,
                    new Ledger(new MemoryJournal()),
                    means.clock(),
                    System::nanoTime,
                    means.dice(),
                    means.pause(),
                    _ -> {});
            try (var collection = new GarbageCollection(
                            controllers, new LeakGrace.Fixed(GRACE), ClusterSource.CALICO_AND_KUBERNETES);
                    var _ = SharedWatches.begin(store, means.pause(), collection.handlers(), _ -> {})) {
                collection.start();
                collection.elected(new FencedDatastore(store, () -> true, "benchmark", 0));
                sweeps(collection, WARM_UP_SWEEPS);
                var cpuBefore = cpu();
                var sweeps = new Figures(sweeps(collection, SWEEPS), 1);
                say(city, sweeps, cpu().minus(cpuBefore).dividedBy(SWEEPS));
                vanish(city, collection);
            }
        }
    }

    /// What this process has computed so far. A machine that has other things to do changes it little.
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private void say(LargeCluster city, Figures sweeps, Duration cpuEach) {
        out.printf(
                Locale.ROOT,
                "W5 sweep of %d addresses in %d blocks on %d nodes, %d times:"
                        + " p50 %.1f ms, p99 %.1f ms, %d ms of CPU each%n",
                city.addresses(),
                city.blocks(),
                NODES,
                sweeps.count(),
                sweeps.millis(0.5),
                sweeps.millis(0.99),
                cpuEach.toMillis());
    }

    private void vanish(LargeCluster city, GarbageCollection collection) throws InterruptedException {
        int left = NODES * (PODS_EACH - GONE_EACH);
        city.removePods(GONE_EACH);
        long began = System.nanoTime();
        var shown = collection.figures();
        while (sum(shown, "ipam_allocations_per_node") > left) {
            shown = next(collection, shown);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        if (city.handlesBeyond(GONE_EACH) != left) {
            throw new IllegalStateException("more was taken back than was left behind");
        }
        out.printf(
                Locale.ROOT,
                "W5 addresses of %d pods taken back %.1f s after they vanished, with a grace of %d" + " s%n",
                NODES * GONE_EACH,
                seconds,
                GRACE.toSeconds());
    }

    /// How long each took, in nanoseconds.
    private long[] sweeps(GarbageCollection collection, int count) throws InterruptedException {
        var nanos = new long[count];
        var shown = collection.figures();
        for (int index = 0; index < count; index++) {
            shown = next(collection, shown);
            nanos[index] = Math.round(sum(shown, GarbageCollection.SWEEP_SECONDS) * 1e9);
        }
        return nanos;
    }

    /// The figures of the next look.
    private List<Metric> next(GarbageCollection collection, List<Metric> former) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        var shown = collection.figures();
        while (shown.equals(former)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the controller does not look any more");
            }
            means.pause().pause(BETWEEN_LOOKS);
            shown = collection.figures();
        }
        return shown;
    }

    private static double sum(List<Metric> shown, String name) {
        return shown.stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(Metric.Sample::value)
                .sum();
    }
}
