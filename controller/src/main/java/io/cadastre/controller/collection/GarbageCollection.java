package io.cadastre.controller.collection;

import io.cadastre.controller.Means;
import io.cadastre.controller.collection.Collector.Outcome;
import io.cadastre.controller.election.DeposedException;
import io.cadastre.controller.pages.Metric;
import io.cadastre.controller.pages.Metric.Sample;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.BlockCollector.Scope;
import io.cadastre.registry.LedgerException;
import io.cadastre.registry.Vigil;
import io.cadastre.wire.json.UnreadableDocumentException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Watches a cluster and, while it is appointed, takes back what nobody uses.
///
/// It watches all the time, so that whoever is elected knows at once how things are. What it suspects is
/// not handed on: a new term begins with no suspicion, and so nothing is taken back before its own grace
/// has passed.
public final class GarbageCollection implements AutoCloseable {

    /// The figure that tells how long it takes to look at everything.
    public static final String SWEEP_SECONDS = "cadastre_controller_sweep_seconds";

    /// Changes that come together are looked at together.
    private static final Duration GATHERING = Duration.ofMillis(100);

    /// How often everything is looked at where no grace says so.
    private static final Duration PERIOD_DEFAULT = Duration.ofMinutes(5);

    /// Looks for what is due are not closer together than a part of the grace, and this.
    private static final int DUE_PARTS = 20;

    private static final Duration DUE_MAX = Duration.ofSeconds(5);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final Means means;
    private final LeakGrace grace;
    private final ClusterSource source;
    private final WorkQueue<Errand> queue;
    private final ClusterState state;
    private final Vigil vigil;
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

    private GarbageCollection(Means means, LeakGrace grace, ClusterSource source) {
        this.means = means;
        this.grace = grace;
        this.source = source;
        this.queue = new WorkQueue<>(means.stopwatch(), means.pause(), Backoff.DEFAULT);
        this.state = new ClusterState(source, this::send);
        this.lastTurnNanos = means.stopwatch().nanos();
        this.vigil =
                Vigil.begin(
                        means.store(),
                        means.pause(),
                        source.followed().stream()
                                .map(subject -> new Follower(subject, state, means.reports()))
                                .toList());
        this.observed =
                means.store().journal().isPresent() ? null : new ObservedBlocks(means.ledger());
        this.worker = Thread.ofVirtual().name("collection").unstarted(this::work);
    }

    public static GarbageCollection begin(Means means, LeakGrace grace, ClusterSource source) {
        var collection = new GarbageCollection(means, grace, source);
        collection.worker.start();
        return collection;
    }

    private void send(Errand errand) {
        switch (errand) {
            case EVERYTHING -> queue.add(errand);
            case CHANGED -> queue.addAfter(errand, GATHERING);
        }
    }

    /// From now on it takes back.
    ///
    /// @param fenced refuses commits once the term is over
    public void appoint(Datastore fenced) {
        collector = new Collector(means.with(fenced), source);
        send(Errand.EVERYTHING);
    }

    /// From now on it watches only.
    public void dismiss() {
        collector = null;
        figures = List.of();
    }

    private void work() {
        // Ends: when it is closed.
        while (!closed) {
            lastTurnNanos = means.stopwatch().nanos();
            try {
                queue.take(LOOK_UP).ifPresent(this::turn);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void turn(Errand errand) {
        long began = means.stopwatch().nanos();
        try {
            var appointed = collector;
            var picture = state.picture();
            if (!closed && observed != null && picture.isPresent()) {
                observe(observed, picture.get());
            }
            // Whoever is not appointed or does not know enough is sent again when that changes.
            if (closed
                    || appointed == null
                    || picture.isEmpty()
                    || look(errand, appointed, picture.get(), began)) {
                queue.succeeded(errand);
            } else {
                queue.retry(errand);
            }
        } finally {
            queue.done(errand);
        }
    }

    /// A ledger that does not answer is asked again at the next change.
    private void observe(ObservedBlocks blocks, Picture picture) {
        try {
            if (!blocks.look(picture.view(), means.now())) {
                queue.addAfter(Errand.CHANGED, GATHERING);
            }
        } catch (DatastoreException | LedgerException failed) {
            means.reports().accept("cannot record what others wrote: " + failed.getMessage());
        }
    }

    /// Whether nothing is left to be tried again.
    private boolean look(Errand errand, Collector appointed, Picture picture, long began) {
        if (errand == Errand.EVERYTHING) {
            state.markDirty(new Scope.Everything());
        }
        var scope = state.takeScope();
        try {
            reportEmptiness(picture);
            var patience = grace.fetch(means.store());
            boolean settled = appointed.collect(picture, scope, patience) == Outcome.SETTLED;
            if (!settled) {
                state.markDirty(scope);
            }
            schedule(scope, appointed, patience);
            show(appointed, picture, scope, began);
            return settled;
        } catch (DeposedException deposed) {
            // Whoever is elected next looks at everything.
            return true;
        } catch (DatastoreException | UnreadableDocumentException failed) {
            state.markDirty(scope);
            means.reports().accept("cannot collect: " + failed.getMessage());
            return false;
        }
    }

    private void reportEmptiness(Picture picture) {
        if (!picture.inhabited() && !emptinessReported) {
            means.reports()
                    .accept(
                            switch (source) {
                                case KUBERNETES, CALICO_AND_KUBERNETES ->
                                        "nothing is taken back: no pod was seen, or none of"
                                                + " Calico's nodes is a node of this Kubernetes, so"
                                                + " which pods live is not known";
                                case CALICO_ALONE ->
                                        "no Kubernetes API is configured, so which pods and nodes"
                                            + " live is not known: only blocks that stay empty and"
                                            + " addresses that have cooled down are taken back. Set"
                                            + " KUBECONFIG to that of the cluster that uses this"
                                            + " etcd, or run in one of its pods";
                            });
        }
        emptinessReported = !picture.inhabited();
    }

    /// Figures of a term that is over are not shown any more.
    private void show(Collector appointed, Picture picture, Scope scope, long began) {
        var latest = new ArrayList<>(appointed.figures(state.picture().orElse(picture)));
        if (scope instanceof Scope.Everything) {
            sweepNanos = means.stopwatch().nanos() - began;
        }
        latest.add(
                Metric.gauge(
                        SWEEP_SECONDS,
                        "How long the last look at the whole cluster took, with what it led to.",
                        List.of(Sample.of(sweepNanos / 1e9))));
        if (appointed == collector) {
            figures = List.copyOf(latest);
        }
    }

    private void schedule(Scope scope, Collector appointed, Duration patience) {
        if (scope instanceof Scope.Everything) {
            queue.addAfter(
                    Errand.EVERYTHING, patience.isZero() ? PERIOD_DEFAULT : patience.dividedBy(2));
        }
        var part = patience.dividedBy(DUE_PARTS);
        var least = part.compareTo(DUE_MAX) < 0 ? part : DUE_MAX;
        appointed
                .nextDue(patience)
                .map(due -> Duration.between(means.now(), due).plusMillis(1))
                .ifPresent(
                        delay ->
                                queue.addAfter(
                                        Errand.EVERYTHING,
                                        delay.compareTo(least) < 0 ? least : delay));
    }

    /// What was counted at the last look; nothing while it is not appointed.
    public List<Metric> figures() {
        return figures;
    }

    /// Why it does not know how things are; empty if it does.
    public Optional<String> ignorance() {
        var missing = state.missing();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        missing.stream()
                                .map(subject -> subject.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ", "not read yet: ", "")));
    }

    /// How long the worker has been at the same turn.
    public Duration sinceLastTurn() {
        return Duration.ofNanos(means.stopwatch().nanos() - lastTurnNanos);
    }

    /// Waits until what is under way has ended. It should have been dismissed, and its term ended.
    @Override
    public void close() {
        closed = true;
        queue.add(Errand.EVERYTHING);
        try {
            worker.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        vigil.close();
    }
}
