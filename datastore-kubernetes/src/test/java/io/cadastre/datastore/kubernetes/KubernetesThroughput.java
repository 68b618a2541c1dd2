package io.cadastre.datastore.kubernetes;

import com.sun.management.OperatingSystemMXBean;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures commits per second beside the same requests through the JDK's HTTP client and nothing else,
/// on a real kube-apiserver, in one run.
///
/// A commit is a creation, or a compare-and-set update of an object of its own, of 1 KiB. Rounds are
/// interleaved. Arguments: seconds per round (2), rounds (3).
public final class KubernetesThroughput {

    private static final List<Integer> WRITER_COUNTS = List.of(1, 16, 64);
    private static final String NAMESPACE = "throughput";

    private KubernetesThroughput() {}

    public static void main(String[] arguments) throws Exception {
        var round = Duration.ofSeconds(arguments.length > 0 ? Long.parseLong(arguments[0]) : 2);
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        var directory = Files.createTempDirectory("kubernetes-throughput");
        try {
            measureAll(directory, round, rounds);
        } finally {
            try (var files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static void measureAll(Path directory, Duration round, int rounds) throws Exception {
        try (var server = KubeApiServer.start(directory);
                var store = server.open(DocumentsMap.in(NAMESPACE), Duration.ofSeconds(10));
                var raw = RawApi.of(server)) {
            measure(8, round, _ -> updates(store));
            measure(8, round, _ -> raw.updates());
            System.out.println("writers  what     commits/s  raw/s  per cent  our CPU us/commit  raw CPU us");
            for (int writerCount : WRITER_COUNTS) {
                print(
                        writerCount,
                        "creates",
                        rounds,
                        () -> measure(writerCount, round, _ -> creates(store)),
                        () -> measure(writerCount, round, _ -> raw.creates()));
                print(
                        writerCount,
                        "updates",
                        rounds,
                        () -> measure(writerCount, round, _ -> updates(store)),
                        () -> measure(writerCount, round, _ -> raw.updates()));
            }
        }
    }

    private static void print(int writerCount, String what, int rounds, Callable<Pace> ours, Callable<Pace> raw)
            throws Exception {
        var sum = new Pace(0, 0);
        var rawSum = new Pace(0, 0);
        for (int count = 0; count < rounds; count++) {
            sum = sum.plus(ours.call());
            rawSum = rawSum.plus(raw.call());
        }
        System.out.printf(
                "%7d  %s  %9.0f  %5.0f  %8.1f  %17.0f  %10.0f%n",
                writerCount,
                what,
                sum.perSecond / rounds,
                rawSum.perSecond / rounds,
                100 * sum.perSecond / rawSum.perSecond,
                sum.cpuMicros / rounds,
                rawSum.cpuMicros / rounds);
    }

    /// How many calls a second, and what one costs this process.
    private record Pace(double perSecond, double cpuMicros) {

        Pace plus(Pace other) {
            return new Pace(perSecond + other.perSecond, cpuMicros + other.cpuMicros);
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /// The pace of this many writers together.
    private static Pace measure(int writerCount, Duration round, WriterOf writerOf) throws Exception {
        var calls = new ArrayList<Callable<?>>();
        for (int writer = 0; writer < writerCount; writer++) {
            calls.add(writerOf.apply(writer));
        }
        long cpuBegun = cpuNanos();
        long begun = System.nanoTime();
        long end = begun + round.toNanos();
        long total = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var counts = new ArrayList<Future<Long>>();
            for (var call : calls) {
                counts.add(threads.submit(() -> RawApi.countUntil(end, call)));
            }
            for (var count : counts) {
                total += count.get();
            }
        }
        return new Pace(total / ((System.nanoTime() - begun) / 1e9), (cpuNanos() - cpuBegun) / 1e3 / total);
    }

    private static Callable<?> creates(KubernetesDatastore store) {
        return () -> done(store, new Write.Create(RawApi.freshKey(), RawApi.freshValue()));
    }

    private static Callable<?> updates(KubernetesDatastore store) {
        var key = RawApi.freshKey();
        var revision = new long[] {done(store, new Write.Create(key, RawApi.freshValue()))};
        return () -> {
            revision[0] = done(store, new Write.Update(key, RawApi.freshValue(), revision[0]));
            return revision;
        };
    }

    private static long done(KubernetesDatastore store, Write write) {
        return ((Commit.Done) store.commit(List.of(write))).revisions().getFirst();
    }

    @FunctionalInterface
    private interface WriterOf {
        Callable<?> apply(int writer) throws Exception;
    }
}
