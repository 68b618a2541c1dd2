package io.cadastre.verification.benchmarks;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Callers that each wait for an answer before they ask again.
final class ConcurrentCallers {

    /// One operation of a caller.
    @FunctionalInterface
    interface Operation {
        void run(int caller, int number);
    }

    private ConcurrentCallers() {}

    /// Lets every caller do its operation the given number of times, all callers at once.
    static Figures measure(int callers, int times, Operation operation) throws InterruptedException {
        var nanos = new long[callers * times];
        long begin = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int caller = 0; caller < callers; caller++) {
                int who = caller;
                running.add(threads.submit(() -> {
                    for (int number = 0; number < times; number++) {
                        long start = System.nanoTime();
                        operation.run(who, number);
                        nanos[who * times + number] = System.nanoTime() - start;
                    }
                }));
            }
            for (var one : running) {
                one.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
        return new Figures(nanos, System.nanoTime() - begin);
    }
}
