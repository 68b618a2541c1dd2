package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cni.doorbell.Doorbell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.registry.Pause;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Does what users do most, so that the virtual machine learns which classes and methods that takes and the
/// launcher can keep them ready in a cache. What it decides and prints is thrown away.
final class TrainingRun {

    private static final String POOL = """
        apiVersion: projectcalico.org/v3
        kind: IPPool
        metadata: {name: training}
        spec: {cidr: 192.0.2.0/24, blockSize: 28}
        """;

    /// As often as a plugin calls an agent that has just started.
    private static final int CALLS = 50;

    private static final Duration START_MAX = Duration.ofSeconds(20);

    private static final Duration START_POLL = Duration.ofMillis(10);

    private final Pause pause = Thread::sleep;

    private final Path folder;

    private TrainingRun(Path folder) {
        this.folder = folder;
    }

    /// Runs what a command or an agent runs, so that the JVM can note which classes that takes.
    ///
    /// @param arguments what to train, and an empty folder to work in
    public static void main(String[] arguments) throws Exception {
        var training = new TrainingRun(Path.of(arguments[1]));
        switch (arguments[0]) {
            case "commands" -> training.commands();
            case "etcd" -> training.etcd();
            case "agent" -> training.agent();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(ExitCode.DONE);
    }

    private void commands() {
        run("", "--version");
        run("", "--help");
        run("", "ipam", "--help");
        run(POOL, "apply", "-f", "-");
        run("", "ipam", "assign", "--node", "node-1", "--handle", "training");
        run("", "ipam", "assign", "--node", "node-2", "--num4", "3", "-o", "json");
        run("", "ipam", "show", "--show-blocks");
        run("", "ipam", "show");
        run("", "ipam", "show", "--ip", "192.0.2.1");
        run("", "ipam", "check");
        run("", "explain", "ipam", "assign", "--node", "node-1");
        run("", "get", "ippools");
        run("", "get", "nodes", "-o", "yaml");
        run("", "node-cidr", "add", "node-1", "--cluster-cidr", "198.51.100.0/24", "--node-cidr-mask-size=28");
        run("", "node-cidr", "show");
        run("", "history", "--ip", "192.0.2.1");
        run("", "who", "192.0.2.1");
        run("", "history", "-o", "wide");
        run("", "ledger", "verify");
        run("", "ipam", "release-handle", "training");
        run("", "ipam", "misspelt");
        run("", "ipam", "show", "--ip", "192.0.2.300");
    }

    /// What is read there. Nothing can be written, which is seldom anyway.
    private void etcd() throws Exception {
        try (var etcd = TrainingEtcd.start()) {
            var environment =
                    Map.of("HOME", folder.toString(), "DATASTORE_TYPE", "etcdv3", "ETCD_ENDPOINTS", etcd.endpoint());
            for (var words : List.of(
                    List.of("ipam", "show", "--show-blocks"),
                    List.of("ipam", "show"),
                    List.of("ipam", "show", "--ip", "192.0.2.1"),
                    List.of("ipam", "check"),
                    List.of("explain", "ipam", "assign", "--node", "node-1"),
                    List.of("get", "ippools"),
                    List.of("node-cidr", "show"))) {
                run(environment, "", words.toArray(String[]::new));
            }
        }
    }

    private void agent() throws Exception {
        var socket = folder.resolve("agent.sock");
        var spool = folder.resolve("spool");
        var up = Thread.ofPlatform()
                .daemon()
                .start(() -> run("", "up", "--node=node-1", "--socket=" + socket, "--spool=" + spool));
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (!Files.exists(socket) && System.nanoTime() < deadline) {
            pause.pause(START_POLL);
        }
        var doorbell = new Doorbell(DoorbellSettings.of(socket, spool));
        for (int number = 0; number < CALLS; number++) {
            call(doorbell, "ADD", number, "{\"type\": \"cadastre-ipam\"}");
            call(doorbell, "DEL", number, "{\"type\": \"cadastre-ipam\"}");
            var hostLocal = """
                {"type": "cadastre-ipam", "dialect": "host-local", "dataDir": "%s",
                 "ranges": [[{"subnet": "203.0.113.0/24"}]]}
                """.formatted(folder.resolve("leases"));
            call(doorbell, "ADD", number, hostLocal);
            call(doorbell, "DEL", number, hostLocal);
        }
        up.interrupt();
        up.join(START_MAX);
    }

    private static void call(Doorbell doorbell, String verb, int number, String ipam) {
        var environment = Map.of(
                "CNI_COMMAND", verb,
                "CNI_CONTAINERID", "training-" + number,
                "CNI_NETNS", "/run/netns/training",
                "CNI_IFNAME", "eth0",
                "CNI_PATH", "/opt/cni/bin");
        doorbell.ring(
                "cadastre-ipam",
                environment,
                in("{\"cniVersion\": \"1.0.0\", \"name\": \"training\", \"ipam\": %s}".formatted(ipam)));
    }

    private void run(String input, String... words) {
        run(Map.of("HOME", folder.toString()), input, words);
    }

    private void run(Map<String, String> environment, String input, String... words) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Cadastre.run(
                new CommandContext(
                        in(input),
                        nowhere,
                        nowhere,
                        environment,
                        InstantSource.fixed(Instant.EPOCH),
                        new SplittableRandom(1),
                        pause,
                        false,
                        false),
                words);
    }

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
