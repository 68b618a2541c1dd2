package io.cadastre.controller.collection;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.collection.Collector.Outcome;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.election.LeadershipLostException;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.collect.BlockCollector.Scope;
import io.cadastre.registry.LedgerException;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Follows a cluster and, while it is elected, takes back what is not used.
///
/// What it suspects is not handed on: a new term begins with no suspicion, and so nothing is taken back
/// before its own grace has passed.
public final class GarbageCollection implements ControlLoop {

    public static final String NAME = "garbage-collector";

    /// The metric of how long it takes to look at everything.
    public static final String SWEEP_SECONDS = "cadastre_controller_sweep_seconds";

    /// Changes that come together are looked at together.
    private static final Duration GATHERING = Duration.ofMillis(100);

    /// How often everything is looked at where no grace says so.
    private static final Duration PERIOD_DEFAULT = Duration.ofMinutes(5);

    /// Looks for what is due are not closer together than a part of the grace, and this.
    private static final int DUE_PARTS = 20;

    private static final Duration DUE_MAX = Duration.ofSeconds(5);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final LeakGrace grace;
    private final ClusterSource source;
    private final WorkQueue<SweepTrigger> queue;
    private final ClusterState state;
    private final Thread worker;

    /// Null where all that write to the store record it in the same ledger.
    private final @Nullable ObservedBlocks observed;

    private volatile @Nullable Collector collector;
    private volatile List<Metric> figures = List.of();
    private volatile long lastTurnNanos;
    private volatile boolean closed;

    /// Only the worker touches these.
    private boolean emptinessReported;

    private long sweepNanos;

    public GarbageCollection(ControllerContext context, LeakGrace grace, ClusterSource source) {
        this.context = context;
        this.grace = grace;
        this.source = source;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
        this.state = new ClusterState(source, this::send);
        this.lastTurnNanos = context.stopwatch().nanos();
        this.observed = context.store().journal().isPresent() ? null : new ObservedBlocks(context.ledger());
        this.worker = Thread.ofVirtual().name("collection").unstarted(this::work);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<KindHandler> handlers() {
        return source.followed().stream()
                .<KindHandler>map(subject -> new SubjectHandler(subject, state))
                .toList();
    }

    @Override
    public void start() {
        worker.start();
    }

    private void send(SweepTrigger trigger) {
        switch (trigger) {
            case EVERYTHING -> queue.add(trigger);
            case CHANGED -> queue.addAfter(trigger, GATHERING);
        }
    }

    @Override
    public void elected(FencedDatastore fenced) {
        collector = new Collector(context.with(fenced), source);
        send(SweepTrigger.EVERYTHING);
    }

    @Override
    public void dismissed() {
        collector = null;
        figures = List.of();
    }

    private void work() {
        // Ends: when it is closed.
        while (!closed) {
            lastTurnNanos = context.stopwatch().nanos();
            try {
                queue.take(LOOK_UP).ifPresent(this::turn);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void turn(SweepTrigger trigger) {
        long began = context.stopwatch().nanos();
        try {
            var appointed = collector;
            var snapshot = state.snapshot();
            if (!closed && observed != null && snapshot.isPresent()) {
                observe(observed, snapshot.get());
            }
            // If not elected, or if not enough is known, a new trigger comes when that changes.
            if (closed || appointed == null || snapshot.isEmpty() || look(trigger, appointed, snapshot.get(), began)) {
                queue.succeeded(trigger);
            } else {
                queue.retry(trigger);
            }
        } finally {
            queue.done(trigger);
        }
    }

    /// A ledger that does not answer is asked again at the next change.
    private void observe(ObservedBlocks blocks, ClusterSnapshot snapshot) {
        try {
            if (!blocks.look(snapshot.view(), context.now())) {
                queue.addAfter(SweepTrigger.CHANGED, GATHERING);
            }
        } catch (DatastoreException | LedgerException failed) {
            context.reports().accept("cannot record changes by other processes: " + failed.getMessage());
        }
    }

    /// Whether nothing is left to be tried again.
    private boolean look(SweepTrigger trigger, Collector appointed, ClusterSnapshot snapshot, long began) {
        if (trigger == SweepTrigger.EVERYTHING) {
            state.markDirty(new Scope.Everything());
        }
        var scope = state.takeScope();
        try {
            reportEmptiness(snapshot);
            var patience = grace.fetch(context.store());
            boolean settled = appointed.collect(snapshot, scope, patience) == Outcome.SETTLED;
            if (!settled) {
                state.markDirty(scope);
            }
            schedule(scope, appointed, patience);
            show(appointed, snapshot, scope, began);
            return settled;
        } catch (LeadershipLostException deposed) {
            // The next leader looks at everything.
            return true;
        } catch (DatastoreException | UnreadableDocumentException failed) {
            state.markDirty(scope);
            context.reports().accept("cannot collect: " + failed.getMessage());
            return false;
        }
    }

    private void reportEmptiness(ClusterSnapshot snapshot) {
        if (!snapshot.inhabited() && !emptinessReported) {
            context.reports()
                    .accept(
                            switch (source) {
                                case KUBERNETES, CALICO_AND_KUBERNETES ->
                                    "nothing is released: no pod was found, or none of Calico's nodes"
                                            + " is a node of this Kubernetes cluster, so the"
                                            + " controller cannot tell which pods exist";
                                case CALICO_ALONE ->
                                    "no Kubernetes API is configured, so the controller cannot tell"
                                            + " which pods and nodes exist: it releases only blocks"
                                            + " that stay empty and addresses that have cooled down."
                                            + " Set KUBECONFIG to that of the cluster that uses this"
                                            + " etcd, or run in one of its pods";
                            });
        }
        emptinessReported = !snapshot.inhabited();
    }

    /// Figures of a term that is over are not shown any more.
    private void show(Collector appointed, ClusterSnapshot snapshot, Scope scope, long began) {
        var latest = new ArrayList<>(appointed.figures(state.snapshot().orElse(snapshot)));
        if (scope instanceof Scope.Everything) {
            sweepNanos = context.stopwatch().nanos() - began;
        }
        latest.add(Metric.gauge(
                SWEEP_SECONDS,
                "Duration of the last full sweep of the cluster, including releases.",
                List.of(Sample.of(sweepNanos / 1e9))));
        if (appointed == collector) {
            figures = List.copyOf(latest);
        }
    }

    private void schedule(Scope scope, Collector appointed, Duration patience) {
        if (scope instanceof Scope.Everything) {
            queue.addAfter(SweepTrigger.EVERYTHING, patience.isZero() ? PERIOD_DEFAULT : patience.dividedBy(2));
        }
        var part = patience.dividedBy(DUE_PARTS);
        var least = part.compareTo(DUE_MAX) < 0 ? part : DUE_MAX;
        appointed
                .nextDue(patience)
                .map(due -> Duration.between(context.now(), due).plusMillis(1))
                .ifPresent(
                        delay -> queue.addAfter(SweepTrigger.EVERYTHING, delay.compareTo(least) < 0 ? least : delay));
    }

    @Override
    public List<Metric> figures() {
        return figures;
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        closed = true;
        queue.add(SweepTrigger.EVERYTHING);
        try {
            worker.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
