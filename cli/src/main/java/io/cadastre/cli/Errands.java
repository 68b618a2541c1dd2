package io.cadastre.cli;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Asks for many things at once, so that the registrar can combine them into few commits.
final class Errands {

    /// More than this are not asked for at once; the registrar would turn them away.
    private static final int AT_ONCE_MAX = 1024;

    private Errands() {}

    /// Runs the errand for each thing and reports the results in the order of the things, each as soon as
    /// it and those before it are there. When an errand fails, what is done by then is still reported and
    /// the rest is not waited for, since it will meet the same failure.
    static <T, R> void run(List<T> things, Function<T, R> errand, BiConsumer<T, R> report) {
        for (int from = 0; from < things.size(); from += AT_ONCE_MAX) {
            var some = things.subList(from, Math.min(from + AT_ONCE_MAX, things.size()));
            var results = some.stream().map(thing -> begin(() -> errand.apply(thing))).toList();
            for (int index = 0; index < some.size(); index++) {
                var result = results.get(index);
                try {
                    report.accept(some.get(index), result.join());
                } catch (CompletionException failed) {
                    int after = index + 1;
                    reportDone(
                            some.subList(after, some.size()),
                            results.subList(after, some.size()),
                            report);
                    throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
                }
            }
        }
    }

    private static <R> CompletableFuture<R> begin(Supplier<R> errand) {
        return CompletableFuture.supplyAsync(errand, Thread::startVirtualThread);
    }

    private static <T, R> void reportDone(
            List<T> things, List<CompletableFuture<R>> results, BiConsumer<T, R> report) {
        for (int index = 0; index < things.size(); index++) {
            if (results.get(index).state() == Future.State.SUCCESS) {
                report.accept(things.get(index), results.get(index).resultNow());
            }
        }
    }
}
