package io.cadastre.controller;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The threads of a control loop. A task that fails in a way that it does not know, as by a mistake in it, is reported
/// and goes on: what one document causes must not end the work on all others.
public final class LoopThreads implements AutoCloseable {

    /// Between such a failure and the next attempt.
    private static final Duration RETRY = Duration.ofSeconds(1);

    private static final int FRAMES_MAX = 8;

    private final ControllerContext context;
    private final FailureReports failures;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    public LoopThreads(ControllerContext context) {
        this.context = context;
        this.failures = new FailureReports(context);
    }

    /// What a thread does. An interrupt ends it.
    @FunctionalInterface
    public interface Task {
        void run() throws InterruptedException;
    }

    /// Does the task once, and again if it fails.
    public void begin(String name, Task task) {
        start(name, () -> {
            // Ends: when the task ends well, or this is closed.
            while (!closed && !endsWell(name, task)) {}
        });
    }

    /// Does the task again and again, until this is closed.
    public void repeat(String name, Task task) {
        start(name, () -> {
            // Ends: when this is closed.
            while (!closed) {
                var _ = endsWell(name, task);
            }
        });
    }

    private void start(String name, Task task) {
        // Those that have ended are not waited for.
        threads.removeIf(thread -> !thread.isAlive());
        threads.add(Thread.ofVirtual().name(name).start(() -> run(task)));
    }

    private static void run(Task task) {
        try {
            task.run();
        } catch (InterruptedException _) {
            // The thread ends.
        }
    }

    private boolean endsWell(String name, Task task) throws InterruptedException {
        try {
            task.run();
            failures.forget(name);
            return true;
        } catch (RuntimeException unexpected) {
            failures.report(name, "%s goes on after a failure that is a bug: %s".formatted(name, words(unexpected)));
            context.pause().pause(RETRY);
            return false;
        } catch (Error fatal) {
            failures.report(name, "%s ends by a failure that is a bug: %s".formatted(name, words(fatal)));
            throw fatal;
        }
    }

    /// In one line, with the places that it went through.
    private static String words(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .limit(FRAMES_MAX)
                .map(frame -> "at " + frame)
                .collect(Collectors.joining(", ", failure + ", ", ""));
    }

    /// Whether the tasks are to end.
    public boolean closed() {
        return closed;
    }

    /// Waits until all tasks have ended.
    @Override
    public void close() {
        closed = true;
        try {
            for (var thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
