package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;

/// Measures HTTP/1.1 beside HTTP/2 on a real kube-apiserver, by the JDK's client alone and by our store, which probes:
/// merge patches of as many objects by 30 writers that share one client, and how long it takes until a request is
/// answered again after all connections have died in silence. Arguments: seconds per round (3), rounds (3), the time
/// limit in seconds of a request of the JDK's client (2).
public final class HttpVersions implements AutoCloseable {

    private static final List<Version> VERSIONS = List.of(Version.HTTP_1_1, Version.HTTP_2);

    private static final int WRITERS = 30;

    /// After this long without an answer a connection counts as never coming back.
    private static final Duration GIVEN_UP_AFTER = Duration.ofSeconds(30);

    private final KubeApiServer running;
    private final SSLContext context;
    private final URI server;
    private final DyingProxy proxy;

    private HttpVersions(KubeApiServer running) throws Exception {
        this.running = running;
        var config = Configurations.of(
                KubernetesSettings.of((Access.Kubeconfig) running.settings().access()));
        context = SSLUtils.sslContext(config);
        server = URI.create(config.getMasterUrl());
        proxy = new DyingProxy(server.getPort());
    }

    public static void main(String[] arguments) throws Exception {
        var round = Duration.ofSeconds(argument(arguments, 0, 3));
        long rounds = argument(arguments, 1, 3);
        var limit = Duration.ofSeconds(argument(arguments, 2, 2));
        var directory = Files.createTempDirectory("http-versions");
        try (var running = KubeApiServer.start(directory);
                var trial = new HttpVersions(running)) {
            trial.patchesPerSecond(Version.HTTP_1_1, round);
            for (int number = 0; number < rounds; number++) {
                for (var version : VERSIONS) {
                    System.out.printf("%s: %.0f patches/s%n", version, trial.patchesPerSecond(version, round));
                }
                for (var version : VERSIONS) {
                    System.out.printf("store, %s: %.0f patches/s%n", version, trial.storedPerSecond(version, round));
                }
            }
            System.out.printf("limit of a request: %s%n", limit);
            for (var version : VERSIONS) {
                System.out.printf("%s: %s%n", version, trial.silence(version, limit));
                System.out.printf("store, %s: %s%n", version, trial.silenceOfStore(version));
            }
        } finally {
            try (var files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static long argument(String[] arguments, int index, long otherwise) {
        return arguments.length > index ? Long.parseLong(arguments[index]) : otherwise;
    }

    private HttpClient client(Version version) {
        return HttpClient.newBuilder().version(version).sslContext(context).build();
    }

    private KubernetesDatastore store(Version version, int port) {
        var settings = running.settingsThrough(port);
        var config = Configurations.of(settings);
        config.setHttp2Disable(version == Version.HTTP_1_1);
        var transport = Configurations.transport(config, ProbeLimits.DEFAULT);
        return new KubernetesDatastore(
                new ApiClient(config.getMasterUrl(), transport, settings, new Random(1)),
                DocumentsMap.in("throughput"));
    }

    private double storedPerSecond(Version version, Duration round) throws Exception {
        try (var store = store(version, server.getPort())) {
            var writers = new ArrayList<Callable<?>>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(patches(store));
            }
            return perSecond(writers, round);
        }
    }

    private static Callable<?> patches(KubernetesDatastore store) {
        var key = RawApi.freshKey();
        done(store.commit(List.of(new Write.Create(key, RawApi.freshValue()))));
        return () -> {
            done(store.patch(new ObjectPatch(key, ObjectPatch.Merge.JSON, Rewriting.WHOLE, annotation())));
            return key;
        };
    }

    private static void done(Commit commit) {
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError(commit);
        }
    }

    private static Bytes annotation() {
        return Bytes.ofUtf8("{\"metadata\":{\"annotations\":{\"number\":\"%s\"}}}"
                .formatted(RawApi.freshValue().utf8()));
    }

    private double patchesPerSecond(Version version, Duration round) throws Exception {
        try (var http = client(version)) {
            var writers = new ArrayList<Callable<?>>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(patches(http));
            }
            return perSecond(writers, round);
        }
    }

    private static double perSecond(List<Callable<?>> writers, Duration round) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            long end = begun + round.toNanos();
            var counts = new ArrayList<Future<Long>>();
            for (var writer : writers) {
                counts.add(threads.submit(() -> RawApi.countUntil(end, writer)));
            }
            long total = 0;
            for (var count : counts) {
                total += count.get();
            }
            return total / ((System.nanoTime() - begun) / 1e9);
        }
    }

    /// Patches of one object, which is created now.
    private Callable<?> patches(HttpClient http) throws Exception {
        var key = RawApi.freshKey();
        var collection = "apis/cadastre.test/v1/namespaces/throughput/documents";
        var object = DocumentsMap.in("throughput").create(key, RawApi.freshValue());
        send(
                http,
                request(server.getPort(), collection)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(object.toByteArray())));
        return () -> send(
                http,
                request(server.getPort(), collection + "/" + DocumentsMap.digest(key))
                        .header("Content-Type", "application/merge-patch+json")
                        .method("PATCH", BodyPublishers.ofByteArray(annotation().toByteArray())));
    }

    /// How long it takes until a request is answered after all connections that are open have gone dead. As many were
    /// opened by requests at once.
    private String silence(Version version, Duration limit) throws Exception {
        var http = client(version);
        atOnce(() -> send(http, request(proxy.port(), "version")));
        var answered = answered(() -> {
            try {
                send(http, request(proxy.port(), "version").timeout(limit));
                return true;
            } catch (HttpTimeoutException unanswered) {
                return false;
            }
        });
        http.shutdownNow();
        return answered;
    }

    /// The same by a store, each of whose calls may take as long as by default.
    private String silenceOfStore(Version version) throws Exception {
        try (var store = store(version, proxy.port())) {
            atOnce(() -> store.get("silence"));
            return answered(() -> {
                try {
                    store.get("silence");
                    return true;
                } catch (DatastoreException unanswered) {
                    return false;
                }
            });
        }
    }

    private static void atOnce(Callable<?> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var opening = new ArrayList<Future<?>>();
            for (int number = 0; number < WRITERS; number++) {
                opening.add(threads.submit(call));
            }
            for (var opened : opening) {
                opened.get();
            }
        }
    }

    private String answered(Callable<Boolean> call) throws Exception {
        int dead = proxy.kill();
        long begun = System.nanoTime();
        for (int tries = 1; ; tries++) {
            boolean answered = call.call();
            var after = Duration.ofNanos(System.nanoTime() - begun);
            if (answered || after.compareTo(GIVEN_UP_AFTER) > 0) {
                return "%d connections died, %s by %d tries within %.1f s"
                        .formatted(dead, answered ? "answered" : "not answered", tries, after.toMillis() / 1e3);
            }
        }
    }

    private HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("https://%s:%d/%s".formatted(server.getHost(), port, path)))
                .header("Authorization", "Bearer " + KubeApiServer.ADMIN_TOKEN);
    }

    private static int send(HttpClient http, HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = http.send(request.build(), BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 300) {
            throw new AssertionError(answer.statusCode());
        }
        return answer.statusCode();
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
