package io.cadastre.datastore.kubernetes;

import com.sun.management.OperatingSystemMXBean;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.fabric8.kubernetes.client.internal.SSLUtils;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Measures commits per second beside the same requests through the JDK's HTTP client and nothing else,
/// on a real kube-apiserver, in one run.
///
/// A commit is a creation, or a compare-and-set update of an object of its own, of 1 KiB. Rounds are
/// interleaved. Arguments: seconds per round (2), rounds (3).
public final class KubernetesThroughput {

    private static final List<Integer> WRITER_COUNTS = List.of(1, 16, 64);
    private static final String NAMESPACE = "throughput";
    private static final AtomicLong NUMBER = new AtomicLong();

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
                var raw = new Raw(server)) {
            measure(8, round, _ -> updates(store));
            measure(8, round, _ -> raw.updates());
            System.out.println(
                    "writers  what     commits/s  raw/s  per cent  our CPU us/commit  raw CPU us");
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

    private static void print(
            int writerCount, String what, int rounds, Callable<Pace> ours, Callable<Pace> raw)
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
    private static Pace measure(int writerCount, Duration round, WriterOf writerOf)
            throws Exception {
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
                counts.add(threads.submit(() -> countUntil(end, call)));
            }
            for (var count : counts) {
                total += count.get();
            }
        }
        return new Pace(
                total / ((System.nanoTime() - begun) / 1e9), (cpuNanos() - cpuBegun) / 1e3 / total);
    }

    private static long countUntil(long end, Callable<?> call) throws Exception {
        long count = 0;
        while (System.nanoTime() < end) {
            call.call();
            count++;
        }
        return count;
    }

    private static Callable<?> creates(KubernetesDatastore store) {
        return () -> done(store, new Write.Create(freshKey(), freshValue()));
    }

    private static Callable<?> updates(KubernetesDatastore store) {
        var key = freshKey();
        var revision = new long[] {done(store, new Write.Create(key, freshValue()))};
        return () -> {
            revision[0] = done(store, new Write.Update(key, freshValue(), revision[0]));
            return revision;
        };
    }

    private static long done(KubernetesDatastore store, Write write) {
        return ((Commit.Done) store.commit(List.of(write))).revisions().getFirst();
    }

    private static String freshKey() {
        return "key-" + NUMBER.incrementAndGet();
    }

    private static Bytes freshValue() {
        return Bytes.ofUtf8("%01024d".formatted(NUMBER.incrementAndGet()));
    }

    /// The same requests, made as plainly as can be.
    private static final class Raw implements AutoCloseable {

        private final DocumentsMap map = DocumentsMap.in(NAMESPACE);
        private final HttpClient http;
        private final String collection;

        Raw(KubeApiServer server) throws Exception {
            var access = (Access.Kubeconfig) server.settings().access();
            var config = Configurations.of(KubernetesSettings.of(access));
            http =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .sslContext(SSLUtils.sslContext(config))
                            .build();
            collection =
                    config.getMasterUrl()
                            + "apis/cadastre.test/v1/namespaces/%s/documents".formatted(NAMESPACE);
        }

        Callable<?> creates() {
            return () -> send("POST", collection, map.create(freshKey(), freshValue()));
        }

        Callable<?> updates() throws Exception {
            var key = freshKey();
            var object = new Bytes[] {send("POST", collection, map.create(key, freshValue()))};
            var uri = collection + "/" + DocumentsMap.digest(key);
            return () -> {
                object[0] = send("PUT", uri, map.update(object[0], key, freshValue()));
                return object;
            };
        }

        private Bytes send(String method, String uri, Bytes body) throws Exception {
            var request =
                    HttpRequest.newBuilder(URI.create(uri))
                            .header("Authorization", "Bearer " + KubeApiServer.ADMIN_TOKEN)
                            .header("Content-Type", "application/json")
                            .method(
                                    method,
                                    HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
                            .build();
            var answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (answer.statusCode() >= 300) {
                throw new AssertionError(answer.statusCode());
            }
            return Bytes.of(answer.body());
        }

        @Override
        public void close() {
            http.close();
        }
    }

    @FunctionalInterface
    private interface WriterOf {
        Callable<?> apply(int writer) throws Exception;
    }
}
