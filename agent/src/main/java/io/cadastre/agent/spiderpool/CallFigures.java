package io.cadastre.agent.spiderpool;

import io.cadastre.registry.RequestListener;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// How the calls of one kind went: their number, how they failed, how long they took, and how long they waited for
/// their turn.
final class CallFigures {

    /// What the message of a failure says of its cause. One message may name several.
    enum FailureClass {
        NO_AVAILABLE_POOL("no IPPool available", "no pool was available"),
        RETRIES_EXHAUSTED("exhaust all retries", "others wrote the same pools all the time"),
        IP_USED_OUT("all IP addresses used out", "all addresses were used"),

        /// Counts as a failure only: what the caller asks cannot be done.
        WRONG_INPUT("wrong input", ""),

        /// None of the others.
        INTERNAL("", "another cause");

        private final String words;
        private final String cause;

        FailureClass(String words, String cause) {
            this.words = words;
            this.cause = cause;
        }

        private static List<FailureClass> of(String message) {
            var named = Arrays.stream(values())
                    .filter(one -> one != INTERNAL && message.contains(one.words))
                    .toList();
            return named.isEmpty() ? List.of(INTERNAL) : named;
        }

        private Optional<String> metric() {
            return this == WRONG_INPUT
                    ? Optional.empty()
                    : Optional.of("err_%s_counts_total".formatted(name().toLowerCase(Locale.ROOT)));
        }
    }

    private final String kind;
    private final Set<FailureClass> classes;
    private final LongSupplier nanos;

    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong conflicts = new AtomicLong();
    private final Map<FailureClass, AtomicLong> byClass = new EnumMap<>(FailureClass.class);
    private final DurationFigures durations = new DurationFigures();
    private final DurationFigures waits = new DurationFigures();

    /// @param kind as in the names of the metrics
    /// @param classes the failures that are shown
    /// @param nanos the clock that only runs forward
    CallFigures(String kind, Set<FailureClass> classes, LongSupplier nanos) {
        this.kind = kind;
        this.classes = Set.copyOf(classes);
        this.nanos = nanos;
        for (var one : FailureClass.values()) {
            byClass.put(one, new AtomicLong());
        }
    }

    /// Does a call, and counts how it goes.
    ///
    /// @param call reports to the listener when its turn comes, and each conflict
    <T> T count(Function<RequestListener, T> call) {
        long from = nanos.getAsLong();
        calls.incrementAndGet();
        try {
            return call.apply(new Progress(from));
        } catch (SpiderpoolAgentException failed) {
            failures.incrementAndGet();
            var named = FailureClass.of(failed.words());
            byClass.forEach((one, count) -> {
                if (named.contains(one)) {
                    count.incrementAndGet();
                }
            });
            throw failed;
        } finally {
            durations.observe(nanos.getAsLong() - from);
        }
    }

    private final class Progress implements RequestListener {

        private final long from;

        Progress(long from) {
            this.from = from;
        }

        @Override
        public void begun() {
            waits.observe(nanos.getAsLong() - from);
        }

        @Override
        public void conflicted() {
            conflicts.incrementAndGet();
        }
    }

    List<Metric> metrics() {
        var prefix = "spiderpool_ipam_" + kind + "_";
        var metrics = new ArrayList<Metric>();
        metrics.add(counter(prefix + "counts_total", "Calls of %s.".formatted(kind), calls));
        metrics.add(counter(prefix + "failure_counts_total", "Calls of %s that failed.".formatted(kind), failures));
        metrics.add(counter(
                prefix + "update_ippool_conflict_counts_total",
                "Writes of pools by calls of %s that met the write of another process.".formatted(kind),
                conflicts));
        byClass.forEach((one, count) -> {
            if (classes.contains(one)) {
                one.metric()
                        .ifPresent(name -> metrics.add(counter(
                                prefix + name, "Calls of %s that failed since %s.".formatted(kind, one.cause), count)));
            }
        });
        metrics.addAll(durations.metrics(prefix, "duration_seconds", "calls of %s.".formatted(kind)));
        metrics.addAll(
                waits.metrics(prefix, "limit_duration_seconds", "calls of %s before their turn came.".formatted(kind)));
        return metrics;
    }

    private static Metric counter(String name, String help, AtomicLong count) {
        return Metric.counter(name, help, List.of(Sample.of((double) count.get())));
    }
}
