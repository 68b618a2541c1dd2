package io.cadastre.cli.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

final class NodeCidrCommandTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir
    private Path home;

    @Test
    void nodeGetsTheNextCidrAndTheCidrAloneIsPrinted() {
        var shell = Shell.at(home);

        var first = shell.run("node-cidr", "add", "node-1", CLUSTER);
        var second = shell.run("node-cidr", "add", "node-2", CLUSTER);

        assertThat(first).isEqualTo(new Shell.Ended(0, "10.244.0.0/24\n", ""));
        assertThat(second).isEqualTo(new Shell.Ended(0, "10.244.1.0/24\n", ""));
    }

    @Test
    void nodeThatHasACidrGetsTheSameAnswerAgain() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "node-1", CLUSTER);

        var again = shell.run("node-cidr", "add", "node-1", CLUSTER);

        assertThat(again).isEqualTo(new Shell.Ended(0, "10.244.0.0/24\n", ""));
    }

    @Test
    void dualStackIsPrintedInTheOrderOfTheFlag() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", "--cluster-cidr=fd00:10:244::/56,10.244.0.0/16");

        assertThat(ended.out()).isEqualTo("fd00:10:244::/64,10.244.0.0/24\n");
    }

    @Test
    void severalNodesArePrintedWithTheirNamesInTheOrderTyped() {
        var nodes = IntStream.range(0, 300).mapToObj("n%d"::formatted).toList();

        var ended = Shell.at(home)
                .run(Stream.of(Stream.of("node-cidr", "add", "--cluster-cidr=10.0.0.0/8"), nodes.stream())
                        .flatMap(words -> words)
                        .toArray(String[]::new));

        var lines =
                ended.out().lines().map(line -> List.of(line.split(" ", -1))).toList();
        assertThat(lines).extracting(List::getFirst).isEqualTo(nodes);
        assertThat(lines)
                .extracting(List::getLast)
                .isEqualTo(IntStream.range(0, 300)
                        .mapToObj(index -> "10.%d.%d.0/24".formatted(index / 256, index % 256))
                        .toList());
    }

    @Test
    void nodesAddedTogetherShareCommits() {
        var shell = Shell.at(home);
        var nodes = IntStream.range(0, 200).mapToObj("n%d"::formatted);
        shell.run(Stream.concat(Stream.of("node-cidr", "add", "--cluster-cidr=10.0.0.0/8"), nodes)
                .toArray(String[]::new));

        var history = shell.run("history", "-o", "wide");

        var revisions = history.out()
                .lines()
                .skip(1)
                .map(line -> line.split(" {3,}", -1)[6])
                .toList();
        assertThat(revisions).hasSize(200);
        assertThat(revisions.stream().distinct().count()).isBetween(1L, 20L);
    }

    @Test
    void documentIsTheNode() throws IOException {
        var ended = Shell.at(home).run("node-cidr", "add", "node-1", CLUSTER, "-o", "json");

        var node = new ObjectMapper().readTree(ended.out());
        assertThat(node.at("/kind").asText()).isEqualTo("Node");
        assertThat(node.at("/metadata/name").asText()).isEqualTo("node-1");
        assertThat(node.at("/metadata/creationTimestamp").asText()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(node.at("/spec/podCIDRs/0").asText()).isEqualTo("10.244.0.0/24");
    }

    @Test
    void severalDocumentsAreAList() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", "b", CLUSTER, "-o", "yaml");

        var list = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(ended.out());
        assertThat(list.get("kind")).isEqualTo("List");
        assertThat((List<?>) list.get("items")).hasSize(2);
    }

    @Test
    void yamlQuotesWhatGoWouldNotReadAsText() {
        var ended = Shell.at(home).run("node-cidr", "add", "on", CLUSTER, "-o", "yaml");

        assertThat(ended.out())
                .contains("name: 'on'\n", "creationTimestamp: '2026-01-31T12:00:00Z'\n")
                .contains("podCIDR: 10.244.0.0/24\n");
    }

    @Test
    void exhaustedClusterRefusesAndNamesNodeAndReason() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", "--cluster-cidr=10.0.0.0/24");

        var ended = shell.run("node-cidr", "add", "b", "--cluster-cidr=10.0.0.0/24");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        3,
                        "",
                        "cadastre: node b gets no CIDR: failed to allocate cidr from cluster cidr at"
                                + " idx:0: CIDR allocation failed; there are no remaining CIDRs left"
                                + " to allocate in the accepted range\nTo see why, run: cadastre"
                                + " explain node-cidr add b --cluster-cidr=10.0.0.0/24\n"));
    }

    @Test
    void requestsThatFitAreServedBesideRefusedOnes() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", "b", "c", "--cluster-cidr=10.0.0.0/23");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.out()).hasLineCount(2);
        assertThat(ended.err()).hasLineCount(2);
    }

    @Test
    void ofSeveralRefusedNodesTheFirstIsNamedInACommandThatExplainsIt() {
        var shell = Shell.at(home);
        var dataDirectory = home.resolve("other").toString();
        shell.run("node-cidr", "add", "--data-dir", dataDirectory, "a", "--cluster-cidr", "10.0.0.0/24");

        var ended = shell.run(
                "node-cidr", "add", "--data-dir", dataDirectory, "a", "add", "c", "--cluster-cidr", "10.0.0.0/24");

        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.err())
                .endsWith("To see why, run: cadastre explain node-cidr add --data-dir %s add".formatted(dataDirectory)
                        + " --cluster-cidr 10.0.0.0/24\n");
    }

    @Test
    void otherSpellingIsReadAndReported() {
        var hostBits = Shell.at(home).run("node-cidr", "add", "a", "--cluster-cidr=10.244.3.0/16");
        var zeros = Shell.at(home).run("node-cidr", "add", "b", "--cluster-cidr=010.244.0.0/16");

        assertThat(hostBits)
                .isEqualTo(new Shell.Ended(
                        0,
                        "10.244.0.0/24\n",
                        "cadastre: warning: --cluster-cidr 10.244.3.0/16 is read as" + " 10.244.0.0/16\n"));
        assertThat(zeros.out()).isEqualTo("10.244.1.0/24\n");
        assertThat(zeros.err()).hasLineCount(1);
    }

    @Test
    void unreadableServiceRangeIsReportedAndKeepsNothingFree() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", CLUSTER, "--service-cluster-ip-range=bogus");

        assertThat(ended.out()).isEqualTo("10.244.0.0/24\n");
        assertThat(ended.err())
                .startsWith("cadastre: warning: ")
                .contains("bogus")
                .hasLineCount(1);
    }

    @Test
    void removedNodeIsGoneAndItsCidrRests() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var removed = shell.run("node-cidr", "remove", "a");
        var next = shell.run("node-cidr", "add", "b", CLUSTER);

        assertThat(removed).isEqualTo(new Shell.Ended(0, "node/a removed\n", ""));
        assertThat(next.out()).isEqualTo("10.244.1.0/24\n");
    }

    @Test
    void showHasOneLineForEachNode() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "node-1", CLUSTER);
        shell.run("node-cidr", "add", "b", CLUSTER);

        var table = shell.run("node-cidr", "show");
        var wide = shell.run("node-cidr", "show", "-o", "wide");
        var names = shell.run("node-cidr", "show", "-o", "name");

        assertThat(table.out()).isEqualTo("""
            NODE     CIDR
            b        10.244.1.0/24
            node-1   10.244.0.0/24
            """);
        assertThat(wide.out()).isEqualTo("""
            NODE     CIDR            STATE     CREATED
            b        10.244.1.0/24   present   2026-01-31T12:00:00Z
            node-1   10.244.0.0/24   present   2026-01-31T12:00:00Z
            """);
        assertThat(names.out()).isEqualTo("node/b\nnode/node-1\n");
    }

    @Test
    void showOfOneNodeShowsThatNode() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        shell.run("node-cidr", "add", "b", CLUSTER);

        var ended = shell.run("node-cidr", "show", "b", "-o", "name");

        assertThat(ended.out()).isEqualTo("node/b\n");
    }

    @Test
    void showWithAClusterCountsItsCidrs() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var ended = shell.run("node-cidr", "show", CLUSTER, "--service-cluster-ip-range=10.244.128.0/17");

        assertThat(ended.out()).isEqualTo("""
            NODE   CIDR
            a      10.244.0.0/24

            CLUSTER         MASK   SIZE   USED   FREE   CURSOR
            10.244.0.0/16   /24    256    129    127    10.244.1.0/24
            """);
    }

    @Test
    void showWithAnotherClusterWarnsOfWhatDoesNotFit() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var ended = shell.run("node-cidr", "show", "--cluster-cidr=10.10.0.0/16");

        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err())
                .isEqualTo("cadastre: warning: failed to mark cidr[10.244.0.0/24] at idx [0] as"
                        + " occupied for node: a: cidr 10.244.0.0/24 is out the range of"
                        + " cluster cidr 10.10.0.0/16\n");
    }

    @Test
    void addWarnsOfWhatDoesNotFit() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var ended = shell.run("node-cidr", "add", "b", "--cluster-cidr=10.10.0.0/16");

        assertThat(ended)
                .isEqualTo(new Shell.Ended(
                        0,
                        "10.10.0.0/24\n",
                        "cadastre: warning: failed to mark cidr[10.244.0.0/24] at idx [0] as"
                                + " occupied for node: a: cidr 10.244.0.0/24 is out the range of"
                                + " cluster cidr 10.10.0.0/16\n"));
    }

    @Test
    void lookingAtNothingCreatesNothing() throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run("node-cidr", "show", CLUSTER);

        assertThat(ended.exitCode()).isZero();
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void dataDirectoryIsTheOwnersAlone() throws IOException {
        var shell = Shell.at(home);

        shell.run("node-cidr", "add", "a", CLUSTER);

        assertThat(Files.getPosixFilePermissions(shell.dataDirectory()))
                .extracting(Enum::name)
                .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE", "OWNER_EXECUTE");
    }

    @Test
    void dataDirectoryFollowsTheEnvironmentAndTheOption() {
        var xdg = home.resolve("xdg");
        var said = home.resolve("said");

        Shell.at(home).with("XDG_STATE_HOME", xdg.toString()).run("node-cidr", "add", "a", CLUSTER);
        Shell.at(home).run("node-cidr", "add", "a", CLUSTER, "--data-dir", said.toString());

        assertThat(xdg.resolve("cadastre/store.db")).exists();
        assertThat(said.resolve("store.db")).exists();
        assertThat(said.resolve("ledger.db")).doesNotExist();
    }
}
