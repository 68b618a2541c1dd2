package io.cadastre.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Asks for many things at once, so that the registrar can combine them into few commits.
public final class Concurrently {

    /// At most this many are asked for at once; the registrar would reject more.
    private static final int AT_ONCE_MAX = 1024;

    private Concurrently() {}

    /// Runs the task for each thing and reports the results in the order of the things, each as soon as it
    /// and those before it are there. When a task fails, those begun with it are still awaited and
    /// reported, no others are begun, and then the first failure is thrown. So nothing runs any more when
    /// this returns or throws, and what the tasks use may be closed.
    public static <T, R> void run(List<T> things, Function<T, R> task, BiConsumer<T, R> report) {
        for (int from = 0; from < things.size(); from += AT_ONCE_MAX) {
            var some = things.subList(from, Math.min(from + AT_ONCE_MAX, things.size()));
            var results =
                    some.stream().map(thing -> begin(() -> task.apply(thing))).toList();
            try {
                reportAll(some, results, report);
            } finally {
                // A report may fail, too.
                results.forEach(Concurrently::await);
            }
        }
    }

    private static <T, R> void reportAll(List<T> things, List<CompletableFuture<R>> results, BiConsumer<T, R> report) {
        var failures = new ArrayList<Throwable>();
        for (int index = 0; index < things.size(); index++) {
            var result = results.get(index);
            await(result);
            if (result.isCompletedExceptionally()) {
                failures.add(result.exceptionNow());
            } else {
                report.accept(things.get(index), result.resultNow());
            }
        }
        if (!failures.isEmpty()) {
            throw unchecked(failures.getFirst());
        }
    }

    private static <R> CompletableFuture<R> begin(Supplier<R> task) {
        return CompletableFuture.supplyAsync(task, Thread::startVirtualThread);
    }

    private static void await(CompletableFuture<?> result) {
        result.handle((_, _) -> true).join();
    }

    private static RuntimeException unchecked(Throwable failure) {
        return switch (failure) {
            case RuntimeException thrown -> thrown;
            case Error error -> throw error;
            default -> new IllegalStateException(failure);
        };
    }
}
