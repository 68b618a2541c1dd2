package io.cadastre.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.cadastre.cli.command.CommandContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// One sentence, the right exit code, and nothing written.
final class BadInputTest {

    private static final String CLUSTER = "--cluster-cidr=10.244.0.0/16";

    @TempDir
    private Path home;

    static Stream<Arguments> wrongUsage() {
        return Stream.of(
                wrong("invalid CIDR[0]: <nil> (invalid CIDR address: )", "node-cidr add a"),
                wrong(
                        "invalid CIDR[0]: <nil> (invalid CIDR address: 10.244.0.0)",
                        "node-cidr add a --cluster-cidr=10.244.0.0"),
                wrong(
                        "invalid CIDR[0]: <nil> (invalid CIDR address: 10.244.0.0/33)",
                        "node-cidr add a --cluster-cidr=10.244.0.0/33"),
                wrong(
                        "invalid CIDR[1]: <nil> (invalid CIDR address: pony)",
                        "node-cidr add a --cluster-cidr=10.244.0.0/16,pony"),
                wrong("IPv4-mapped", "node-cidr add a --cluster-cidr=::ffff:10.0.0.0/104"),
                wrong("33", "node-cidr add a --cluster-cidr=10.0.0.0/16 --node-cidr-mask-size=33"),
                wrong("129", "node-cidr add a --cluster-cidr=fd00::/120 --node-cidr-mask-size=129"),
                wrong("-1", "node-cidr add a --cluster-cidr=10.0.0.0/16 --node-cidr-mask-size=-1"),
                wrong(
                        "'99999999999' is not an int",
                        "node-cidr add a --cluster-cidr=10.0.0.0/16" + " --node-cidr-mask-size=99999999999"),
                wrong("'many' is neither true nor false", "node-cidr add a --allocate-node-cidrs=many"),
                wrong(
                        "--datastore is 'oracle', which is not a store; use embedded, etcdv3 or" + " kubernetes",
                        "node-cidr add a --cluster-cidr=10.0.0.0/16 --datastore=oracle"),
                wrong(
                        "node CIDRs are assigned in a cluster by 'cadastre controller --allocate-node-cidrs'; use"
                                + " embedded or etcdv3",
                        "node-cidr add a --cluster-cidr=10.0.0.0/16 --datastore=kubernetes"),
                wrong("ETCD_ENDPOINTS", "node-cidr show --datastore=etcdv3"),
                wrong("'A' is not a node name", "node-cidr add A --cluster-cidr=10.0.0.0/16"),
                wrong("'../b' is not a node name", "node-cidr remove ../b"),
                wrong("'BAD_NAME' is not a node name", "node-cidr show BAD_NAME"),
                wrong(
                        "flags that describe a cluster require --cluster-cidr",
                        "node-cidr show --node-cidr-mask-size 99" + " --service-cluster-ip-range a,b,c,d"),
                wrong("require --cluster-cidr", "node-cidr show --cidr-allocator-type=Cloud"),
                wrong("99", "node-cidr show --cluster-cidr=10.0.0.0/16 --node-cidr-mask-size=99"),
                wrong("Missing required parameter: 'NODE'", "node-cidr add --cluster-cidr=10.0.0.0/16"),
                wrong("Missing required subcommand", "node-cidr"),
                wrong("unknown command 'nod-cidr'", "nod-cidr add a"),
                wrong("unknown option '--cluster-cdr=1'", "node-cidr add a --cluster-cdr=1"),
                wrong("unexpected argument 'b'", "node-cidr show a b"),
                wrong("'xml' is not one of [table, wide, json, yaml, name]", "node-cidr show -o xml"),
                wrong("--data-dir is empty", "node-cidr show --data-dir="),
                wrong("--at requires --ip", "history --at=1h"),
                wrong("--at cannot be combined with --since or --until", "history --ip=1.1.1.1 --at=1h --since=2h"),
                wrong("mutually exclusive", "history --ip=1.1.1.1 --node=a"),
                wrong("--ip: '1.2.3' is not an IP address", "history --ip=1.2.3"),
                wrong("--pod: 'web' is not NAMESPACE/NAME", "history --pod=web"),
                wrong("'1.2.3' is not an IP address", "who 1.2.3"),
                wrong("--older-than: 'May' is not a time", "ledger trim --older-than=May"),
                wrong("--max-bytes must be at least 0, not -1", "ledger trim --max-bytes=-1"),
                wrong("--at: 'noon' is not a time", "who 1.2.3.4 --at=noon"),
                wrong("--since: 'noon' is not a time", "history --since=noon"),
                wrong("--since must be before --until", "history --since=1h --until=2h"),
                wrong("--limit must be from 1 to 100000, not 0", "history --limit=0"),
                wrong("--from must be at least 1, not 0", "history --from=0"));
    }

    @ParameterizedTest
    @MethodSource("wrongUsage")
    void wrongUsageIsOneSentenceAndAHint(String sentence, String line) throws IOException {
        var shell = Shell.at(home);

        var ended = shell.run(line.split(" "));

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err().lines()).hasSize(2).satisfies(lines -> {
            assertThat(lines.getFirst())
                    .startsWith("cadastre: ")
                    .contains(sentence)
                    .doesNotContain("Error:");
            assertThat(lines.getLast()).endsWith(" --help'.");
        });
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void suggestionIsMadeWhereSomethingIsNear() {
        var ended = Shell.at(home).run("node-cidr", "add", "a", "--cluster-cdr", "10.0.0.0/8");

        assertThat(ended.err()).contains("Did you mean --cluster-cidr?");
    }

    @Test
    void storeOfTheEnvironmentIsNamedByItsVariable() throws IOException {
        var shell = Shell.at(home).with("DATASTORE_TYPE", "oracle");

        var ended = shell.run("node-cidr", "add", "a", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).startsWith("cadastre: DATASTORE_TYPE is 'oracle'");
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void unreachableEtcdFailsAndLeavesNothing() throws IOException {
        var shell = Shell.at(home)
                .with("DATASTORE_TYPE", "etcdv3")
                .with("ETCD_ENDPOINTS", "http://127.0.0.1:" + portWithoutAListener());

        var ended = shell.run("node-cidr", "add", "a", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).startsWith("cadastre: ").contains("etcd").hasLineCount(1);
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void silentEtcdFailsAfterItsDeadlineAndTheTerminalShowsTheWait() throws IOException {
        var shell = Shell.at(home);
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var ended = shell.with("DATASTORE_TYPE", "etcdv3")
                    .with("ETCD_ENDPOINTS", "http://127.0.0.1:" + silent.getLocalPort())
                    .runWatched("node-cidr", "add", "a", CLUSTER);

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err()).startsWith("cadastre: waiting for etcd\n");
            assertThat(ended.err().lines().toList().getLast()).contains("127.0.0.1");
            assertThat(shell.files()).isEmpty();
        }
    }

    @Test
    void contradictoryEtcdSettingsAreWrongUsage() throws IOException {
        var shell = Shell.at(home)
                .with("ETCD_ENDPOINTS", "http://127.0.0.1:2379")
                .with("ETCD_DISCOVERY_SRV", "example.org");

        var ended = shell.run("node-cidr", "add", "a", CLUSTER, "--datastore=etcdv3");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("ETCD_ENDPOINTS and ETCD_DISCOVERY_SRV exclude each other");
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void invalidStoreFileIsRefusedAndLeftUnchanged() throws IOException {
        var shell = Shell.at(home);
        var store = Files.createDirectories(shell.dataDirectory()).resolve("store.db");
        Files.writeString(store, "these are my notes, please keep them ".repeat(200));
        var before = Files.readAllBytes(store);

        var ended = shell.run("node-cidr", "add", "a", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains(store.toString()).hasLineCount(1);
        assertThat(store).hasBinaryContent(before);
        assertThat(shell.dataDirectory().resolve("ledger.db")).doesNotExist();
    }

    @Test
    void invalidLedgerFileIsRefusedAndLeavesNoStore() throws IOException {
        var shell = Shell.at(home);
        var ledger = Files.createDirectories(shell.dataDirectory()).resolve("ledger.db");
        Files.writeString(ledger, "these are my notes, please keep them ".repeat(200));
        var before = Files.readAllBytes(ledger);

        var ended = shell.run("node-cidr", "add", "a", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err()).contains(ledger.toString()).hasLineCount(1);
        assertThat(ledger).hasBinaryContent(before);
        assertThat(shell.dataDirectory()).isDirectoryContaining(ledger::equals);
        assertThat(shell.dataDirectory().resolve("store.db")).doesNotExist();
    }

    @Test
    void damagedStoreIsReportedAsSuch() throws IOException {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);
        var store = shell.dataDirectory().resolve("store.db");
        var bytes = Files.readAllBytes(store);
        for (int index = 100; index < bytes.length; index++) {
            bytes[index] = (byte) 0xa5;
        }
        Files.write(store, bytes);

        var ended = shell.run("node-cidr", "add", "b", CLUSTER);

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("cadastre: ")
                .contains(store.toString())
                .hasLineCount(1);
        assertThat(store).hasBinaryContent(bytes);
    }

    @Test
    void placeThatMayNotBeWrittenIsReported() {
        // No user may create anything in /sys, root included.
        var ended = Shell.at(home).run("node-cidr", "add", "a", CLUSTER, "--data-dir=/sys/cadastre");

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("cadastre: ")
                .contains("/sys/cadastre")
                .hasLineCount(1);
    }

    @Test
    void dataDirectoryThatIsAFileIsReported() throws IOException {
        var file = Files.createFile(home.resolve("file"));

        var ended = Shell.at(home).run("node-cidr", "add", "a", CLUSTER, "--data-dir", file.toString());

        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("cadastre: ")
                .contains(file.toString())
                .hasLineCount(1);
    }

    @Test
    void homelessUserIsAskedForTheDataDirectory() {
        var homeless = new Shell(home, Map.of(), Shell.NOON);

        var ended = homeless.run("node-cidr", "show");

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.err()).contains("set --data-dir");
    }

    @Test
    void unknownNodeIsRefusedAndNothingIsCreated() throws IOException {
        var shell = Shell.at(home);

        var removed = shell.run("node-cidr", "remove", "a");
        var shown = shell.run("node-cidr", "show", "a");

        assertThat(removed).isEqualTo(new Shell.Ended(3, "", "cadastre: there is no node a\n"));
        assertThat(shown.exitCode()).isEqualTo(3);
        assertThat(shown.err())
                .isEqualTo("cadastre: no store in %s yet; the first command that writes creates it\n"
                                .formatted(shell.dataDirectory())
                        + "cadastre: there is no node a\n");
        assertThat(shell.files()).isEmpty();
    }

    @Test
    void unknownNodeBesideOthersIsRefusedAlone() {
        var shell = Shell.at(home);
        shell.run("node-cidr", "add", "a", CLUSTER);

        var ended = shell.run("node-cidr", "remove", "a", "b");

        assertThat(ended).isEqualTo(new Shell.Ended(3, "node/a removed\n", "cadastre: there is no node b\n"));
    }

    @Test
    void stackTraceIsShownOnlyWhenAskedFor() {
        var quiet = Shell.at(home).run("node-cidr", "show", "--datastore=oracle");
        var verbose = Shell.at(home).run("node-cidr", "show", "--datastore=oracle", "-v");

        assertThat(quiet.err()).doesNotContain("\tat ");
        assertThat(verbose.err()).startsWith(quiet.err()).contains("\tat io.cadastre.cli");
    }

    private static Arguments wrong(String sentence, String line) {
        return arguments(sentence, line);
    }

    private static int portWithoutAListener() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @MethodSource
    void errorOfTheMachineBecomesASentence(Error error, String sentence) {
        var err = new ByteArrayOutputStream();
        var context = new CommandContext(
                new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
                new PrintStream(err, false, UTF_8),
                Map.of("HOME", home.toString()),
                () -> {
                    throw error;
                },
                new SplittableRandom(1),
                false,
                false);

        int exitCode = Cadastre.run(context, "who", "10.0.0.1");

        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString(UTF_8)).startsWith("cadastre: " + sentence).hasLineCount(1);
    }

    static Stream<Arguments> errorOfTheMachineBecomesASentence() {
        return Stream.of(
                arguments(new StackOverflowError(), "out of memory: java.lang.StackOverflowError; "),
                arguments(new OutOfMemoryError(), "out of memory: java.lang.OutOfMemoryError; "),
                arguments(
                        new AssertionError("so it goes"),
                        "this is a bug in cadastre: java.lang.AssertionError: so it goes"));
    }
}
