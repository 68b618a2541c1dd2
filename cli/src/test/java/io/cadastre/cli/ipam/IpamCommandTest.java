package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IpamCommandTest {

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

    private List<String> assign(String... options) {
        var arguments = new ArrayList<>(List.of("ipam", "assign"));
        arguments.addAll(List.of(options));
        var ended = shell.run(arguments.toArray(String[]::new));
        assertThat(ended.err()).isEmpty();
        return ended.out().lines().toList();
    }

    // ---- assign ----

    @Test
    void bothFamiliesAreGivenAtOnce() throws IOException {
        given(
                Manifest.pool("four", "{cidr: 10.0.0.0/24}"),
                Manifest.pool("six", "{cidr: 'fd80:24e2:f998:72d6::/120'}"),
                Manifest.node("a"));

        var given = assign("--node", "a", "--num4", "2", "--num6", "1");

        assertThat(given).hasSize(3);
        assertThat(given.getLast()).startsWith("fd80:24e2:f998:72d6::");
    }

    @Test
    void certainAddressIsGivenOnceAndThenTaken() throws IOException {
        given(Manifest.pool("p", "{cidr: 192.168.1.0/24}"), Manifest.node("a"));

        var first = assign("--node", "a", "--ip", "192.168.1.0", "--handle", "h");
        var again = shell.run("ipam", "assign", "--node", "a", "--ip", "192.168.1.0");

        assertThat(first).containsExactly("192.168.1.0");
        assertThat(again).isEqualTo(new Shell.Ended(3, "", """
            cadastre: resource already exists: 192.168.1.0 with error: Address \
            already assigned in block
            To see why, run: cadastre explain ipam assign --node a --ip 192.168.1.0
            """));
    }

    @Test
    void refusalEndsWithTheCommandThatExplainsItByTheSelectorsThatFailed() throws IOException {
        given(
                Manifest.pool(
                        "zoned", "{cidr: 10.1.0.0/24, allowedUses: [Workload], nodeSelector: 'zone ==" + " \"a\"'}"),
                Manifest.pool(
                        "spaced",
                        "{cidr: 10.2.0.0/24, allowedUses: [Workload], namespaceSelector:"
                                + " 'kubernetes.io/metadata.name == \"shop\"'}"),
                Manifest.pool("tunnels", "{cidr: 10.3.0.0/24, allowedUses: [Tunnel]}"),
                Manifest.node("a"));

        var refused = shell.run("ipam", "assign", "--node", "a", "--namespace", "bank");
        var explained = shell.run("explain", "ipam", "assign", "--node", "a", "--namespace", "bank");

        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err())
                .endsWith("To see why, run: cadastre explain ipam assign --node a --namespace" + " bank\n");
        assertThat(explained.exitCode()).isEqualTo(3);
        assertThat(explained.out())
                .contains(
                        "passed over pool zoned, 10.1.0.0/24: its nodeSelector zone == \"a\" does"
                                + " not match node a, which has none of the labels it names\n",
                        "passed over pool spaced, 10.2.0.0/24: its namespaceSelector"
                                + " kubernetes.io/metadata.name == \"shop\" does not match the"
                                + " namespace, whose labels are kubernetes.io/metadata.name=bank\n",
                        "passed over pool tunnels, 10.3.0.0/24: its allowedUses are Tunnel and not" + " Workload\n");
    }

    @Test
    void explanationDoesNotNameWhatAnotherNodeHolds() throws IOException {
        given(
                Manifest.pool("p", "{cidr: 10.0.0.0/29, blockSize: 30}"),
                Manifest.node("a"),
                Manifest.node("b"),
                Manifest.node("c"));
        assign("--node", "a", "--num4", "4");
        assign("--node", "b", "--num4", "4");

        var explained = shell.run("explain", "ipam", "assign", "--node", "c");

        assertThat(explained.exitCode()).isEqualTo(3);
        assertThat(explained.out()).startsWith("node c would be given nothing: ");
    }

    @Test
    void poolIsAskedForByNameOrByCidr() throws IOException {
        given(
                Manifest.pool("one", "{cidr: 10.1.0.0/24}"),
                Manifest.pool("two", "{cidr: 10.2.0.0/24}"),
                Manifest.node("a"));

        assertThat(assign("--node", "a", "--pool", "two").getFirst()).startsWith("10.2.0.");
        assertThat(assign("--node", "a", "--pool", "10.1.0.0/24").getFirst()).startsWith("10.1.0.");
    }

    @Test
    void namespaceIsSelectedByItsNameAndReported() throws IOException {
        given(
                Manifest.pool(
                        "shop",
                        "{cidr: 10.1.0.0/24, allowedUses: [Workload], namespaceSelector:"
                                + " 'kubernetes.io/metadata.name == \"shop\"'}"),
                Manifest.node("a"));

        var inside = assign("--node", "a", "--namespace", "shop");
        var outside = shell.run("ipam", "assign", "--node", "a", "--namespace", "bank");

        assertThat(shell.run("ipam", "show", "--ip", inside.getFirst()).out())
                .contains("  namespace: shop\n  node: a\n", "Handle ID: <none>\n");
        assertThat(outside.exitCode()).isEqualTo(3);
    }

    @Test
    void fewerAddressesThanRequestedAreAssignedAndReported() throws IOException {
        given(Manifest.pool("p", "{cidr: 192.168.1.0/26}"), Manifest.node("a"));

        var ended = shell.run("ipam", "assign", "--node", "a", "--num4", "65");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out().lines()).hasSize(64);
        assertThat(ended.err()).isEqualTo("""
            cadastre: Assigned 64 out of 65 requested IPv4 addresses; No IPs available \
            in pools: [192.168.1.0/26]
            To see why, run: cadastre explain ipam assign --node a --num4 65
            """);
    }

    @Test
    void requestThatFailsHalfWayKeepsNothing() throws IOException {
        given(Manifest.pool("four", "{cidr: 10.0.0.0/24}"), Manifest.node("a"));

        var ended = shell.run("ipam", "assign", "--node", "a", "--num4", "1", "--num6", "1", "--handle", "h");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(shell.run("ipam", "show").out()).contains("|     0 (0%) |");
        assertThat(shell.run("get", "ipamhandles", "-o", "name").out()).isEmpty();
    }

    @Test
    void explanationNamesPoolsAndBlocksAndWritesNothing() throws IOException {
        given(
                Manifest.pool("off", "{cidr: 10.1.0.0/24, disabled: true}"),
                Manifest.pool("on", "{cidr: 10.2.0.0/24}"),
                Manifest.node("a"));
        var before = shell.run("ledger", "verify");

        var option = shell.run("ipam", "assign", "--node", "a", "--explain");
        var command = shell.run("explain", "ipam", "assign", "--node", "a");

        assertThat(option).isEqualTo(command);
        assertThat(option.exitCode()).isZero();
        assertThat(option.out())
                .startsWith("node a would be given 10.2.0.")
                .contains("  because passed over pool off, 10.1.0.0/24: it is disabled\n")
                .contains("  because took pool on, 10.2.0.0/24\n")
                .contains("  because claimed block 10.2.0.")
                .endsWith("  nothing was written\n");
        assertThat(shell.run("get", "ipamblocks", "-o", "name").out()).isEmpty();
        assertThat(shell.run("ledger", "verify")).isEqualTo(before);
    }

    @Test
    void answerIsADocumentIfAskedFor() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));

        var ended = shell.run("ipam", "assign", "--node", "a", "-o", "json");

        var json = new ObjectMapper().readTree(ended.out());
        assertThat(json.at("/ips/0/ip").asText()).isEqualTo("10.0.0.0");
        assertThat(json.at("/ips/0/block").asText()).isEqualTo("10.0.0.0/26");
    }

    // ---- show ----

    @Test
    void tableIsCalicoctlsToTheLetter() throws IOException {
        given(
                Manifest.pool("pool-a", "{cidr: 10.65.0.0/16}"),
                Manifest.pool("pool-b", "{cidr: 10.66.0.0/28, blockSize: 29}"),
                Manifest.resource("IPReservation", "r", "{reservedCIDRs: [10.65.1.0/24]}"),
                Manifest.node("a"));
        assign("--node", "a", "--num4", "5", "--pool", "pool-a");
        assign("--node", "a", "--num4", "16", "--pool", "pool-b");

        var shown = shell.run("ipam", "show", "--show-blocks").out();

        assertThat(shown).isEqualTo("""
            +----------+-----------------+-----------+------------+--------------+--------------+
            | GROUPING | CIDR            | IPS TOTAL | IPS IN USE | IPS RESERVED | IPS FREE     |
            +----------+-----------------+-----------+------------+--------------+--------------+
            | IP Pool  | 10.65.0.0/16    |     65536 |     5 (0%) |     256 (0%) | 65275 (100%) |
            | Block    | 10.65.73.128/26 |        64 |     5 (8%) |       0 (0%) |     59 (92%) |
            | IP Pool  | 10.66.0.0/28    |        16 |  16 (100%) |       0 (0%) |       0 (0%) |
            | Block    | 10.66.0.0/29    |         8 |   8 (100%) |       0 (0%) |       0 (0%) |
            | Block    | 10.66.0.8/29    |         8 |   8 (100%) |       0 (0%) |       0 (0%) |
            +----------+-----------------+-----------+------------+--------------+--------------+
            """);
    }

    @Test
    void blockWithoutItsPoolComesLastWithoutAPoolRow() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        assign("--node", "a");
        shell.run("delete", "ippool", "p");

        var shown = shell.run("ipam", "show", "--show-blocks").out();

        assertThat(shown.lines().filter(line -> line.startsWith("| IP Pool"))).isEmpty();
        assertThat(shown)
                .contains("| Block    | 10.0.0.0/26 |        64 |     1 (2%) |       0 (0%) | 63" + " (98%) |\n");
    }

    @Test
    void borrowedAddressIsShownWithTheOwnerOfItsBlock() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/30, blockSize: 30}"), Manifest.node("a"), Manifest.node("b"));
        assign("--node", "a");
        var borrowed = assign("--node", "b").getFirst();

        var shown = shell.run("ipam", "show", "--show-borrowed").out();

        assertThat(shown).isEqualTo("""
            +----------+----------------+-------------+-------------+------+--------------+
            | IP       | BORROWING-NODE | BLOCK       | BLOCK OWNER | TYPE | ALLOCATED-TO |
            +----------+----------------+-------------+-------------+------+--------------+
            | %s | b              | 10.0.0.0/30 | a           |      |              |
            +----------+----------------+-------------+-------------+------+--------------+
            """.formatted(borrowed));
    }

    @Test
    void configurationIsShownWithItsDefaults() {
        assertThat(shell.run("ipam", "show", "--show-configuration").out()).isEqualTo("""
            +------------------------------+-----------+
            | PROPERTY                     | VALUE     |
            +------------------------------+-----------+
            | StrictAffinity               | false     |
            | AutoAllocateBlocks           | true      |
            | MaxBlocksPerHost             | 0         |
            | KubeVirtVMAddressPersistence | "Enabled" |
            | IPCooldownSeconds            | 0         |
            +------------------------------+-----------+
            """);
    }

    @Test
    void coolingAddressIsNeitherHeldNorFree() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "configure", "--ip-cooldown-seconds=60");
        var address = assign("--node", "a").getFirst();
        shell.run("ipam", "release", "--ip", address);

        var soon = shell.run("ipam", "show", "--ip", address);
        var later = shell.at(Shell.NOON.plusSeconds(61)).run("ipam", "show", "--ip", address);

        assertThat(soon).isEqualTo(new Shell.Ended(3, "", "cadastre: address %s is in cooldown\n".formatted(address)));
        assertThat(later.out()).isEqualTo(address + " is not assigned\n");
    }

    @Test
    void collectorFreesColdAddressesAndKeepsTheLastBlockIfAsked() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        shell.run("ipam", "configure", "--ip-cooldown-seconds=60");
        shell.run("ipam", "release", "--ip", assign("--node", "a").getFirst());
        var later = shell.at(Shell.NOON.plusSeconds(61));

        assertThat(shell.run("ipam", "collect").out()).isEmpty();
        assertThat(later.run("ipam", "collect", "--keep-one").out()).isEmpty();
        assertThat(later.run("ipam", "collect").out()).isEqualTo("block 10.0.0.0/26 released\n");
    }

    @Test
    void useIsADocumentIfAskedFor() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/26}"), Manifest.node("a"));
        assign("--node", "a");

        var json = new ObjectMapper()
                .readTree(
                        shell.run("ipam", "show", "--show-blocks", "-o", "json").out());

        assertThat(json.at("/pools/0/inUse").asInt()).isEqualTo(1);
        assertThat(json.at("/pools/0/blocks/0/affinity").asText()).isEqualTo("host:a");
    }

    // ---- configure ----

    @Test
    void configuredPropertiesAreReported() {
        var ended = shell.run(
                "ipam",
                "configure",
                "--strictaffinity=true",
                "--max-blocks-per-host=4",
                "--kubevirt-ip-persistence=Disabled",
                "--ip-cooldown-seconds=30");

        assertThat(ended).isEqualTo(new Shell.Ended(0, """
            Successfully set StrictAffinity to: true
            Successfully set MaxBlocksPerHost to: 4
            Successfully set KubeVirtVMAddressPersistence to: Disabled
            Successfully set IPCooldownSeconds to: 30
            """, ""));
    }

    // ---- while the datastore is locked ----

    @Test
    void nothingIsGivenAndNothingCollectedWhileTheDatastoreIsLocked() throws IOException {
        given(
                Manifest.pool("p", "{cidr: 10.0.0.0/24}"),
                Manifest.node("a"),
                Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));

        var assigning = shell.run("ipam", "assign", "--node", "a");
        var collecting = shell.run("ipam", "collect");

        var refusal = new Shell.Ended(
                3, "", "cadastre: the datastore is locked: ClusterInformation default has datastoreReady: false\n");
        assertThat(assigning).isEqualTo(refusal);
        assertThat(collecting).isEqualTo(refusal);
    }

    @Test
    void poolIsNotSetUpAgainOverBlocksOfAnotherSize() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/24}"), Manifest.node("a"));
        assign("--node", "a");
        shell.run("delete", "ippool", "p");

        var again = Manifest.apply(shell, folder, Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 28}"));

        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err())
                .contains("IPPool blocksSize conflicts with existing allocations that use a different" + " blockSize");
    }

    // ---- split ----

    @Test
    void splitPoolIsReplacedByItsParts() throws IOException {
        given(Manifest.pool("p", "{cidr: 10.0.0.0/24}"), Manifest.node("a"));
        var address = assign("--node", "a").getFirst();
        given(Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));

        var ended = shell.run("ipam", "split", "2", "--name", "p");

        assertThat(ended).isEqualTo(new Shell.Ended(0, """
            IP Pool p was successfully split into 2 smaller pools.Created split-p-0 with CIDR 10.0.0.0/25.
            Created split-p-1 with CIDR 10.0.0.128/25.
            Please refer to the documentation for final steps.
            """, ""));
        assertThat(shell.run("ipam", "show", "--ip", address).out()).contains("is in use");
    }
}
