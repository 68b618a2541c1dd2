package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.etcd.EtcdDatastore;
import io.cadastre.datastore.etcd.EtcdProcess;
import io.cadastre.datastore.etcd.EtcdSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the README tells newcomers to try.
final class FoundingExperimentTest {

    static final String MANIFEST = """
        apiVersion: projectcalico.org/v3
        kind: IPPool
        metadata: {name: default}
        spec: {cidr: 10.244.0.0/16, blockSize: 26}
        ---
        apiVersion: projectcalico.org/v3
        kind: Node
        metadata: {name: node-1}
        ---
        apiVersion: projectcalico.org/v3
        kind: Node
        metadata: {name: node-2}
        """;

    private static final String IPAM = "/calico/ipam/v2/";
    private static final String RESOURCES = "/calico/resources/v3/projectcalico.org/";

    @TempDir
    private Path home;

    @Test
    void tenAddressesOnOneNodeAndOneOnAnotherComeFromTwoBlocksAndGoBack() throws IOException {
        var shell = Shell.at(home);

        var applied = shell.runPiping(MANIFEST, "apply", "-f", "-");
        var ten = shell.run("ipam", "assign", "--node", "node-1", "--num4", "10", "--handle", "web");
        var one = shell.run("ipam", "assign", "--node", "node-2");

        assertThat(applied).isEqualTo(new Shell.Ended(0, """
            ippool/default created
            node/node-1 created
            node/node-2 created
            """, ""));
        assertThat(ten.exitCode()).isZero();
        assertThat(ten.out().lines()).hasSize(10).doesNotHaveDuplicates();
        assertThat(one.out().lines()).hasSize(1);
        var blocks = shell.run("ipam", "show", "--show-blocks").out();
        assertThat(blocks.lines().filter(line -> line.startsWith("| Block")))
                .hasSize(2)
                .anyMatch(line -> line.contains("|   10 (16%) |"))
                .anyMatch(line -> line.contains("|     1 (2%) |"));
        assertThat(blocks).contains("| IP Pool  | 10.244.0.0/16    |     65536 |    11 (0%) |");
        assertHeldAndReleased(shell, ten.out().lines().toList(), one.out().strip());
    }

    @Test
    void sameCommandsOnEtcdLeaveCalicosKeysAndBytes() throws IOException, InterruptedException {
        try (var etcd = EtcdProcess.start(home)) {
            var shell = Shell.at(home)
                    .with("DATASTORE_TYPE", "etcdv3")
                    .with("ETCD_ENDPOINTS", etcd.endpoint().toString());
            var file = Files.writeString(home.resolve("pool.yaml"), MANIFEST);

            done(shell.run("apply", "-f", file.toString()));
            var ten = assign(shell, "--node", "node-1", "--num4", "10", "--handle", "web");
            var one = assign(shell, "--node", "node-2");

            assertThat(documents(etcd)).isEqualTo(documentsOfAllEleven());
            assertHeldAndReleased(shell, ten, one.getFirst());
            assertThat(documents(etcd).keySet())
                    .containsExactly(
                            RESOURCES + "ippools/default", RESOURCES + "nodes/node-1", RESOURCES + "nodes/node-2");
        }
    }

    private static List<String> assign(Shell shell, String... options) {
        var arguments = Stream.concat(Stream.of("ipam", "assign"), Stream.of(options));
        return done(shell.run(arguments.toArray(String[]::new))).lines().toList();
    }

    /// What it printed.
    private static String done(Shell.Ended outcome) {
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        return outcome.out();
    }

    /// Every key and value below `/calico/`, with identities, times and the numbers made of times replaced.
    private static SortedMap<String, String> documents(EtcdProcess etcd) {
        var settings = EtcdSettings.fromEnvironment(
                Map.of("ETCD_ENDPOINTS", etcd.endpoint().toString()));
        var documents = new TreeMap<String, String>();
        try (var store = EtcdDatastore.open(settings)) {
            for (var document : store.listAll("/").documents()) {
                documents.put(
                        document.key(),
                        document.value()
                                .utf8()
                                .replaceAll("\"uid\":\"[-0-9a-f]{36}\"", "\"uid\":\"U\"")
                                .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "T")
                                .replaceAll("(?<=\\D)\\d{18}0(?=\\D)", "S")
                                .replaceAll("(?<=\\D)\\d{18}1(?=\\D)", "S+1"));
            }
        }
        return documents;
    }

    private static SortedMap<String, String> documentsOfAllEleven() {
        var documents = new TreeMap<String, String>();
        documents.put(
                RESOURCES + "ippools/default",
                "{\"kind\":\"IPPool\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":{\"name\":"
                        + "\"default\",\"uid\":\"U\",\"creationTimestamp\":\"T\"},\"spec\":{\"cidr\":"
                        + "\"10.244.0.0/16\",\"vxlanMode\":\"Never\",\"ipipMode\":\"Never\",\"blockSize\":26,"
                        + "\"nodeSelector\":\"all()\",\"allowedUses\":[\"Workload\",\"Tunnel\"],"
                        + "\"assignmentMode\":\"Automatic\"}}");
        for (var node : List.of("node-1", "node-2")) {
            documents.put(
                    RESOURCES + "nodes/" + node,
                    "{\"kind\":\"Node\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":{\"name\":\"%s\",\"uid\":\"U\",\"creationTimestamp\":\"T\"},\"spec\":{},\"status\":{}}"
                            .formatted(node));
        }
        documents.put(
                IPAM + "assignment/ipv4/block/10.244.84.128-26",
                block("10.244.84.128/26", "node-1", 10, "\"handle_id\":\"web\","));
        documents.put(IPAM + "assignment/ipv4/block/10.244.247.0-26", block("10.244.247.0/26", "node-2", 1, ""));
        var confirmed = "{\"state\":\"confirmed\",\"deleted\":false}";
        documents.put(IPAM + "host/node-1/ipv4/block/10.244.84.128-26", confirmed);
        documents.put(IPAM + "host/node-2/ipv4/block/10.244.247.0-26", confirmed);
        documents.put(IPAM + "handle/web", "{\"block\":{\"10.244.84.128/26\":10},\"deleted\":false}");
        return documents;
    }

    /// A block in which the first addresses are held since it was created.
    private static String block(String cidr, String node, int held, String handle) {
        var free = IntStream.range(held, 64).mapToObj(Integer::toString).toList();
        var numbers = IntStream.range(0, held).mapToObj("\"%d\":S"::formatted).toList();
        return "{\"cidr\":\"%s\",\"affinity\":\"host:%s\",\"affinity_claim_time\":\"T\",\"allocations\":[%s%s],\"unallocated\":[%s],\"attributes\":[{%s\"secondary\":{\"node\":\"%s\"}}],\"sequenceNumber\":S+1,\"sequenceNumberForAllocation\":{%s},\"deleted\":false}"
                .formatted(
                        cidr,
                        node,
                        "0" + ",0".repeat(held - 1),
                        ",null".repeat(64 - held),
                        String.join(",", free),
                        handle,
                        node,
                        String.join(",", numbers));
    }

    private static void assertHeldAndReleased(Shell shell, List<String> ten, String one) {
        assertThat(shell.run("ipam", "show", "--ip", ten.getFirst()).out())
                .isEqualTo("IP %s is in use\nHandle ID: web\nActive Owner Attributes:\n  node: node-1\n"
                        .formatted(ten.getFirst()));

        var released = shell.run("ipam", "release", "--ip", ten.getFirst());

        assertThat(released.out()).isEqualTo("Successfully released IP address %s\n".formatted(ten.getFirst()));
        assertThat(shell.run("ipam", "show", "--ip", ten.getFirst()).out())
                .isEqualTo("%s is not assigned\n".formatted(ten.getFirst()));
        assertThat(shell.run("ipam", "collect").out()).isEmpty();

        var rest = shell.run("ipam", "release-handle", "web");
        shell.run("ipam", "release", "--ip", one);
        var collected = shell.run("ipam", "collect");

        assertThat(rest.out().lines()).containsExactlyInAnyOrderElementsOf(ten.subList(1, 10));
        assertThat(collected.out().lines())
                .hasSize(2)
                .allMatch(line -> line.matches("block 10\\.244\\.\\d+\\.\\d+/26 released"));
        assertThat(shell.run("ipam", "show", "--show-blocks").out().lines()).hasSize(5);
        assertThat(shell.run("get", "blockaffinities", "-o", "name").out()).isEmpty();
        assertThat(shell.run("get", "ipamhandles", "-o", "name").out()).isEmpty();
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }
}
