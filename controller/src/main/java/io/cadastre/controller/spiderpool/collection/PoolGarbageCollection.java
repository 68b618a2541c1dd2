package io.cadastre.controller.spiderpool.collection;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.controller.watch.StoredKind;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Follows the Pods of a cluster that has pools and, while it is elected, takes back what they left.
public final class PoolGarbageCollection implements ControlLoop {

    public static final String NAME = "spiderpool-gc";

    /// How often it looks for pools in a store that had none.
    private static final Duration POOLS_PERIOD = Duration.ofSeconds(30);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final PoolGcSettings settings;
    private final ClusterSource source;
    private final WorkQueue<Turn> queue;
    private final PodTraces traces;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile @Nullable Term term;
    private volatile long lastTurnNanos;
    private volatile boolean closed;

    /// Only the thread of this loop touches these.
    private boolean podsSeen;

    private boolean emptinessReported;

    /// What is to be done again and again.
    private enum Turn {
        FIND_POOLS,
        TRACE,
        SCAN
    }

    /// What one leader term has of its own.
    private record Term(ControllerContext context, PoolReleases releases, GcCounts counts) {}

    public PoolGarbageCollection(ControllerContext context, PoolGcSettings settings, ClusterSource source) {
        this.context = context;
        this.settings = settings;
        this.source = source;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.traces = new PodTraces(settings);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.threads = new LoopThreads(context);
        this.failures = new FailureReports(context);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        return List.of(traces);
    }

    @Override
    public void start() {
        threads.repeat("pool-collection", this::work);
    }

    @Override
    public void elected(FencedDatastore fenced) {
        var own = context.with(fenced);
        var counts = new GcCounts();
        term = new Term(own, new PoolReleases(own, settings, counts), counts);
        queue.add(Turn.FIND_POOLS);
    }

    @Override
    public void dismissed() {
        term = null;
        traces.rest();
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::turn);
    }

    private void turn(Turn turn) {
        try {
            var current = term;
            if (closed || current == null) {
                return;
            }
            queue.addAfter(
                    turn,
                    switch (turn) {
                        case FIND_POOLS -> POOLS_PERIOD;
                        case TRACE -> settings.traceGap();
                        case SCAN -> settings.scanPeriod();
                    });
            switch (turn) {
                case FIND_POOLS -> findPools(current);
                case TRACE -> trace(current);
                case SCAN -> scan(current);
            }
            failures.forget(turn.name());
        } catch (LeadershipLostException _) {
            // The next leader begins with a scan.
        } catch (DatastoreException failed) {
            failures.report(turn.name(), "cannot collect addresses of pools: " + failed.getMessage());
        } finally {
            queue.done(turn);
        }
    }

    private boolean over(Term current) {
        return closed || !current.equals(term);
    }

    // ---- pools ----

    private void findPools(Term current) {
        boolean found = StoredKind.hasAny(current.context().store(), SpiderKeys.POOLS);
        if (found && !traces.following()) {
            traces.follow();
            if (over(current)) {
                traces.rest();
                return;
            }
            queue.add(Turn.SCAN);
            queue.add(Turn.TRACE);
        } else if (!found) {
            traces.rest();
        }
    }

    // ---- scanning ----

    private void scan(Term current) {
        if (traces.following()) {
            new PoolScan(current.context(), settings, current.releases(), traces, () -> over(current))
                    .run(podsFound -> inhabited(current.context().store(), podsFound));
        }
    }

    /// In a store to which no pods are written, all pods would seem dead.
    private boolean inhabited(Datastore store, boolean podsFound) {
        podsSeen |= podsFound;
        boolean inhabited = podsSeen
                || (source != ClusterSource.CALICO_ALONE
                        && !store.list(CoreKeys.NODES, 1).documents().isEmpty());
        if (!inhabited && !emptinessReported) {
            context.reports()
                    .accept("no address of a pool is released: the store has no Pod, so the controller"
                            + " cannot tell which pods exist. Set KUBECONFIG to that of the cluster that uses it");
        }
        emptinessReported = !inhabited;
        return inhabited;
    }

    private void trace(Term current) {
        if (traces.following()) {
            new PoolTracing(current.context(), settings, current.releases(), traces, () -> over(current)).run();
        }
    }

    // ---- what is shown ----

    @Override
    public List<Metric> figures() {
        var current = term;
        return current == null ? List.of() : current.counts().metrics();
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        closed = true;
        queue.add(Turn.TRACE);
        threads.close();
    }
}
