package io.cadastre.cli.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResourceCommandTest {

    private static final String POOL = Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 26}");

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private Shell.Ended apply(String... documents) throws IOException {
        return Manifest.apply(shell, folder, documents);
    }

    @Test
    void appliedAgainIsUnchangedAndOtherwiseConfigured() throws IOException {
        var first = apply(POOL);
        var again = apply(POOL);
        var changed = apply(Manifest.pool("p", "{cidr: 10.0.0.0/24, blockSize: 26, natOutgoing: true}"));

        assertThat(first.out()).isEqualTo("ippool/p created\n");
        assertThat(again.out()).isEqualTo("ippool/p unchanged\n");
        assertThat(changed.out()).isEqualTo("ippool/p configured\n");
    }

    @Test
    void createdAgainIsRefusedAndStaysAsItIs() throws IOException {
        var file = Files.writeString(folder.resolve("pool.yaml"), POOL);
        var other = Files.writeString(
                folder.resolve("other.yaml"), Manifest.pool("p", "{cidr: 10.0.0.0/24, natOutgoing: true}"));

        var first = shell.run("create", "-f", file.toString());
        var again = shell.run("create", "-f", other.toString());

        assertThat(first.out()).isEqualTo("ippool/p created\n");
        assertThat(again)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: ippool/p is not created: IPPool 'p' exists already;"
                                + " change it with apply: resource already exists:"
                                + " IPPool(p) with error: <nil>\n"));
        assertThat(shell.run("get", "ippools", "-o", "yaml").out()).doesNotContain("natOutgoing");
    }

    @Test
    void configurationIsCreatedOnce() throws IOException {
        var file = Files.writeString(
                folder.resolve("configuration.yaml"),
                Manifest.resource("IPAMConfiguration", "default", "{strictAffinity: true, autoAllocateBlocks: true}"));

        var first = shell.run("create", "-f", file.toString());
        var again = shell.run("create", "-f", file.toString());

        assertThat(first.out()).isEqualTo("ipamconfiguration/default created\n");
        assertThat(again.exitCode()).isEqualTo(3);
        assertThat(again.err()).contains("already exists: IPAMConfiguration(default)");
    }

    @Test
    void jsonAndListsAreAppliedToo() throws IOException {
        var file = Files.writeString(folder.resolve("list.json"), """
            {"apiVersion": "v1", "kind": "List", "items": [
              {"apiVersion": "projectcalico.org/v3", "kind": "Node",
               "metadata": {"name": "a"}},
              {"apiVersion": "projectcalico.org/v3", "kind": "IPReservation",
               "metadata": {"name": "r"}, "spec": {"reservedCIDRs": ["10.0.0.0/28"]}}
            ]}
            """);

        var ended = shell.run("apply", "-f", file.toString());

        assertThat(ended.out()).isEqualTo("node/a created\nipreservation/r created\n");
    }

    @Test
    void refusedDocumentIsReportedInOneSentenceAndDoesNotStopTheOthers() throws IOException {
        var ended = apply(Manifest.pool("bad", "{cidr: 10.0.0.0/24, blockSize: 33}"), POOL);

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3,
                        "ippool/p created\n",
                        "cadastre: ippool/bad is not applied: error with field spec"
                                + " (blockSize must be between 20 and 32 for IPv4 pools,"
                                + " and between 116 and 128 for IPv6 pools)\n"));
    }

    @Test
    void invalidCidrOfAReservationIsRefusedInTheWordsOfCalico() throws IOException {
        var junk = apply(Manifest.resource("IPReservation", "r", "{reservedCIDRs: [junk]}"));
        var address = apply(Manifest.resource("IPReservation", "r", "{reservedCIDRs: [10.0.0.0/30, 10.0.0.9]}"));

        assertThat(junk.exitCode()).isEqualTo(3);
        assertThat(junk.err())
                .contains(
                        "-  ReservedCIDRs = '[junk]' (Reason: failed to validate Field:"
                                + " ReservedCIDRs because of Tag: cidrs )",
                        "-  spec.reservedCIDRs[0] (spec.reservedCIDRs[0] in body must be of type" + " cidr: \"junk\")");
        assertThat(address.err())
                .isEqualTo("cadastre: ipreservation/r is not applied: error with field"
                        + " spec.reservedCIDRs[1] (spec.reservedCIDRs[1] in body must be"
                        + " of type cidr: \"10.0.0.9\")\n");
    }

    @Test
    void numbersAndUsesAreReadAsCalicoctlReadsThem() throws IOException {
        var ended =
                apply(Manifest.pool("p", "{cidr: 10.0.0.0/024, blockSize: 28.0, allowedUses: [Tunnel," + " Tunnel]}"));

        assertThat(ended.out()).as(ended.err()).isEqualTo("ippool/p created\n");
        assertThat(shell.run("get", "ippool", "p", "-o", "yaml").out())
                .contains("  cidr: 10.0.0.0/24\n", "  blockSize: 28\n");
    }

    @Test
    void oneObjectIsAListUnlessItIsNamed() throws IOException {
        apply(POOL);
        var mapper = new ObjectMapper();

        var list = mapper.readTree(shell.run("get", "ippools", "-o", "json").out());
        var named =
                mapper.readTree(shell.run("get", "ippool", "p", "-o", "json").out());
        var again = shell.runPiping(shell.run("get", "ippools", "-o", "yaml").out(), "apply", "-f", "-");

        assertThat(list.path("kind").asText()).isEqualTo("IPPoolList");
        assertThat(list.path("apiVersion").asText()).isEqualTo("projectcalico.org/v3");
        assertThat(list.path("items")).hasSize(1);
        assertThat(named.path("kind").asText()).isEqualTo("IPPool");
        assertThat(again.out()).isEqualTo("ippool/p unchanged\n");
    }

    @Test
    void textThatNestsTooDeepOrSwellsIsRefusedInOneSentence() throws IOException {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int level = 1; level <= 7; level++) {
            bomb.append("a%d: &a%d [".formatted(level, level))
                    .append("*a%d,".formatted(level - 1).repeat(10))
                    .append("]\n");
        }

        assertWrong("[".repeat(1000) + "]".repeat(1000), "nests deeper than 64 levels");
        assertWrong("{\"a\":".repeat(100_000), "nests deeper than 64 levels");
        assertWrong("a: &a [*a]", "has alias *a inside its own value; write the value out");
        assertWrong(bomb.toString(), "has more than 2000000 values");
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void nameOfAFieldCountsInAnyLetterCase() throws IOException {
        var ended = apply(Manifest.pool("p", "{CIDR: 10.0.0.0/26, blocksize: 28, Disabled: true}"));

        assertThat(ended.out()).isEqualTo("ippool/p created\n");
        assertThat(shell.run("get", "ippool", "p", "-o", "yaml").out())
                .contains("  cidr: 10.0.0.0/26\n", "  blockSize: 28\n", "  disabled: true\n")
                .doesNotContain("blocksize", "CIDR", "Disabled");
    }

    @Test
    void fieldThatItsKindLacksIsWrongUsageAndNothingIsWritten() throws IOException {
        assertWrong(
                POOL + Manifest.pool("q", "{cidr: 10.1.0.0/24, blokSize: 28}"),
                "ippool/q: field in document is not recognized or is in the wrong location:"
                        + " blokSize; did you mean spec.blockSize?");
        assertWrong(
                Manifest.pool("q", "{cidr: 10.1.0.0/24, nat-outgoing: true}"),
                "nat-outgoing; did you mean spec.natOutgoing?");
        assertWrong(Manifest.resource("IPReservation", "r", "{ranges: [10.0.0.0/28]}"), "wrong location: ranges");
        assertWrong(
                Manifest.resource("IPAMConfiguration", "default", "{strictAfinity: true}"),
                "strictAfinity; did you mean spec.strictAffinity?");
        assertWrong(Manifest.resource("Node", "n", "{bgp: {asnum: 1}}"), "wrong location: asnum");
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void documentsThatCannotBeReadAreWrongUsageAndNothingIsWritten() throws IOException {
        assertWrong("[1, 2", "neither YAML nor JSON");
        assertWrong("just a word", "a document that is not an object");
        assertWrong("", "has no document");
        assertWrong("{kind: Service, apiVersion: v1}", "of kind 'Service', which cannot be applied");
        assertWrong(
                "{kind: IPAMBlock, apiVersion: projectcalico.org/v3}", "of kind 'IPAMBlock', which cannot be applied");
        assertWrong("{kind: IPPool, apiVersion: v1}", "of apiVersion 'v1'; it must be");
        assertThat(shell.files()).isEmpty();
    }

    private void assertWrong(String manifest, String words) throws IOException {
        var ended = apply(manifest);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err().lines().findFirst().orElseThrow()).contains(words);
    }

    @Test
    void missingFileIsWrongUsage() {
        var ended = shell.run("apply", "-f", "/nowhere/pool.yaml");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("/nowhere/pool.yaml cannot be read");
    }

    @Test
    void configurationHasOneNameAndIsWhatTheAllocatorReads() throws IOException {
        var other = apply(
                Manifest.resource("IPAMConfiguration", "other", "{strictAffinity: true, autoAllocateBlocks: true}"));
        var applied = apply(Manifest.resource(
                "IPAMConfiguration",
                "default",
                "{strictAffinity: true, autoAllocateBlocks: true, maxBlocksPerHost:" + " 4}"));

        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.err())
                .contains("Cannot create an IPAMConfiguration resource with a name other than" + " \"default\"");
        assertThat(applied.out()).isEqualTo("ipamconfiguration/default configured\n");
        assertThat(shell.run("ipam", "show", "--show-configuration").out())
                .contains("| StrictAffinity               | true      |");
        assertThat(shell.run("delete", "ipamconfiguration", "default").exitCode())
                .isZero();
        assertThat(shell.run("get", "ipamconfigurations").out()).isEqualTo("""
            NAME      STRICTAFFINITY   AUTOALLOCATEBLOCKS   MAXBLOCKSPERHOST
            default   false            true                 0
            """);
    }

    @Test
    void badConfigurationIsRefusedAndChangesNothing() throws IOException {
        var both = apply(Manifest.resource(
                "IPAMConfiguration", "default", "{strictAffinity: false, autoAllocateBlocks: false}"));
        var max = apply(Manifest.resource(
                "IPAMConfiguration",
                "default",
                "{strictAffinity: false, autoAllocateBlocks: true," + " maxBlocksPerHost: 2}"));
        var cooldown = apply(Manifest.resource(
                "IPAMConfiguration",
                "default",
                "{strictAffinity: false, autoAllocateBlocks: true," + " ipCooldownSeconds: 1201}"));

        assertThat(both.err())
                .contains("Cannot disable 'StrictAffinity' and 'AutoAllocateBlocks' at the same" + " time");
        assertThat(max.err()).contains("MaxBlocksPerHost requires StrictAffinity to be enabled");
        assertThat(cooldown.err()).contains("must be a number from 0 to 1200");
        assertThat(shell.run("get", "ipamconfigurations").out()).contains("default   false");
    }

    @Test
    void printedResourceCanBeAppliedAgain() throws IOException {
        apply(POOL);

        var shown = shell.run("get", "ippool", "p", "-o", "yaml");
        var again = apply(shown.out());

        assertThat(shown.out()).contains("blockSize: 26\n", "name: p\n");
        assertThat(again.out()).isEqualTo("ippool/p unchanged\n");
    }

    @Test
    void kindsOfTheAllocatorAreShown() throws IOException {
        apply(POOL, Manifest.node("a"));
        shell.run("ipam", "assign", "--node", "a", "--handle", "h");

        var block = new ObjectMapper()
                .readTree(shell.run("get", "ipamblocks", "-o", "json").out())
                .at("/items/0");
        var affinities = shell.run("get", "blockaffinities");
        var handles = shell.run("get", "ipamhandles");

        var cidr = block.at("/spec/cidr").asText();
        assertThat(block.at("/kind").asText()).isEqualTo("IPAMBlock");
        assertThat(block.at("/spec/affinity").asText()).isEqualTo("host:a");
        assertThat(affinities.out()).contains("a      " + cidr + "   confirmed");
        assertThat(handles.out()).contains("h      " + cidr + ":1");
        assertThat(shell.run("get", "ipamblock", cidr, "-o", "name").out())
                .isEqualTo("ipamblock/" + block.at("/metadata/name").asText() + "\n");
    }

    @Test
    void whatTheAllocatorKeepsIsNotDeletedByHand() {
        var ended = shell.run("delete", "ipamblocks", "10-0-0-0-26");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("ipamblocks are managed by the allocator");
    }

    @Test
    void unknownKindAndUnknownNameAreReported() {
        var kind = shell.run("get", "services");
        var name = shell.run("get", "ippool", "x");
        var gone = shell.run("delete", "ippool", "x");

        assertThat(kind.exitCode()).isEqualTo(2);
        assertThat(kind.err()).contains("unknown kind 'services'; known kinds: ippools, ");
        assertThat(gone)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: IPPool 'x' does not exist: resource does not exist: IPPool(x) with"
                                + " error: <nil>\n"));
        assertThat(name.exitCode()).isEqualTo(3);
        assertThat(name.err()).contains("no store in ").endsWith(gone.err());
    }

    @Test
    void deletedPoolGivesUpItsBlocksAndThoseInUseGoWithTheirLastAddress() throws IOException {
        apply(POOL, Manifest.node("a"), Manifest.node("b"));
        var kept = shell.run("ipam", "assign", "--node", "a").out().strip();
        var released = shell.run("ipam", "assign", "--node", "b").out().strip();
        shell.run("ipam", "release", "--ip", released);

        var deleted = shell.run("delete", "ippool", "p");

        assertThat(deleted).isEqualTo(new Shell.Ended(0, "ippool/p deleted\n", ""));
        assertThat(shell.run("get", "ippools", "-o", "name").out()).isEmpty();
        assertThat(shell.run("get", "blockaffinities", "-o", "name").out()).isEmpty();
        assertThat(shell.run("get", "ipamblocks", "-o", "name").out()).hasLineCount(1);

        shell.run("ipam", "release", "--ip", kept);

        assertThat(shell.run("get", "ipamblocks", "-o", "name").out()).isEmpty();
    }

    @Test
    void everyChangeIsInTheHistory() throws IOException {
        apply(POOL);
        shell.run("delete", "ippool", "p");

        var history = shell.run("history");

        assertThat(history.out()).contains("apply ippool/p", "delete ippool/p");
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }
}
