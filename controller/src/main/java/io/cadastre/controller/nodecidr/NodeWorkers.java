package io.cadastre.controller.nodecidr;

import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.LoopThreads;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.queue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The threads of a loop that gives Nodes CIDRs. Workers take the names of Nodes from a queue; beside them, events are
/// written, and the history.
public final class NodeWorkers implements AutoCloseable {

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final ControllerContext context;
    private final WorkQueue<String> queue;
    private final NodeEvents events;
    private final NodeCidrHistory history;
    private final LoopThreads threads;

    private volatile long lastTurnNanos;

    public NodeWorkers(ControllerContext context, WorkQueue<String> queue, NodeEvents events, NodeCidrHistory history) {
        this.context = context;
        this.queue = queue;
        this.events = events;
        this.history = history;
        this.threads = new LoopThreads(context);
        this.lastTurnNanos = context.stopwatch().nanos();
    }

    /// Begins to work.
    ///
    /// @param leader the store to which events may be written; empty while another process leads
    /// @param turn works on the Node of a name, and lets the queue know when that has ended
    public void start(String name, int workersMax, Supplier<Optional<FencedDatastore>> leader, Consumer<String> turn) {
        for (int worker = 1; worker <= workersMax; worker++) {
            threads.repeat("%s-%d".formatted(name, worker), () -> work(turn));
        }
        threads.repeat("node-events", () -> events.turn(leader));
        threads.repeat("node-cidr-history", history::turn);
    }

    /// Does something once, beside the rest, and again if it fails.
    public void begin(String name, LoopThreads.Task task) {
        threads.begin(name, task);
    }

    private void work(Consumer<String> turn) throws InterruptedException {
        lastTurnNanos = context.stopwatch().nanos();
        queue.take(LOOK_UP).ifPresent(turn);
    }

    public Duration sinceLastTurn() {
        return Duration.ofNanos(context.stopwatch().nanos() - lastTurnNanos);
    }

    /// Whether the work is to end.
    public boolean closed() {
        return threads.closed();
    }

    /// Waits until the threads have ended. What the history still lacks is written by [NodeCidrHistory#finish()].
    @Override
    public void close() {
        threads.close();
    }
}
