package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

final class IpamCheckTest {

    private static final String BLOCKS = "/calico/ipam/v2/assignment/ipv4/block/";
    private static final String HANDLES = "/calico/ipam/v2/handle/";

    private static final String FREE = "null,null,null,null";
    private static final String COOLING = "{\"releasedAt\":\"2026-01-31T11:59:59Z\"}";

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private void given(String... documents) throws IOException {
        assertThat(Manifest.apply(shell, folder, documents).exitCode()).isZero();
    }

    /// Writes what others may have written, behind the back of every law.
    private void stored(String key, String value) {
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            var old = store.get(key);
            store.commit(List.of(
                    old.isEmpty()
                            ? new Write.Create(key, Bytes.ofUtf8(value))
                            : new Write.Update(
                                    key, Bytes.ofUtf8(value), old.get().revision())));
        }
    }

    private static String block(String cidr, String owner, String allocations, String free, String attributes) {
        return "{\"cidr\":\"%s\",\"affinity\":%s,\"allocations\":[%s],\"unallocated\":[%s],\"attributes\":[%s],\"sequenceNumber\":7,\"sequenceNumberForAllocation\":{},\"deleted\":false}"
                .formatted(cidr, owner, allocations, free, attributes);
    }

    @Test
    void textOfACheckIsCalicoctlsToTheLetter() throws IOException {
        given(
                Manifest.pool("a", "{cidr: 10.9.0.0/26, blockSize: 30}"),
                Manifest.pool("b", "{cidr: 10.9.0.64/26, blockSize: 30}"),
                Manifest.pool("c", "{cidr: 10.9.0.128/26, blockSize: 30}"),
                Manifest.pool("d", "{cidr: 10.9.0.192/26, blockSize: 30}"));
        stored(
                BLOCKS + "10.9.0.124-30",
                block(
                        "10.9.0.124/30",
                        "\"host:node-b\"",
                        "0,0,1,2",
                        "",
                        COOLING + ",{\"handle_id\":\"h.one\"},{\"handle_id\":\"h.two\"}"));
        stored(BLOCKS + "10.9.0.20-30", block("10.9.0.20/30", "\"virtual:load-balancer\"", FREE, "0,1,2,3", ""));
        stored(BLOCKS + "10.9.0.232-30", block("10.9.0.232/30", "null", "0,0,null,null", "2,3", COOLING));
        stored(
                BLOCKS + "10.9.0.8-30",
                block("10.9.0.8/30", "\"host:load-balancer\"", "null,0,null,null", "0,2,3", COOLING));
        stored(HANDLES + "h.one", "{\"block\":{\"10.9.0.124/30\":1},\"deleted\":false}");
        stored(HANDLES + "h.two", "{\"block\":{\"10.9.0.124/30\":1},\"deleted\":false}");
        stored(HANDLES + "ghost", "{\"block\":{\"10.9.0.8/30\":1},\"deleted\":false}");

        var ended = shell.run("ipam", "check", "--show-all-ips");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.out()).isEqualTo("""
            Checking IPAM for inconsistencies...

            Loading all IPAM blocks...
            Found 4 IPAM blocks.
             IPAM block 10.9.0.124/30 affinity=host:node-b:
              10.9.0.124 allocated; attrs Main:<none> Extra:
              10.9.0.125 allocated; attrs Main:<none> Extra:
              10.9.0.126 allocated; attrs Main:h.one Extra:
              10.9.0.127 allocated; attrs Main:h.two Extra:
             IPAM block 10.9.0.20/30 affinity=virtual:load-balancer:
             IPAM block 10.9.0.232/30 affinity=<none>:
              10.9.0.232 allocated; attrs Main:<none> Extra:
              10.9.0.233 allocated; attrs Main:<none> Extra:
             IPAM block 10.9.0.8/30 affinity=host:load-balancer:
              10.9.0.9 allocated; attrs Main:<none> Extra:
            IPAM blocks record 7 allocations.

            Loading all IPAM pools...
              10.9.0.0/26
              10.9.0.64/26
              10.9.0.128/26
              10.9.0.192/26
            Found 4 active IP pools.

            Loading all nodes.
            Found 0 node tunnel IPs.

            Loading all service load balancer IPs.
            No configuration for LoadBalancer kubecontroller found, skipping service check

            Loading all workload endpoints.
            Found 0 workload IPs.
            Workloads and nodes are using 0 IPs.

            Loading all handles
            Looking for top (up to 20) nodes by allocations...
              node-b has 4 allocations
               has 2 allocations
              load-balancer has 1 allocations
            Node with most allocations has 4; median is 2

            Scanning for IPs that are allocated but not actually in use...
              10.9.0.126 leaked; attrs Main:h.one Extra:
              10.9.0.127 leaked; attrs Main:h.two Extra:
            Found 2 IPs that are allocated in IPAM but not actually in use.
            Scanning for IPs that are in use by a workload or node but not allocated in IPAM...
            Found 0 in-use IPs that are not in active IP pools.
            Found 0 in-use IPs that are in active IP pools but have no corresponding IPAM allocation.

            Scanning for IPAM handles with no matching IPs...
              ghost doesn't have any active IPs.
            Found 1 handles with no matching IPs (and 2 handles with matches).
            Scanning for IPs with missing handle...
            Found 0 handles mentioned in blocks with no matching handle resource.
            Validating IPAMBlock structures...
            Found 0 invalid IPAMBlocks.
            Check complete; found 3 problems.
            """);
    }

    @TestFactory
    Stream<DynamicTest> invalidBlockIsReportedWithItsFirstFault() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 30}"));
        var held = "{\"handle_id\":\"h\"}";
        return Stream.of(
                        List.of("allocation 0 indexes a nonexistent attribute 1", "1,null,null,null", "1,2,3", held),
                        List.of("attribute index 0 exists but is not indexed by an allocation", FREE, "0,1,2,3", held),
                        List.of(
                                "attribute index 0 has releasedAt in the future, suggesting clock" + " skew",
                                "0,null,null,null",
                                "1,2,3",
                                "{\"releasedAt\":\"2026-02-28T12:00:00Z\"}"),
                        List.of(
                                "ordinal 4 appears in the Unallocated array but is out of the" + " block",
                                "0,null,null,null",
                                "1,2,4",
                                held),
                        List.of(
                                "ordinal 1 appears more than once in Unallocated array",
                                "0,null,null,null",
                                "1,1,2",
                                held),
                        List.of(
                                "ordinal 0 is allocated but appears in Unallocated",
                                "0,null,null,null",
                                "0,1,2,3",
                                held),
                        List.of(
                                "expected 4 addresses in this block, but Unallocated (2) +" + " Allocated (1) = 3",
                                "0,null,null,null",
                                "1,2",
                                held))
                .map(row -> DynamicTest.dynamicTest(row.getFirst(), () -> {
                    stored(
                            BLOCKS + "10.0.0.0-30",
                            block("10.0.0.0/30", "\"host:a\"", row.get(1), row.get(2), row.get(3)));

                    var ended = shell.run("ipam", "check");

                    assertThat(ended.out())
                            .contains("  IPAMBlock BlockKey(cidr=10.0.0.0/30)"
                                    + " is invalid: "
                                    + row.getFirst()
                                    + "\nFound 1 invalid"
                                    + " IPAMBlocks.\n");
                }));
    }

    @Test
    void nodesAndWorkloadsOfTheStoreUseAddresses() throws IOException {
        given(
                Manifest.pool("p", "{cidr: 10.0.0.0/26}"),
                Manifest.resource("Node", "a", "{ipv4VXLANTunnelAddr: 10.0.0.0}"),
                Manifest.resource("Node", "b", "{ipv4VXLANTunnelAddr: 10.9.9.9}"));
        shell.run("ipam", "assign", "--node", "a", "--num4", "2");
        stored(
                "/calico/resources/v3/projectcalico.org/workloadendpoints/shop/web",
                "{\"spec\":{\"ipNetworks\":[\"10.0.0.1/32\",\"10.0.0.5/32\"]}}");

        var ended = shell.run("ipam", "check", "--show-problem-ips");

        assertThat(ended.out())
                .contains("Found 2 node tunnel IPs.\n", "Found 2 workload IPs.\n")
                .contains("Workloads and nodes are using 4 IPs.\n")
                .contains("Found 0 IPs that are allocated in IPAM but not actually in use.\n")
                .contains("  10.9.9.9 in use by Node(b) is not in any active IP pool.\n")
                .contains("  10.0.0.5 in use by Workload(shop/web) and in active IPAM pool but has no"
                        + " IPAM allocation.\n")
                .endsWith("Check complete; found 2 problems.\n");
    }

    @Test
    void unreadableDocumentIsReportedAndTheRestIsChecked() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 30}"));
        stored(BLOCKS + "10.0.0.0-30", "not json");

        var ended = shell.run("ipam", "check");

        assertThat(ended.out()).contains("Found 0 IPAM blocks.\n");
        assertThat(ended.err())
                .isEqualTo("cadastre: warning: %s10.0.0.0-30 cannot be read and is ignored\n".formatted(BLOCKS));
    }

    @Test
    void reportHasEveryAllocationAndLeakedHandle() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");
        stored(HANDLES + "ghost", "{\"block\":{},\"deleted\":false}");
        var file = folder.resolve("report.json");

        shell.run("ipam", "check", "-o", file.toString());

        var report = new ObjectMapper().readTree(file.toFile());
        var allocation = report.at("/allocations/10.0.0.0/0");
        assertThat(allocation.path("handle").asText()).isEqualTo("h");
        assertThat(allocation.path("node").asText()).isEqualTo("a");
        assertThat(allocation.path("inUse").asBoolean(true)).isFalse();
        assertThat(allocation.path("owners").isNull()).isTrue();
        assertThat(allocation.has("borrowed")).isFalse();
        assertThat(report.at("/leakedHandles/0/ID").asText()).isEqualTo("ghost");
        assertThat(report.at("/datastoreLocked").asBoolean(true)).isFalse();
    }

    @Test
    void addressThatWasGivenAgainSinceTheReportIsKept() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/32, blockSize: 32}"), Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");
        var file = folder.resolve("report.json").toString();
        shell.run("ipam", "check", "-o", file);
        shell.run("ipam", "release", "--ip", "10.0.0.0");
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");

        var ended = shell.run("ipam", "release", "--from-report", file, "--force");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err())
                .isEqualTo("An error occurred while releasing some IPs: update conflict: 10.0.0.0. "
                        + " Problems are often caused by an out-of-date IPAM report.  Try"
                        + " regenerating the IPAM report and retry.\n");
        assertThat(shell.run("ipam", "show", "--ip", "10.0.0.0").out()).contains("is in use");
    }

    @Test
    void reportOfAnotherClusterIsRefusedEvenByForce() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        var file = folder.resolve("report.json").toString();
        shell.run("ipam", "check", "-o", file);
        given(Manifest.resource("ClusterInformation", "default", "{clusterGUID: another, datastoreReady: false}"));

        var ended = shell.run("ipam", "release", "--from-report", file, "--force");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err()).contains("cluster GUID").contains("does not match");
    }

    @Test
    void reportsThatAreAllStaleAreRefusedEvenByForce() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a");
        var one = folder.resolve("one.json").toString();
        var two = folder.resolve("two.json").toString();
        shell.run("ipam", "check", "-o", one);
        given(Manifest.resource("ClusterInformation", "default", "{datastoreReady: true}"));
        shell.run("ipam", "check", "-o", two);
        given(Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));

        var ended = shell.run("ipam", "release", "--from-report", one, "--from-report", two, "--force");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .contains("the provided reports are all stale - at least one should be up-to-date."
                        + " Please generate a new report while the data store is locked and"
                        + " try again");
        assertThat(shell.run("ipam", "show", "--ip", "10.0.0.0").out()).contains("is in use");
    }

    @Test
    void reportThatIsTooLongIsRefusedBeforeItIsRead() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"));
        var file = folder.resolve("long.json");
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength((1L << 29) + 1);
        }

        var ended = shell.run("ipam", "release", "--from-report", file.toString());

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("cadastre: report %s has more than 536870912 bytes; make one of fewer addresses\n"
                        .formatted(file));
    }

    @Test
    void onlyWhatAllReportsCallUnusedIsReleased() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a");
        var one = folder.resolve("one.json").toString();
        var two = folder.resolve("two.json").toString();
        shell.run("ipam", "check", "-o", one);
        shell.run("ipam", "assign", "--node", "a");
        given(Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));
        shell.run("ipam", "check", "-o", two);

        var ended = shell.run("ipam", "release", "--from-report", one, "--from-report", two);

        assertThat(ended.out())
                .contains("Released 1 IPs successfully\n")
                .contains("Report didn't contain any handles to clean up.\n");
        assertThat(shell.run("ipam", "show", "--ip", "10.0.0.0").out()).isEqualTo("10.0.0.0 is not assigned\n");
        assertThat(shell.run("ipam", "show", "--ip", "10.0.0.1").out()).contains("is in use");
    }
}
