package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.cni.doorbell.DoorbellProgram;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniResult;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What the README shows: `cadastre up` in one terminal; in another one two namespaces are attached
/// and reach each other, and in the end everything is gone.
@Timeout(300)
class AttachTest {

    private static final long PATIENCE_SECONDS = 60;
    private static final Path REFERENCE_PLUGINS = Path.of("/usr/lib/cni");

    @TempDir Path home;

    private final List<RunningProcess> running = new ArrayList<>();
    private final List<String> namespaces = new ArrayList<>();
    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void beginWithTwoNamespaces() throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "not root: namespaces cannot be made");
        assumeTrue(DoorbellProgram.compiled().isPresent(), "no cc on the PATH");
        shell =
                Shell.at(home)
                        .with("CNI_PATH", programs() + ":" + REFERENCE_PLUGINS)
                        .with("NETCONFPATH", home.resolve("net.d").toString());
        succeed(
                shell.run(
                        "cni",
                        "install",
                        "--bin-dir=" + programs(),
                        "--conf-dir=" + home.resolve("net.d"),
                        "--socket=" + home.resolve("agent.sock"),
                        "--spool=" + home.resolve("spool")));
        for (var word : List.of("one", "two")) {
            var name = "cadastre-%s-%d".formatted(word, ProcessHandle.current().pid());
            call("ip", "netns", "add", name);
            namespaces.add(name);
        }
        up();
        applyPool();
    }

    @AfterEach
    void endProcessesAndNamespaces() throws Exception {
        running.forEach(RunningProcess::close);
        for (var name : namespaces) {
            call("ip", "netns", "delete", name);
        }
    }

    private Path programs() {
        return home.resolve("bin");
    }

    private void up() throws IOException, InterruptedException {
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.cadastre.cli.Main",
                        "up",
                        "--node=node-1",
                        "--socket=" + home.resolve("agent.sock"),
                        "--spool=" + home.resolve("spool"));
        var process = RunningProcess.start(home, shell.environment(), command);
        running.add(process);
        process.awaitOut("Interrupt with Ctrl-C.");
    }

    private void applyPool() {
        succeed(
                shell.runPiping(
                        """
                        apiVersion: projectcalico.org/v3
                        kind: IPPool
                        metadata: {name: default}
                        spec: {cidr: 10.244.0.0/16, blockSize: 26}
                        """,
                        "apply",
                        "-f",
                        "-"));
    }

    @Test
    void twoNamespacesReachEachOtherOverCadastreNetAndLeaveNothingBehind() throws Exception {
        var addresses = attachBoth("cadastre");
        var ping = ping(namespaces.get(0), addresses.get(1));
        var checked = cni("check", "cadastre", namespaces.get(0));
        long held = inUse();
        detachBoth("cadastre");

        assertThat(addresses).doesNotHaveDuplicates().allMatch(it -> it.startsWith("10.244."));
        assertThat(ping).isZero();
        assertThat(checked.exitCode()).as(checked.err()).isZero();
        assertThat(held).isEqualTo(2);
        assertThat(inUse()).isZero();
        assertThat(linksOfHost()).doesNotContain("cali");
    }

    @Test
    void twoNamespacesReachEachOtherOverTheReferenceBridgeWithOurAddresses() throws Exception {
        var bridge = "cadb%d".formatted(ProcessHandle.current().pid() % 1_000_000);
        try {
            reachEachOtherOver(
                    """
                    {"type": "bridge", "bridge": "%s", "ipam": {"type": "cadastre-ipam"}}
                    """
                            .formatted(bridge));
        } finally {
            call("ip", "link", "delete", bridge);
        }
    }

    @Test
    void twoNamespacesReachEachOtherOverReferencePairsAndPortsWithOurAddresses() throws Exception {
        reachEachOtherOver(
                """
                {"type": "ptp", "ipam": {"type": "cadastre-ipam", "gateways": ["169.254.1.1"]}},
                {"type": "portmap", "capabilities": {"portMappings": true}, "snat": false}
                """);
    }

    @Test
    void twoNamespacesReachEachOtherOverReferenceMacvlanWithOurAddresses() throws Exception {
        var master = "cadm%d".formatted(ProcessHandle.current().pid() % 1_000_000);
        call("ip", "link", "add", master, "type", "veth", "peer", "name", master + "p");
        try {
            call("ip", "link", "set", master, "up");
            call("ip", "link", "set", master + "p", "up");
            reachEachOtherOver(
                    """
                    {"type": "macvlan", "master": "%s", "ipam": {"type": "cadastre-ipam"}}
                    """
                            .formatted(master));
        } finally {
            call("ip", "link", "delete", master);
        }
    }

    private void reachEachOtherOver(String plugins) throws Exception {
        assumeTrue(
                Files.isExecutable(REFERENCE_PLUGINS.resolve("bridge")),
                "no reference plugins in " + REFERENCE_PLUGINS);
        Files.writeString(
                home.resolve("net.d").resolve("20-other.conflist"),
                "{\"cniVersion\": \"1.0.0\", \"name\": \"other\", \"plugins\": [%s]}"
                        .formatted(plugins));

        var addresses = attachBoth("other");
        var ping = ping(namespaces.get(0), addresses.get(1));
        detachBoth("other");

        assertThat(addresses).doesNotHaveDuplicates();
        assertThat(ping).isZero();
        assertThat(inUse()).isZero();
    }

    private List<String> attachBoth(String network) {
        return namespaces.stream()
                .map(
                        name -> {
                            var ended = cni("add", network, name);
                            assertThat(ended.exitCode()).as(ended.err()).isZero();
                            return CniResult.parse(Bytes.ofUtf8(ended.out()))
                                    .ips()
                                    .getFirst()
                                    .address()
                                    .ip()
                                    .toString();
                        })
                .toList();
    }

    /// Twice, since whoever detaches may not know that it was done.
    private void detachBoth(String network) {
        for (var name : namespaces) {
            for (int time = 0; time < 2; time++) {
                var ended = cni("del", network, name);
                assertThat(ended.exitCode()).as(ended.err()).isZero();
            }
        }
    }

    private Shell.Ended cni(String verb, String network, String namespace) {
        return shell.run(
                "cni",
                verb,
                network,
                "/run/netns/" + namespace,
                "--cache-dir=" + home.resolve("cache"));
    }

    private static int ping(String namespace, String address) throws Exception {
        return end("ip", "netns", "exec", namespace, "ping", "-c", "1", "-W", "5", address);
    }

    private static String linksOfHost() throws Exception {
        var process = new ProcessBuilder("ip", "-o", "link").start();
        var text = Bytes.of(process.getInputStream().readAllBytes()).utf8();
        process.waitFor();
        return text;
    }

    private long inUse() {
        var shown = shell.run("ipam", "show").out();
        var line = shown.lines().filter(row -> row.contains("IP Pool")).findFirst().orElseThrow();
        return Long.parseLong(line.split("\\|", -1)[4].strip().split(" ", -1)[0]);
    }

    private static void succeed(Shell.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }

    private static void call(String... command) throws Exception {
        assertThat(end(command)).as(String.join(" ", command)).isZero();
    }

    private static int end(String... command) throws Exception {
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
