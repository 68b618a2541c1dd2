package io.cadastre.controller;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The threads of a control loop.
public final class LoopThreads implements AutoCloseable {

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /// What a thread does. An interrupt ends it.
    @FunctionalInterface
    public interface Task {
        void run() throws InterruptedException;
    }

    /// Does the task once.
    public void begin(String name, Task task) {
        threads.add(Thread.ofVirtual().name(name).start(() -> run(task)));
    }

    /// Does the task again and again, until this is closed.
    public void repeat(String name, Task task) {
        begin(name, () -> {
            // Ends: when this is closed.
            while (!closed) {
                task.run();
            }
        });
    }

    private static void run(Task task) {
        try {
            task.run();
        } catch (InterruptedException _) {
            // The thread ends.
        }
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
