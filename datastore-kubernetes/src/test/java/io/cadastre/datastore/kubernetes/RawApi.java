package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Creations and updates of objects of 1 KiB, as plainly as they can be made.
public final class RawApi implements AutoCloseable {

    private static final String NAMESPACE = "throughput";
    private static final AtomicLong NUMBER = new AtomicLong();

    private final DocumentsMap map = DocumentsMap.in(NAMESPACE);
    private final HttpClient http;
    private final String collection;

    private RawApi(KubeApiServer server) throws Exception {
        var access = (Access.Kubeconfig) server.settings().access();
        var config = Configurations.of(KubernetesSettings.of(access));
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(SSLUtils.sslContext(config))
                .build();
        collection = config.getMasterUrl() + "apis/cadastre.test/v1/namespaces/%s/documents".formatted(NAMESPACE);
    }

    public static RawApi of(KubeApiServer server) throws Exception {
        return new RawApi(server);
    }

    Callable<?> creates() {
        return () -> send("POST", collection, map.create(freshKey(), freshValue()));
    }

    /// Updates of one object, which is created now.
    Callable<?> updates() throws Exception {
        var key = freshKey();
        var object = new Bytes[] {send("POST", collection, map.create(key, freshValue()))};
        var uri = collection + "/" + DocumentsMap.digest(key);
        return () -> {
            object[0] = send("PUT", uri, map.update(object[0], key, freshValue()));
            return object;
        };
    }

    /// How many updates as many writers make together, each of an object of its own.
    public double updatesPerSecond(int writerCount, Duration round) throws Exception {
        var writers = new ArrayList<Callable<?>>();
        for (int writer = 0; writer < writerCount; writer++) {
            writers.add(updates());
        }
        long begun = System.nanoTime();
        long end = begun + round.toNanos();
        long total = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var counts = new ArrayList<Future<Long>>();
            for (var writer : writers) {
                counts.add(threads.submit(() -> countUntil(end, writer)));
            }
            for (var count : counts) {
                total += count.get();
            }
        }
        return total / ((System.nanoTime() - begun) / 1e9);
    }

    static long countUntil(long end, Callable<?> call) throws Exception {
        long count = 0;
        while (System.nanoTime() < end) {
            call.call();
            count++;
        }
        return count;
    }

    static String freshKey() {
        return "key-" + NUMBER.incrementAndGet();
    }

    static Bytes freshValue() {
        return Bytes.ofUtf8("%01024d".formatted(NUMBER.incrementAndGet()));
    }

    private Bytes send(String method, String uri, Bytes body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(uri))
                .header("Authorization", "Bearer " + KubeApiServer.ADMIN_TOKEN)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body.toByteArray()))
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
