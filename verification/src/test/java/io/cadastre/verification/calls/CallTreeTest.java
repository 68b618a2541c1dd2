package io.cadastre.verification.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.cni.doorbell.Doorbell;
import io.cadastre.cni.doorbell.DoorbellSettings;
import io.cadastre.linux.Namespace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How many types a reader passes who follows one request. What counts is defined at [CallTree#walk()] and
/// [RecordingLoader].
///
/// The processes are real ones, on the embedded store; their classes are changed as they are loaded.
@Timeout(300)
class CallTreeTest {

    /// The aim is 45.
    private static final int ASSIGN_MAX = 65;

    /// The aim is 55.
    private static final int ADD_MAX = 85;

    private static final String POOL_AND_NODE = """
        apiVersion: projectcalico.org/v3
        kind: IPPool
        metadata: {name: pool}
        spec: {cidr: 192.0.2.0/24, blockSize: 28}
        ---
        apiVersion: projectcalico.org/v3
        kind: Node
        metadata: {name: node-1}
        """;

    /// The last line that `cadastre up` prints once it serves calls.
    private static final String READY = "Interrupt with Ctrl-C.";

    @TempDir
    Path home;

    @Test
    void anAssignmentPassesFewTypesFromMainToTheStore() throws Exception {
        applyPoolAndNode();
        run("io.cadastre.cli.Main#main", "ipam", "assign", "--node=node-1", "--handle=first");

        var tree = run("io.cadastre.cli.Main#main", "ipam", "assign", "--node=node-1", "--handle=second");

        print("ipam assign", tree);
        assertThat(tree.walk())
                .contains(
                        "io.cadastre.cli.Main",
                        "io.cadastre.registry.Registrar",
                        "io.cadastre.engine.block.BlockEngine")
                .hasSizeLessThanOrEqualTo(ASSIGN_MAX);
    }

    @Test
    void aCniAddPassesFewTypesFromTheSocketToTheStoreAndTheKernel() throws Exception {
        assumeTrue(mayMakeNamespaces(), "not root: namespaces cannot be made");
        applyPoolAndNode();
        var first = "cadastre-calls-%d-1".formatted(ProcessHandle.current().pid());
        var second = "cadastre-calls-%d-2".formatted(ProcessHandle.current().pid());
        try (var _ = Namespace.create(first);
                var _ = Namespace.create(second)) {

            var tree = recordLastAdd(List.of("/run/netns/" + first, "/run/netns/" + second));

            print("CNI ADD", tree);
            assertThat(tree.walk())
                    .contains(
                            "io.cadastre.agent.Agent",
                            "io.cadastre.agent.net.PodLink",
                            "io.cadastre.registry.Registrar",
                            "io.cadastre.engine.block.BlockEngine",
                            "io.cadastre.datastore",
                            "io.cadastre.linux")
                    .hasSizeLessThanOrEqualTo(ADD_MAX);
        } finally {
            Namespace.delete(first);
            Namespace.delete(second);
        }
    }

    private void applyPoolAndNode() throws Exception {
        var manifest = Files.writeString(home.resolve("manifest.yaml"), POOL_AND_NODE);
        run("io.cadastre.cli.Main#main", "apply", "-f", manifest.toString());
    }

    /// The agent runs in a network namespace of its own, so that the links of this machine stay as they are.
    private CallTree recordLastAdd(List<String> namespaces) throws Exception {
        var socket = home.resolve("agent.sock");
        var spool = home.resolve("spool");
        var agent = start(
                List.of("unshare", "--net"),
                "io.cadastre.agent.Agent#receive",
                "up",
                "--node=node-1",
                "--socket=" + socket,
                "--spool=" + spool,
                "--no-default-pool");
        try (var lines = agent.inputReader()) {
            var printed = lines.lines().takeWhile(line -> !line.equals(READY)).toList();
            assertThat(agent.isAlive()).as("%s", printed).isTrue();
            var doorbell = new Doorbell(DoorbellSettings.of(socket, spool));
            for (var namespace : namespaces) {
                var answer = doorbell.ring("cadastre-net", environment(namespace), config());
                assertThat(answer.exitCode()).as("%s", answer).isZero();
            }
        } finally {
            agent.destroy();
            agent.waitFor();
        }
        return CallTree.parse(Files.readAllLines(recording()));
    }

    private static Map<String, String> environment(String namespace) {
        return Map.of(
                "CNI_COMMAND", "ADD",
                "CNI_CONTAINERID", "container-of-" + namespace.substring(namespace.lastIndexOf('/') + 1),
                "CNI_NETNS", namespace,
                "CNI_IFNAME", "eth0",
                "CNI_PATH", "/opt/cni/bin");
    }

    private static InputStream config() {
        return new ByteArrayInputStream("""
            {"cniVersion": "1.0.0", "name": "calls", "type": "cadastre-net", "ipam": {"type": "cadastre-ipam"}}
            """.getBytes(StandardCharsets.UTF_8));
    }

    private CallTree run(String root, String... words) throws Exception {
        var process = start(List.of(), root, words);
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as("%s: %s", Arrays.toString(words), printed)
                .isZero();
        return CallTree.parse(Files.readAllLines(recording()));
    }

    private Process start(List<String> before, String root, String... words) throws IOException {
        var command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RecordedMain.class.getName(),
                recording().toString(),
                root));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        builder.environment().put("HOME", home.toString());
        return builder.start();
    }

    private Path recording() {
        return home.resolve("recording");
    }

    private static void print(String request, CallTree tree) {
        System.out.printf("%s passes %d types:%n%s", request, tree.walk().size(), tree.text());
    }

    /// Administration of the network and of mounts.
    private static boolean mayMakeNamespaces() throws IOException {
        long wanted = 1L << 12 | 1L << 21;
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .allMatch(held -> (held & wanted) == wanted);
    }
}
