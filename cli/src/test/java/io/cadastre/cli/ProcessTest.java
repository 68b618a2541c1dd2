package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.etcd.EtcdProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command line as processes of their own, which meet only in the store.
@Timeout(300)
final class ProcessTest {

    private static final int NODES = 500;

    @TempDir
    private Path home;

    @Test
    void twoProcessesOnOneFileNeverGiveOneCidrTwice() throws Exception {
        assertDistinct(Shell.at(home));
    }

    @Test
    void twoProcessesOnOneEtcdNeverGiveOneCidrTwice() throws Exception {
        try (var etcd = EtcdProcess.start(home)) {
            assertDistinct(Shell.at(home)
                    .with("DATASTORE_TYPE", "etcdv3")
                    .with("ETCD_ENDPOINTS", etcd.endpoint().toString()));
        }
    }

    private void assertDistinct(Shell shell) throws Exception {
        try (var first = start(shell, add("a"));
                var second = start(shell, add("b"))) {
            var firstEnded = first.end();
            var secondEnded = second.end();

            var lines = Stream.of(firstEnded, secondEnded)
                    .flatMap(ended -> ended.out().lines())
                    .toList();
            assertThat(firstEnded.exitCode()).as(firstEnded.err()).isZero();
            assertThat(secondEnded.exitCode()).as(secondEnded.err()).isZero();
            assertThat(lines).hasSize(2 * NODES);
            assertThat(lines).extracting(line -> line.split(" ", -1)[1]).doesNotHaveDuplicates();
            assertThat(shown(shell)).containsExactlyInAnyOrderElementsOf(lines);
            assertThat(shell.run("ledger", "verify").out()).startsWith("1000 entries are sound");
        }
    }

    @Test
    void whatAKilledProcessPrintedIsThere() throws Exception {
        var shell = Shell.at(home);
        var dice = new SplittableRandom(20260131);
        var printed = new ArrayList<String>();

        for (int round = 0; round < 3; round++) {
            try (var adding = start(shell, add("r" + round + "-"))) {
                adding.awaitOut("r%d-%d ".formatted(round, dice.nextInt(NODES)));
                adding.kill();
                var whole = adding.end().out();
                whole.substring(0, whole.lastIndexOf('\n')).lines().forEach(printed::add);
            }
        }

        assertThat(shown(shell)).containsAll(printed);
        assertThat(shown(shell)).extracting(line -> line.split(" ", -1)[1]).doesNotHaveDuplicates();
        assertThat(shell.run("ledger", "verify").exitCode()).isZero();
    }

    @Test
    void interruptedProcessEndsAtOnceWith130() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var waiting = start(
                        Shell.at(home)
                                .with("DATASTORE_TYPE", "etcdv3")
                                .with("ETCD_ENDPOINTS", "http://127.0.0.1:" + silent.getLocalPort()),
                        add("n"));
                var _ = silent.accept()) {
            waiting.interrupt();
            var ended = waiting.end();

            assertThat(ended).isEqualTo(new RunningProcess.Ended(130, "", ""));
        }
    }

    /// The name has a part that is too long for one, so that no name server is asked.
    @Test
    void endpointWithoutAnAddressIsOneSentenceAndTheLibrariesLogNothing() throws Exception {
        var host = "a".repeat(70);
        try (var wrong = start(
                Shell.at(home)
                        .with("DATASTORE_TYPE", "etcdv3")
                        .with("ETCD_ENDPOINTS", "http://%s:2379".formatted(host)),
                List.of("ipam", "show"))) {
            var ended = wrong.end();

            assertThat(ended.exitCode()).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo("cadastre: cannot reach etcd at http://%s:2379: no such host\n".formatted(host));
        }
    }

    @Test
    void closedPipeIsNotAnError() throws Exception {
        var shell = Shell.at(home);
        shell.run(add("n").toArray(String[]::new));

        var ended = piped(shell, List.of("node-cidr", "show", "-o", "yaml"), "| head -n 1")
                .end();

        assertThat(ended).isEqualTo(new RunningProcess.Ended(0, "apiVersion: v1\n", ""));
    }

    @Test
    void outputThatCannotBeWrittenIsAFailure() throws Exception {
        var ended = piped(Shell.at(home), List.of("--help"), "> /dev/full").end();

        assertThat(ended)
                .isEqualTo(new RunningProcess.Ended(
                        1, "", "cadastre: cannot write the output: No space left on device\n"));
    }

    @Test
    void exitCodeOfTheCommandIsThatOfTheProcess() throws Exception {
        try (var wrong = start(Shell.at(home), List.of("node-cidr", "add", "a", "--datastore=oracle"))) {
            var ended = wrong.end();

            assertThat(ended.exitCode()).isEqualTo(2);
            assertThat(ended.err())
                    .startsWith("cadastre: '' is not a CIDR such as 10.79.0.0/16: invalid CIDR[0]")
                    .hasLineCount(2);
        }
    }

    private static List<String> add(String prefix) {
        return Stream.concat(
                        Stream.of("node-cidr", "add", "--cluster-cidr=10.0.0.0/8"),
                        IntStream.range(0, NODES).mapToObj(number -> prefix + number))
                .toList();
    }

    /// The nodes that the store has, as lines like those that `add` prints.
    private static List<String> shown(Shell shell) {
        return shell.run("node-cidr", "show")
                .out()
                .lines()
                .skip(1)
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    private RunningProcess start(Shell shell, List<String> arguments) throws IOException {
        return RunningProcess.start(
                home,
                shell.environment(),
                Stream.concat(java().stream(), arguments.stream()).toList());
    }

    private RunningProcess piped(Shell shell, List<String> arguments, String rest) throws IOException {
        return RunningProcess.start(
                home,
                withPath(shell),
                Stream.of(Stream.of("sh", "-c", "\"$@\" " + rest, "sh"), java().stream(), arguments.stream())
                        .flatMap(words -> words)
                        .toList());
    }

    private static Map<String, String> withPath(Shell shell) {
        return shell.with("PATH", System.getenv("PATH")).environment();
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.cadastre.cli.Main");
    }
}
