package io.cadastre.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the README shows on a console is what a new user sees: its commands are run one after another beside
/// `cadastre up`, in a home of their own, and what they print is compared.
@Timeout(300)
final class ReadmeTest {

    private static final Path README = Path.of("..", "README.md");
    private static final int LINES_MAX = 120;

    @TempDir
    private Path home;

    private final List<RunningProcess> running = new ArrayList<>();

    /// A command and what the README says that it prints.
    private record Shown(String command, String output) {}

    /// As root it would install where the runtime of this machine looks.
    @BeforeEach
    void writeLauncher() throws Exception {
        var launcher = Files.writeString(home.resolve("cadastre"), """
            #!/bin/sh
            export CNI_PATH='%3$s/bin' NETCONFPATH='%3$s/net.d'
            case "$1 $2" in
                "cni install") set -- "$@" --bin-dir "$CNI_PATH" --conf-dir "$NETCONFPATH" %4$s ;;
                "cni add" | "cni del") set -- "$@" --cache-dir '%3$s/cache' ;;
                "up ") set -- "$@" %4$s ;;
            esac
            exec '%1$s' --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \\
                -cp '%2$s' io.cadastre.cli.Main "$@"
            """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path"),
                        home,
                        "--socket '%1$s/agent.sock' --spool '%1$s/spool'".formatted(home)));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void endProcesses() {
        running.forEach(RunningProcess::close);
    }

    @Test
    void commandsOnTheConsolePrintTheOutputThatTheReadmeShows() throws Exception {
        var readme = Files.readString(README);
        start("./cadastre up").awaitOut("Interrupt with Ctrl-C.");

        var printed = new ArrayList<Shown>();
        for (var shown : shown(readme)) {
            var ended = start(shown.command() + "\n").end();
            printed.add(new Shown(shown.command(), plain(ended.out() + ended.err())));
        }

        assertThat(text(printed)).isEqualTo(text(shown(readme)));
    }

    /// In network and mount namespaces of their own, so that nothing of it is left on the machine.
    @Test
    void commandsOfRootAttachTwoNamespacesThatReachEachOther() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "not root");
        assumeTrue(isThere("ip") && isThere("unshare") && isThere("nsenter"), "no ip, unshare or nsenter");
        start("exec unshare -m -n sh -c 'mount -t tmpfs tmpfs /run && echo $$ > pid &&" + " exec ./cadastre up'")
                .awaitOut("Interrupt with Ctrl-C.");

        var ofTwo = "";
        for (var command : ofRoot(Files.readString(README))) {
            if (!command.contains(" ping ") || isThere("ping")) {
                var ended = start("nsenter -t $(cat pid) -m -n sh -c \"cd '%s' && %s\""
                                .formatted(home, command.replace("ADDRESS-OF-TWO", ofTwo)))
                        .end();
                assertThat(ended.exitCode())
                        .as(command + ended.out() + ended.err())
                        .isZero();
                if (command.contains("cni add")) {
                    ofTwo = address(ended.out());
                }
            }
        }

        assertThat(ofTwo).startsWith("10.77.");
        assertThat(start("./cadastre ipam show").end().out()).contains("65536 |     0 (0%)");
    }

    private static String address(String result) {
        return CniResult.parse(Bytes.ofUtf8(result))
                .ips()
                .getFirst()
                .address()
                .ip()
                .toString();
    }

    private boolean isThere(String program) throws Exception {
        return start("command -v " + program).end().exitCode() == 0;
    }

    /// The lines of the block that begins with `cni install`.
    private static List<String> ofRoot(String readme) {
        var begin = "```sh\n./cadastre cni install\n";
        int start = readme.indexOf(begin);
        assertThat(start).as("the block for root").isNotNegative();
        var block = readme.substring(start + "```sh\n".length());
        return block.substring(0, block.indexOf("```")).lines().toList();
    }

    @Test
    void readmeIsShortAndNoRangeInItHasTwoUses() throws Exception {
        var readme = Files.readString(README);

        assertThat(readme.lines()).hasSizeLessThanOrEqualTo(LINES_MAX);
        assertThat(readme.lines().filter(line -> line.matches(".*\\d/(8|16|24)\\b.*")))
                .allMatch(line -> line.contains("10.77.0.0/16"));
    }

    /// The commands of all fenced blocks of the kind `console`: a line after a prompt, with the lines of
    /// its here-document.
    private static List<Shown> shown(String readme) {
        var found = new ArrayList<Shown>();
        var blocks = readme.split("(?m)^```", -1);
        for (var block :
                Stream.of(blocks).filter(text -> text.startsWith("console\n")).toList()) {
            var body = block.substring("console\n".length());
            for (var part : body.split("(?m)^\\$ ", -1)) {
                if (!part.isEmpty()) {
                    found.add(parse(part));
                }
            }
        }
        return found;
    }

    private static Shown parse(String part) {
        int end = part.indexOf('\n') + 1;
        if (part.substring(0, end).contains("<<'EOF'")) {
            end = part.indexOf("\nEOF\n") + "\nEOF\n".length();
        }
        return new Shown(part.substring(0, end).strip(), plain(part.substring(end)));
    }

    /// Without times and hashes, which differ from run to run.
    private static String plain(String output) {
        return output.replaceAll("\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME")
                .replaceAll("[0-9a-f]{64}", "HASH")
                .strip();
    }

    private static String text(List<Shown> all) {
        var text = new StringBuilder();
        all.forEach(one -> text.append("$ ")
                .append(one.command())
                .append('\n')
                .append(one.output())
                .append('\n'));
        return text.toString();
    }

    private RunningProcess start(String command) throws IOException {
        var process = RunningProcess.start(
                home, Map.of("HOME", home.toString(), "PATH", System.getenv("PATH")), List.of("sh", "-c", command));
        running.add(process);
        return process;
    }
}
