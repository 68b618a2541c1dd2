package io.cadastre.verification.benchmarks;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Callers who each wait for an answer before they ask again.
final class Crowd {

    /// One operation of a caller.
    @FunctionalInterface
    interface Deed {
        void run(int caller, int number);
    }

    private Crowd() {}

    /// Lets every caller do its deed so many times, all callers at once.
    static Figures measure(int callers, int times, Deed deed) throws InterruptedException {
        var nanos = new long[callers * times];
        long begin = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int caller = 0; caller < callers; caller++) {
                int who = caller;
                running.add(
                        threads.submit(
                                () -> {
                                    for (int number = 0; number < times; number++) {
                                        long start = System.nanoTime();
                                        deed.run(who, number);
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
