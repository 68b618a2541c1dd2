package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.cli.Manifest;
import io.cadastre.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// What commands about blocks and addresses say to input that makes no sense or cannot be had.
final class IpamBadInputTest {

    @TempDir
    private Path home;

    @TempDir
    private Path folder;

    private Shell shell = Shell.at(Path.of(""));

    @BeforeEach
    void openShell() {
        shell = Shell.at(home);
    }

    private record Row(int exitCode, String words, List<String> arguments) {

        static Row wrong(String words, String... arguments) {
            return new Row(2, words, List.of(arguments));
        }

        static Row refused(String words, String... arguments) {
            return new Row(3, words, List.of(arguments));
        }
    }

    @Test
    void moreBlocksThanOneCommitTakesAreClaimedAndTheirAddressesGivenBack() throws IOException {
        var file = Files.writeString(folder.resolve("many.yaml"), """
            apiVersion: projectcalico.org/v3
            kind: IPPool
            metadata: {name: default}
            spec: {cidr: 10.244.0.0/16, blockSize: 32}
            ---
            apiVersion: projectcalico.org/v3
            kind: Node
            metadata: {name: node-1}
            ---
            apiVersion: projectcalico.org/v3
            kind: IPAMConfiguration
            metadata: {name: default}
            spec: {strictAffinity: true, maxBlocksPerHost: 100, autoAllocateBlocks: true}
            """);
        assertThat(shell.run("apply", "-f", file.toString()).exitCode()).isZero();

        var given = shell.run("ipam", "assign", "--node", "node-1", "--num4", "100", "--handle", "h");
        var inUse = shell.run("ipam", "show").out();
        var released = shell.run("ipam", "release-handle", "h");
        var refused = shell.run("ipam", "assign", "--node", "node-1", "--num4", "101");

        assertThat(given.exitCode()).isZero();
        assertThat(given.out().lines()).hasSize(100).doesNotHaveDuplicates();
        assertThat(inUse).contains("100 (0%)");
        assertThat(released.out().lines())
                .containsExactlyInAnyOrderElementsOf(given.out().lines().toList());
        // The law has the last word: nothing is kept of a request that it stops.
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("per host block limit");
        assertThat(shell.run("ipam", "show").out()).contains("0 (0%)").doesNotContain("100 (0%)");
    }

    @TestFactory
    Stream<DynamicTest> wrongUsageIsReportedAndCreatesNothing() {
        return Stream.of(
                        Row.wrong("invalid IP address specified: 1.2.3", "ipam", "show", "--ip", "1.2.3"),
                        Row.wrong("invalid IP address specified: x", "ipam", "release", "--ip", "x"),
                        Row.wrong("invalid IP address specified: x", "ipam", "assign", "--node", "a", "--ip", "x"),
                        Row.wrong("specify either --ip or --from-report", "ipam", "release"),
                        Row.wrong(
                                "--num4 is -1; it must be from 0 to 65536",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--num4=-1"),
                        Row.wrong(
                                "--num6 is 65537; it must be from 0 to 65536",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--num6=65537"),
                        Row.wrong(
                                "a handle must not contain a slash: 'a/b'",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--handle",
                                "a/b"),
                        Row.wrong(
                                "a handle must not be empty or contain a slash: 'a/b'",
                                "ipam",
                                "release-handle",
                                "a/b"),
                        Row.wrong(
                                "--use is 'Fun'; it must be one of Workload, Tunnel, LoadBalancer",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--use",
                                "Fun"),
                        Row.wrong(
                                "--ip is empty; give an address, or omit the option",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--ip",
                                ""),
                        Row.wrong("at least one configuration option must be specified", "ipam", "configure"),
                        Row.wrong(
                                "invalid value. Use true or false to set strictaffinity",
                                "ipam",
                                "configure",
                                "--strictaffinity=maybe"),
                        Row.wrong(
                                "invalid value for maxblockhost. Use a valid number",
                                "ipam",
                                "configure",
                                "--max-blocks-per-host=some"),
                        Row.wrong(
                                "invalid value for maxblockhost. Use a valid number",
                                "ipam",
                                "configure",
                                "--max-blocks-per-host=-1"),
                        Row.wrong(
                                "invalid value for --kubevirt-ip-persistence. Use Enabled or" + " Disabled",
                                "ipam",
                                "configure",
                                "--kubevirt-ip-persistence=on"),
                        Row.wrong(
                                "invalid value for --ip-cooldown-seconds",
                                "ipam",
                                "configure",
                                "--ip-cooldown-seconds=1201"),
                        Row.wrong("report /nowhere cannot be read", "ipam", "release", "--from-report", "/nowhere"))
                .map(row -> DynamicTest.dynamicTest(String.join(" ", row.arguments()), () -> {
                    assertOneSentence(row);
                    assertThat(shell.files()).isEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> whatCannotBeHadIsRefusedAndChangesNoAddress() throws IOException {
        Manifest.apply(
                shell,
                folder,
                Manifest.pool("on", "{cidr: 10.0.0.0/24}"),
                Manifest.pool("off", "{cidr: 10.1.0.0/24, disabled: true}"),
                Manifest.node("a"));
        return Stream.of(
                        Row.refused(
                                "Node 'ghost' does not exist: resource does not exist: Node(ghost)"
                                        + " with error: <nil>",
                                "ipam",
                                "assign",
                                "--node",
                                "ghost"),
                        Row.refused(
                                "the given pool (10.1.0.0/24) does not exist, or is not enabled",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--pool",
                                "off"),
                        Row.refused(
                                "the given pool (nonsense) does not exist, or is not enabled",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--pool",
                                "nonsense"),
                        Row.refused(
                                "the given pool (10.9.0.0/24) does not exist, or is not enabled",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--pool",
                                "10.9.0.0/24"),
                        Row.refused("cannot find a qualified ippool", "ipam", "assign", "--node", "a", "--num6", "1"),
                        Row.refused(
                                "The provided IP address is not in a configured pool",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--ip",
                                "1.1.1.1"),
                        Row.refused(
                                "cannot find a qualified ippool",
                                "ipam",
                                "assign",
                                "--node",
                                "a",
                                "--use",
                                "LoadBalancer"),
                        Row.refused("IP address 10.0.0.7 is not assigned", "ipam", "release", "--ip", "10.0.0.7"),
                        Row.refused("IP address 1.1.1.1 is not assigned", "ipam", "release", "--ip", "1.1.1.1"),
                        Row.refused(
                                "handle 'h' does not exist: resource does not exist:"
                                        + " IPAMHandleKey(id=h) with error: <nil>",
                                "ipam",
                                "release-handle",
                                "h"),
                        Row.refused(
                                "error: MaxBlocksPerHost requires StrictAffinity to be enabled",
                                "ipam",
                                "configure",
                                "--max-blocks-per-host=2"),
                        Row.refused(
                                "the datastore must be locked; first apply a ClusterInformation"
                                        + " 'default' with spec.datastoreReady: false: datastore is"
                                        + " not locked. Run the `calicoctl datastore migrate lock`"
                                        + " command in order split the IP pools",
                                "ipam",
                                "split",
                                "2",
                                "--name",
                                "on"),
                        Row.refused("no name or CIDR provided. ", "ipam", "split", "2"))
                .map(row -> DynamicTest.dynamicTest(String.join(" ", row.arguments()), () -> {
                    assertOneSentence(row);
                    assertThat(shell.run("get", "ipamblocks", "-o", "name").out())
                            .isEmpty();
                }));
    }

    private void assertOneSentence(Row row) {
        var ended = shell.run(row.arguments().toArray(String[]::new));

        assertThat(ended.exitCode()).isEqualTo(row.exitCode());
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("cadastre: " + row.words());
    }

    @Test
    void splitIntoThreeAndIntoMoreThanThereAreIsRefused() throws IOException {
        Manifest.apply(
                shell,
                folder,
                Manifest.pool("p", "{cidr: 10.0.0.0/24}"),
                Manifest.resource("ClusterInformation", "default", "{datastoreReady: false}"));

        var three = shell.run("ipam", "split", "3", "--name", "p");
        var many = shell.run("ipam", "split", "512", "--name", "p");
        var missing = shell.run("ipam", "split", "2", "--name", "q");

        assertThat(three.err())
                .isEqualTo("cadastre: error splitting the CIDR 10.0.0.0/24 into 3 CIDRs: number to"
                        + " split CIDR into is not a valid power of 2: 3\n");
        assertThat(many.err())
                .isEqualTo("cadastre: error splitting the CIDR 10.0.0.0/24 into 512 CIDRs: the CIDR"
                        + " 10.0.0.0/24 is not large enough to be split into 512 parts\n");
        assertThat(missing.exitCode()).isEqualTo(3);
        assertThat(shell.run("get", "ippools", "-o", "name").out()).isEqualTo("ippool/p\n");
    }

    @Test
    void nothingIsAskedForAndNothingIsGiven() throws IOException {
        Manifest.apply(shell, folder, Manifest.node("a"));

        var ended = shell.run("ipam", "assign", "--node", "a", "--num4", "0");

        assertThat(ended).isEqualTo(new Shell.Ended(0, "", ""));
    }
}
