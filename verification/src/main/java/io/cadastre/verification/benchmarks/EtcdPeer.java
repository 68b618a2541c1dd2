package io.cadastre.verification.benchmarks;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdEndpoint;
import io.cadastre.datastore.etcd.EtcdSettings;
import io.cadastre.registry.Pause;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/// A real etcd on loopback, from the PATH, and what it counts.
final class EtcdPeer implements AutoCloseable {

    private static final int STARTS_MAX = 600;

    private static final Pattern HANDLED =
            Pattern.compile("grpc_server_handled_total\\{grpc_code=\"OK\",grpc_method=\"(\\w+)\","
                    + "grpc_service=\"etcdserverpb.KV\",grpc_type=\"unary\"} (\\S+)");

    private final Path directory;
    private final Process process;
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();

    private EtcdPeer(Path directory, Process process, String url) {
        this.directory = directory;
        this.process = process;
        this.url = url;
    }

    static EtcdPeer start(Pause pause) throws IOException, InterruptedException {
        var directory = Files.createTempDirectory("cadastre-bench");
        var client = "http://127.0.0.1:" + freePort();
        var peer = "http://127.0.0.1:" + freePort();
        var builder = new ProcessBuilder(
                "etcd",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer);
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        var etcd = new EtcdPeer(directory, builder.start(), client);
        etcd.awaitReady(pause);
        return etcd;
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(Pause pause) throws InterruptedException {
        for (int count = 0; count < STARTS_MAX; count++) {
            try (var store = open()) {
                if (store.get("/anything").isEmpty()) {
                    return;
                }
            } catch (DatastoreException _) {
                pause.pause(Duration.ofMillis(100));
            }
        }
        throw new IllegalStateException("etcd did not start; see %s/log".formatted(directory));
    }

    String url() {
        return url;
    }

    EtcdDatastore open() {
        return EtcdDatastore.open(
                EtcdSettings.of(List.of(EtcdEndpoint.parse(url))).withCallLimit(Duration.ofSeconds(30)));
    }

    /// Requests that etcd has served.
    record Counters(long ranges, long transactions, long puts) {

        Counters since(Counters before) {
            return new Counters(ranges - before.ranges, transactions - before.transactions, puts - before.puts);
        }

        Counters plus(Counters more) {
            return new Counters(ranges + more.ranges, transactions + more.transactions, puts + more.puts);
        }

        String perOperation(long operations) {
            return "%.2f reads, %.2f transactions"
                    .formatted((double) ranges / operations, (double) transactions / operations);
        }
    }

    Counters counters() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + "/metrics")).build();
        var matcher =
                HANDLED.matcher(http.send(request, BodyHandlers.ofString()).body());
        long ranges = 0;
        long transactions = 0;
        long puts = 0;
        while (matcher.find()) {
            long count = (long) Double.parseDouble(matcher.group(2));
            switch (matcher.group(1)) {
                case "Range" -> ranges = count;
                case "Txn" -> transactions = count;
                case "Put" -> puts = count;
                default -> {}
            }
        }
        return new Counters(ranges, transactions, puts);
    }

    @Override
    public void close() throws IOException {
        http.close();
        process.destroyForcibly();
        process.onExit().join();
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
