package io.cadastre.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A real etcd on loopback.
record EtcdServer(RunningProcess process, String endpoint) implements AutoCloseable {

    static EtcdServer start(Path directory) throws IOException, InterruptedException {
        var path = System.getenv().getOrDefault("PATH", "");
        assumeTrue(
                Stream.of(path.split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd"))),
                "no etcd on the PATH");
        String client;
        String peer;
        try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            client = "http://127.0.0.1:" + one.getLocalPort();
            peer = "http://127.0.0.1:" + other.getLocalPort();
        }
        var process =
                RunningProcess.start(
                        directory,
                        Map.of("PATH", path),
                        List.of(
                                "etcd",
                                "--name=one",
                                "--data-dir=" + directory.resolve("etcd"),
                                "--listen-client-urls=" + client,
                                "--advertise-client-urls=" + client,
                                "--listen-peer-urls=" + peer,
                                "--initial-advertise-peer-urls=" + peer,
                                "--initial-cluster=one=" + peer));
        process.awaitErr("client requests");
        return new EtcdServer(process, client);
    }

    @Override
    public void close() {
        process.close();
    }
}
