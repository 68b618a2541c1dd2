package io.cadastre.controller;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdEndpoint;
import io.cadastre.datastore.etcd.EtcdSettings;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A real etcd on loopback, for the tests of one class.
public final class LocalEtcd implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final EtcdSettings settings;

    private LocalEtcd(Process process, EtcdSettings settings) {
        this.process = process;
        this.settings = settings;
    }

    /// Starts one, or ends the tests, as not run, where there is none.
    public static LocalEtcd start(Path directory) throws IOException {
        boolean installed =
                List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                        .stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd")));
        assumeTrue(installed, "no etcd on the PATH");
        var client = "http://127.0.0.1:" + freePort();
        var peer = "http://127.0.0.1:" + freePort();
        var builder =
                new ProcessBuilder(
                        "etcd",
                        "--data-dir=" + directory.resolve("data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer);
        builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        var etcd =
                new LocalEtcd(
                        builder.start(),
                        EtcdSettings.of(List.of(EtcdEndpoint.parse(client)))
                                .withCallLimit(Duration.ofSeconds(30)));
        await().atMost(START_LIMIT).until(etcd::answers);
        return etcd;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean answers() {
        try (var store = EtcdDatastore.open(settings.withCallLimit(Duration.ofSeconds(2)))) {
            return store.get("/anything").isEmpty();
        } catch (DatastoreException _) {
            return false;
        }
    }

    /// A store in which there is nothing.
    public Datastore openEmpty() {
        var store = EtcdDatastore.open(settings);
        for (var document : store.listAll("").documents()) {
            store.commit(List.of(new Write.Delete(document.key(), document.revision())));
        }
        return store;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
