package io.cadastre.cli.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.cli.RunningProcess;
import io.cadastre.cli.Shell;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `cadastre up` in one terminal; in another one two namespaces are attached and reach each other, and in
/// the end everything is gone.
@Timeout(300)
class AttachTest {

    private static final Path REFERENCE_PLUGINS = Path.of("/usr/lib/cni");

    @TempDir
    Path home;

    private final List<RunningProcess> running = new ArrayList<>();

    @AutoClose
    private final TwoNamespaces namespaces = TwoNamespaces.open("one", "two");

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void beginWithAnAgent() throws Exception {
        shell = Shell.at(home)
                .with("CNI_PATH", programs() + ":" + REFERENCE_PLUGINS)
                .with("NETCONFPATH", home.resolve("net.d").toString());
        succeed(shell.run(
                "cni",
                "install",
                "--bin-dir=" + programs(),
                "--conf-dir=" + home.resolve("net.d"),
                "--socket=" + home.resolve("agent.sock"),
                "--spool=" + home.resolve("spool")));
        up();
        applyPool();
    }

    @AfterEach
    void endProcesses() {
        running.forEach(RunningProcess::close);
    }

    private Path programs() {
        return home.resolve("bin");
    }

    private void up() throws IOException, InterruptedException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main",
                "up",
                "--no-default-pool",
                "--node=node-1",
                "--socket=" + home.resolve("agent.sock"),
                "--spool=" + home.resolve("spool"));
        var process = RunningProcess.start(home, shell.environment(), command);
        running.add(process);
        process.awaitOut("Interrupt with Ctrl-C.");
    }

    private void applyPool() {
        succeed(shell.runPiping("""
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/16, blockSize: 26}
            """, "apply", "-f", "-"));
    }

    @Test
    void twoNamespacesReachEachOtherOverCadastreNetAndLeaveNothingBehind() throws Exception {
        var addresses = attachBoth("cadastre");
        var reached = namespaces.firstReachesSecond(addresses.get(1));
        var checked = cni("check", "cadastre", namespaces.paths().get(0));
        long held = inUse();
        detachBoth("cadastre");

        assertThat(addresses).doesNotHaveDuplicates().allMatch(it -> it.startsWith("10.244."));
        assertThat(reached).isTrue();
        assertThat(checked.exitCode()).as(checked.err()).isZero();
        assertThat(held).isEqualTo(2);
        assertThat(inUse()).isZero();
        assertThat(namespaces.linksOfHost()).noneMatch(name -> name.startsWith("cali"));
    }

    @Test
    void twoNamespacesReachEachOtherOverTheReferenceBridgeWithOurAddresses() throws Exception {
        reachEachOtherOver("""
            {"type": "bridge", "bridge": "%s", "ipam": {"type": "cadastre-ipam"}}
            """.formatted(namespaces.linkThatIsDeleted("cadb")));
    }

    @Test
    void twoNamespacesReachEachOtherOverReferencePairsAndPortsWithOurAddresses() throws Exception {
        reachEachOtherOver("""
            {"type": "ptp", "ipam": {"type": "cadastre-ipam", "gateways": ["169.254.1.1"]}},
            {"type": "portmap", "capabilities": {"portMappings": true}, "snat": false}
            """);
    }

    @Test
    void twoNamespacesReachEachOtherOverReferenceMacvlanWithOurAddresses() throws Exception {
        reachEachOtherOver("""
            {"type": "macvlan", "master": "%s", "ipam": {"type": "cadastre-ipam"}}
            """.formatted(namespaces.master("cadm")));
    }

    private void reachEachOtherOver(String plugins) throws Exception {
        assumeTrue(
                Files.isExecutable(REFERENCE_PLUGINS.resolve("bridge")),
                "no reference plugins in " + REFERENCE_PLUGINS);
        Files.writeString(
                home.resolve("net.d").resolve("20-other.conflist"),
                "{\"cniVersion\": \"1.0.0\", \"name\": \"other\", \"plugins\": [%s]}".formatted(plugins));

        var addresses = attachBoth("other");
        var reached = namespaces.firstReachesSecond(addresses.get(1));
        detachBoth("other");

        assertThat(addresses).doesNotHaveDuplicates();
        assertThat(reached).isTrue();
        assertThat(inUse()).isZero();
    }

    private List<String> attachBoth(String network) {
        return namespaces.paths().stream()
                .map(path -> {
                    var ended = cni("add", network, path);
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

    /// Twice, since a runtime repeats a DEL whose reply it lost.
    private void detachBoth(String network) {
        for (var path : namespaces.paths()) {
            for (int time = 0; time < 2; time++) {
                var ended = cni("del", network, path);
                assertThat(ended.exitCode()).as(ended.err()).isZero();
            }
        }
    }

    private Shell.Ended cni(String verb, String network, String namespace) {
        return shell.run("cni", verb, network, namespace, "--cache-dir=" + home.resolve("cache"));
    }

    private long inUse() {
        var shown = shell.run("ipam", "show").out();
        var line =
                shown.lines().filter(row -> row.contains("IP Pool")).findFirst().orElseThrow();
        return Long.parseLong(line.split("\\|", -1)[4].strip().split(" ", -1)[0]);
    }

    private static void succeed(Shell.Ended ended) {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
}
