package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several dialects in one store, and one range.
final class SharedRangeTest {

    private static final String POOLS = "/calico/resources/v3/projectcalico.org/ippools/";
    private static final String BLOCKS = "/calico/ipam/v2/assignment/ipv4/block/";

    private static final String POOL = Manifest.pool("p", "{cidr: 10.244.0.0/16}");
    private static final String SPIDER_POOL =
            spiderPool("s", "{subnet: 10.244.0.0/24, ips: [10.244.0.10-10.244.0.19]}");

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private static String spiderPool(String name, String spec) {
        return """
            ---
            apiVersion: spiderpool.spidernet.io/v2beta1
            kind: SpiderIPPool
            metadata: {name: %s}
            spec: %s
            """.formatted(name, spec);
    }

    private Shell.Ended apply(String... documents) throws IOException {
        return Manifest.apply(shell, folder, documents);
    }

    private Shell.Ended addNode(String... more) {
        var arguments = new ArrayList<>(List.of("node-cidr", "add", "n1"));
        arguments.addAll(List.of(more));
        return shell.run(arguments.toArray(String[]::new));
    }

    /// Writes what a peer may have written.
    private void stored(String key, String value) {
        try (var store = SqliteDatastore.open(SqliteSettings.of(Session.storeIn(shell.dataDirectory())))) {
            store.commit(List.of(new Write.Create(key, Bytes.ofUtf8(value))));
        }
    }

    private void storedPool() {
        stored(
                POOLS + "peer",
                "{\"kind\":\"IPPool\",\"apiVersion\":\"projectcalico.org/v3\",\"metadata\":{\"name\":\"peer\"},\"spec\":{\"cidr\":\"10.244.0.0/16\",\"nodeSelector\":\"all()\"}}");
    }

    @Test
    void poolInARangeOfAnotherDialectIsRefused() throws IOException {
        apply(SPIDER_POOL);

        var ended = apply(POOL);

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: ippool/p is not applied: error with field"
                                + " IPPool.Spec.CIDR = '10.244.0.0/16' (IPPool(p) CIDR"
                                + " overlaps with SpiderIPPool(s)"
                                + " 10.244.0.10-10.244.0.19: no two dialects in one store"
                                + " may give addresses of one range; choose another CIDR,"
                                + " or delete SpiderIPPool(s) first)\n"));
    }

    @Test
    void spiderPoolInARangeOfAnotherDialectIsRefusedAlsoWhenItGrows() throws IOException {
        apply(Manifest.pool("p", "{cidr: 10.244.0.0/25}"));

        var created = apply(SPIDER_POOL);
        var beside = apply(spiderPool("s", "{subnet: 10.244.0.0/24, ips: [10.244.0.200-10.244.0.209]}"));
        var grown = apply(spiderPool("s", "{subnet: 10.244.0.0/24, ips: [10.244.0.100-10.244.0.209]}"));

        assertThat(created.exitCode()).isEqualTo(3);
        assertThat(created.err())
                .contains("spec.ips: Forbidden: SpiderIPPool(s) overlaps with IPPool(p)"
                        + " 10.244.0.0-10.244.0.127: no two dialects");
        assertThat(beside.out()).isEqualTo("spiderippool/s created\n");
        assertThat(grown.exitCode()).isEqualTo(3);
    }

    @Test
    void mappedAddressesOfASpiderPoolAreThoseThatTheyStandFor() throws IOException {
        var mapped = spiderPool("m", "{subnet: '::ffff:10.244.0.0/112', ips: ['::ffff:10.244.0.9']}");
        apply(POOL);

        var refused = apply(mapped);
        shell.run("delete", "ippool", "p");
        apply(mapped);
        var node = addNode("--cluster-cidr", "10.244.0.0/16");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(node.err()).contains("overlaps 10.244.0.9-10.244.0.9 of SpiderIPPool(m)");
    }

    @Test
    void clusterCidrInARangeOfAnotherDialectIsRefusedAtItsFirstUse() throws IOException {
        apply(POOL);

        var ended = addNode("--cluster-cidr", "10.244.0.0/16");
        var explained = addNode("--cluster-cidr", "10.244.0.0/16", "--explain");
        var other = addNode("--cluster-cidr", "10.245.0.0/16");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err())
                .contains("cluster CIDR 10.244.0.0/16 overlaps 10.244.0.0-10.244.255.255 of"
                        + " IPPool(p), and no two dialects in one store may give addresses"
                        + " of one range; choose another --cluster-cidr, or delete"
                        + " IPPool(p) first");
        assertThat(explained.exitCode()).isEqualTo(3);
        assertThat(other).isEqualTo(new Shell.Ended(0, "10.245.0.0/24\n", ""));
    }

    @Test
    void blockWhosePoolIsGoneKeepsItsRangeFromOtherDialects() throws IOException {
        apply(Manifest.node("n1"), Manifest.pool("p", "{cidr: 10.9.0.0/24}"));
        shell.run("ipam", "assign", "--node", "n1", "--ip", "10.9.0.5", "--handle", "h");
        shell.run("delete", "ippool", "p");

        var node = addNode("--cluster-cidr", "10.9.0.0/24");
        var pool = apply(spiderPool("s", "{subnet: 10.9.0.0/24, ips: [10.9.0.9]}"));
        var beside = apply(spiderPool("t", "{subnet: 10.9.0.0/24, ips: [10.9.0.64]}"));
        shell.run("ipam", "release-handle", "h");
        var free = apply(spiderPool("s", "{subnet: 10.9.0.0/24, ips: [10.9.0.9]}"));

        assertThat(node.exitCode()).isEqualTo(3);
        assertThat(node.err())
                .contains(
                        "cluster CIDR 10.9.0.0/24 overlaps 10.9.0.0-10.9.0.63 of" + " IPAMBlock(10.9.0.0/26)",
                        "or release the addresses of IPAMBlock(10.9.0.0/26) first");
        assertThat(pool.exitCode()).isEqualTo(3);
        assertThat(pool.err()).contains("or release the addresses of IPAMBlock(10.9.0.0/26) first");
        assertThat(beside.out()).isEqualTo("spiderippool/t created\n");
        assertThat(free.err()).isEmpty();
    }

    @Test
    void clusterCidrThatGrowsOverAPoolIsRefused() throws IOException {
        addNode("--cluster-cidr", "10.0.0.0/24");
        apply(Manifest.pool("p", "{cidr: 10.9.0.0/26}"));

        var grown = shell.run("node-cidr", "add", "n2", "--cluster-cidr", "10.0.0.0/8");
        var again = shell.run("node-cidr", "add", "n2", "--cluster-cidr", "10.0.0.0/24", "--node-cidr-mask-size", "26");

        assertThat(grown.exitCode()).isEqualTo(3);
        assertThat(grown.err()).contains("cluster CIDR 10.0.0.0/8 overlaps 10.9.0.0-10.9.0.63 of IPPool(p)");
        assertThat(again.err()).contains("no remaining CIDRs");
    }

    @Test
    void serviceRangeThatIsAddedOverAPoolIsRefused() throws IOException {
        addNode("--cluster-cidr", "10.0.0.0/16");
        apply(Manifest.pool("p", "{cidr: 10.96.0.0/24}"));

        var ended = shell.run(
                "node-cidr",
                "add",
                "n2",
                "--cluster-cidr",
                "10.0.0.0/16",
                "--service-cluster-ip-range",
                "10.96.0.0/12");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err()).contains("service range 10.96.0.0/12 overlaps 10.96.0.0-10.96.0.255 of IPPool(p)");
    }

    @Test
    void clusterCidrThatWasFreedAndTakenByAPoolIsRefused() throws IOException {
        addNode("--cluster-cidr", "10.244.0.0/16");
        shell.run("node-cidr", "remove", "n1");
        apply(POOL);

        var ended = addNode("--cluster-cidr", "10.244.0.0/16");

        assertThat(ended.exitCode()).isEqualTo(3);
    }

    @Test
    void clusterCidrInUseStaysUsableBesideAPoolThatAPeerStored() {
        addNode("--cluster-cidr", "10.244.0.0/16");
        storedPool();

        var ended = shell.run("node-cidr", "add", "n2", "--cluster-cidr", "10.244.0.0/16");

        assertThat(ended).isEqualTo(new Shell.Ended(0, "10.244.1.0/24\n", ""));
    }

    @Test
    void serviceRangeAndPoolsExcludeEachOther() throws IOException {
        addNode("--cluster-cidr", "10.0.0.0/16", "--service-cluster-ip-range", "10.96.0.0/12");

        var pool = apply(Manifest.pool("p", "{cidr: 10.100.0.0/16}"));

        assertThat(pool.exitCode()).isEqualTo(3);
        assertThat(pool.err()).contains("overlaps with service range 10.96.0.0/12 10.96.0.0-");
    }

    @Test
    void serviceRangeIsKeptWhenTheNextNodeIsAddedWithoutIt() throws IOException {
        addNode("--cluster-cidr", "10.0.0.0/16", "--service-cluster-ip-range", "10.96.0.0/12");
        shell.run("node-cidr", "add", "n2", "--cluster-cidr", "10.0.0.0/16");

        var pool = apply(Manifest.pool("p", "{cidr: 10.100.0.0/16}"));

        assertThat(pool.exitCode()).isEqualTo(3);
        assertThat(pool.err()).contains("overlaps with service range 10.96.0.0/12 10.96.0.0-");
    }

    @Test
    void serviceRangeInAPoolIsRefused() throws IOException {
        apply(POOL);

        var ended = addNode("--cluster-cidr", "10.0.0.0/16", "--service-cluster-ip-range", "10.244.0.0/20");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err()).contains("service range 10.244.0.0/20 overlaps");
    }

    @Test
    void rangeOfWhichNoNodeHoldsAnythingAnyMoreIsFree() throws IOException {
        addNode("--cluster-cidr", "10.244.0.0/16");
        var held = apply(POOL);
        shell.run("node-cidr", "remove", "n1");

        var free = apply(POOL);

        assertThat(held.err()).contains("overlaps with cluster CIDR 10.244.0.0/16");
        assertThat(free.out()).isEqualTo("ippool/p created\n");
    }

    @Test
    void rangeThatAPeerStoredTwiceIsReportedByTheCheckAndByEveryDecision() throws IOException {
        addNode("--cluster-cidr", "10.244.0.0/16");
        storedPool();
        apply(Manifest.node("n1"));

        var assigned = shell.run("ipam", "assign", "--node", "n1", "--num4", "1", "--handle", "h");
        var check = shell.run("ipam", "check");
        var reasons = shell.run("history", "-o", "wide").out();

        var words = "10.244.0.0-10.244.255.255 of IPPool(peer) overlaps 10.244.0.0-10.244.255.255 of"
                + " cluster CIDR 10.244.0.0/16, so an address may get two holders; delete"
                + " one of them";
        assertThat(assigned.exitCode()).as(assigned.err()).isZero();
        assertThat(reasons).contains(words);
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains("cadastre: " + words + "\n");
    }

    @Test
    void unreadableDocumentOfOneDialectStopsNoOtherAndIsNamed() throws IOException {
        apply(Manifest.node("n1"), Manifest.pool("p", "{cidr: 10.1.0.0/16}"));
        stored("/cadastre/node-cidr/cursors", "{\"kind\":\"NodeCidrCursors\"");

        var assigned = shell.run("ipam", "assign", "--node", "n1", "--num4", "1", "--handle", "h");
        var pool = apply(Manifest.pool("q", "{cidr: 10.2.0.0/16}"));
        var spiderPool = apply(SPIDER_POOL);
        var node = addNode("--cluster-cidr", "10.3.0.0/16");
        var check = shell.run("ipam", "check");

        assertThat(assigned.exitCode()).as(assigned.err()).isZero();
        assertThat(pool.exitCode()).as(pool.err()).isZero();
        assertThat(spiderPool.exitCode()).as(spiderPool.err()).isZero();
        assertThat(shell.run("history", "-o", "wide").out()).contains("cannot read /cadastre/node-cidr/cursors: ");
        assertThat(node.exitCode()).isEqualTo(1);
        assertThat(node.err()).contains("cannot read /cadastre/node-cidr/cursors: ");
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains("cannot read /cadastre/node-cidr/cursors: ", "is unknown until");
    }

    @Test
    void nodeCidrOutsideOfAllKnownClusterCidrsIsKeptFromPools() throws IOException {
        addNode("--cluster-cidr", "10.3.0.0/16");
        stored(
                "/cadastre/api/v1/nodes/adopted",
                "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"adopted\"},\"spec\":{\"podCIDR\":\"10.244.7.0/24\"}}");

        var pool = apply(POOL);
        var beside = apply(Manifest.pool("q", "{cidr: 10.244.8.0/24}"));
        storedPool();
        var check = shell.run("ipam", "check");

        assertThat(pool.exitCode()).isEqualTo(3);
        assertThat(pool.err()).contains("overlaps with node/adopted 10.244.7.0/24 10.244.7.0-");
        assertThat(beside.out()).isEqualTo("ippool/q created\n");
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains("of IPPool(peer) overlaps 10.244.7.0-10.244.7.255 of node/adopted");
    }

    @Test
    void unreadableNodeLeavesItsClusterCidrInUse() throws IOException {
        addNode("--cluster-cidr", "10.244.0.0/16");
        stored("/cadastre/api/v1/nodes/broken", "{");

        var pool = apply(POOL);
        var other = apply(Manifest.pool("q", "{cidr: 10.2.0.0/16}"));

        assertThat(pool.err()).contains("overlaps with cluster CIDR 10.244.0.0/16");
        assertThat(other.out()).isEqualTo("ippool/q created\n");
    }

    @Test
    void decisionBesideTheSharedRangeDoesNotMentionIt() throws IOException {
        addNode("--cluster-cidr", "10.244.0.0/16");
        storedPool();
        apply(Manifest.node("n1"), Manifest.pool("other", "{cidr: 10.1.0.0/16}"));

        var assigned = shell.run("ipam", "assign", "--node", "n1", "--ip", "10.1.0.1", "--handle", "h");

        assertThat(assigned.exitCode()).as(assigned.err()).isZero();
        assertThat(shell.run("history", "-o", "wide").out()).doesNotContain("two holders");
    }

    @Test
    void overlappingBlocksAndAddressesWithTwoHoldersAreReported() throws IOException {
        apply(Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 30}"));
        stored(BLOCKS + "10.0.0.0-30", block("10.0.0.0/30", "0,null,null,null", "1,2,3", "a"));
        stored(BLOCKS + "10.0.0.0-31", block("10.0.0.0/31", "0,null", "1", "b"));

        var check = shell.run("ipam", "check");

        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err())
                .contains(
                        "cadastre: 10.0.0.0-10.0.0.1 of block 10.0.0.0/31 of host:n overlaps"
                                + " 10.0.0.0-10.0.0.3 of block 10.0.0.0/30 of host:n\n",
                        "handle/b",
                        "handle/a");
    }

    private static String block(String cidr, String allocations, String free, String handle) {
        return "{\"cidr\":\"%s\",\"affinity\":\"host:n\",\"allocations\":[%s],\"unallocated\":[%s],\"attributes\":[{\"handle_id\":\"%s\"}],\"sequenceNumber\":7,\"sequenceNumberForAllocation\":{\"0\":6},\"deleted\":false}"
                .formatted(cidr, allocations, free, handle);
    }
}
