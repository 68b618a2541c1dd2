package io.cadastre.controller.spiderpool.inventory;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.FailureReports;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.queue.Backoff;
import io.cadastre.controller.queue.WorkQueue;
import io.cadastre.controller.watch.KindHandler;
import io.cadastre.controller.watch.StoredKind;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.List;

/// Counts pools and subnets from time to time while its process leads, and writes nothing.
///
/// It lists them instead of following them: a pool is rewritten with each address that it gives, and may be large.
public final class PoolInventory implements ControlLoop {

    public static final String NAME = "spiderpool-metrics";

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /// What this process may not see it does not count.
    private static final List<DatastoreException.Kind> HIDDEN = List.of(DatastoreException.Kind.DENIED);

    private final ControllerContext context;
    private final InventorySettings settings;
    private final WorkQueue<String> queue;
    private final LoopThreads threads;
    private final FailureReports failures;

    private volatile boolean leading;
    private volatile boolean closed;
    private volatile long lastTurnNanos;
    private volatile List<Metric> counted = List.of();

    public PoolInventory(ControllerContext context, InventorySettings settings) {
        this.context = context;
        this.settings = settings;
        this.queue = new WorkQueue<>(context.stopwatch(), context.pause(), Backoff.DEFAULT);
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
        return List.of();
    }

    @Override
    public void start() {
        threads.repeat("pool-inventory", this::work);
    }

    @Override
    public void elected(FencedDatastore fenced) {
        leading = true;
        queue.add(NAME);
    }

    @Override
    public void dismissed() {
        leading = false;
        counted = List.of();
    }

    private void work() throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(this::turn);
    }

    private void turn(String key) {
        try {
            if (closed || !leading) {
                return;
            }
            queue.addAfter(key, settings.period());
            var metrics = count(context.store());
            counted = leading ? metrics : List.of();
            failures.forget(key);
        } catch (DatastoreException failed) {
            failures.report(key, "cannot count pools and subnets: " + failed.getMessage());
        } finally {
            queue.done(key);
        }
    }

    private List<Metric> count(Datastore store) {
        var stock = new PoolStock();
        for (var kind : PoolStock.Kind.values()) {
            if (StoredKind.find(store, kind.keys(), HIDDEN, () -> scan(store, kind, stock))
                    .isPresent()) {
                stock.counted(kind);
            }
        }
        return stock.metrics(settings.each() == Gate.OPEN);
    }

    private static long scan(Datastore store, PoolStock.Kind kind, PoolStock stock) {
        return store.scan(kind.keys(), page -> page.forEach(document -> stock.add(kind, document)));
    }

    @Override
    public List<Metric> figures() {
        return counted;
    }

    @Override
    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    @Override
    public void close() {
        closed = true;
        queue.add(NAME);
        threads.close();
    }
}
