package io.cadastre.controller.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType.Range;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// A node allocator with all its threads and its own view of the store. The test elects it, and can let time pass. No
/// time passes before its first election, so that its list is a recent one however slow the machine is.
final class RunningAllocator implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05Z");
    /// How long before the election the term of the leader before had ended.
    private static final Duration EXPIRED = Duration.ofSeconds(4);

    private static final Duration POLL = Duration.ofMillis(5);

    /// When its time began to run; before, it stands still. Empty until it was elected.
    private final AtomicReference<Optional<Long>> started = new AtomicReference<>(Optional.empty());

    private final AtomicLong skippedNanos = new AtomicLong();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final LaggingStore view;
    private final NodeIpam loop;
    private final ControlLoops loops;
    private final Ledger ledger = new Ledger(new MemoryJournal());

    /// Looks often, so that skipped time is noticed.
    private static final class ShortPause implements Pause {

        private static final Pause REAL = Thread::sleep;
        private static final Duration LIMIT = Duration.ofMillis(20);

        @Override
        public void pause(Duration duration) throws InterruptedException {
            REAL.pause(shorter(duration));
        }

        @Override
        public void await(CompletableFuture<?> event, Duration limit) throws InterruptedException {
            Pause.super.await(event, shorter(limit));
        }

        private static Duration shorter(Duration duration) {
            return duration.compareTo(LIMIT) < 0 ? duration : LIMIT;
        }
    }

    private RunningAllocator(Datastore store, NodeWriter writer, NodeIpamSettings settings) {
        view = new LaggingStore(store);
        var context = new ControllerContext(
                view,
                ledger,
                () -> BEGINNING.plusNanos(nanos()),
                this::nanos,
                new SplittableRandom(1),
                new ShortPause(),
                reports::add);
        loop = new NodeIpam(context, settings, writer);
        loops = ControlLoops.begin(context, "a", List.of(loop));
    }

    /// One that has listed all Nodes and waits to be elected.
    static RunningAllocator waiting(Datastore store, NodeWriter writer, NodeIpamSettings settings) {
        var allocator = new RunningAllocator(store, writer, settings);
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .until(() ->
                        allocator.view.watches() >= allocator.loop.handlers().size());
        return allocator;
    }

    static RunningAllocator leading(Datastore store, NodeWriter writer, NodeCidrConfig config) {
        var allocator = waiting(store, writer, new NodeIpamSettings(new Range(config), 30));
        allocator.elect();
        return allocator;
    }

    private long nanos() {
        return skippedNanos.get()
                + started.get().map(beginning -> System.nanoTime() - beginning).orElse(0L);
    }

    private void runTime() {
        started.compareAndSet(Optional.empty(), Optional.of(System.nanoTime()));
    }

    /// Lets time pass on its clocks.
    void skip(Duration duration) {
        skippedNanos.addAndGet(duration.toNanos());
    }

    /// The lease of the leader before expired.
    void elect() {
        runTime();
        electAfter(nanos() - EXPIRED.toNanos());
    }

    /// The leader before left its lease just now.
    void electAfterHandover() {
        runTime();
        electAfter(nanos());
    }

    private void electAfter(long othersEndedNanos) {
        leading.set(true);
        loop.elected(new FencedDatastore(view, leading::get, "a", othersEndedNanos));
    }

    /// Its term is over, and it does not know yet.
    void loseTerm() {
        leading.set(false);
    }

    void dismiss() {
        leading.set(false);
        loop.dismissed();
    }

    LaggingStore view() {
        return view;
    }

    NodeIpam loop() {
        return loop;
    }

    Ledger ledger() {
        return ledger;
    }

    List<String> reports() {
        return reports;
    }

    void awaitReport(String part) {
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(reports).anyMatch(report -> report.contains(part)));
    }

    /// The value of a figure that has one series at most; empty if there is none.
    OptionalDouble figure(String name) {
        return loop.figures().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(Sample::value)
                .findFirst();
    }

    List<Metric> figures() {
        return loop.figures();
    }

    void awaitFigure(String name, double value) {
        await().atMost(PATIENCE)
                .pollInterval(POLL)
                .untilAsserted(() -> assertThat(figure(name)).hasValue(value));
    }

    /// Waits until it has nothing to do that is due.
    void awaitIdle() {
        await().atMost(PATIENCE).pollInterval(POLL).until(this::idle);
    }

    private boolean idle() {
        return figure("workqueue_depth").equals(OptionalDouble.of(0))
                && figure("workqueue_unfinished_work_seconds").equals(OptionalDouble.of(0));
    }

    @Override
    public void close() {
        view.catchUp();
        view.openLists();
        runTime();
        dismiss();
        loops.close();
    }
}
