package io.cadastre.cni.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginRunnerTest {

    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");
    private static final Bytes NOTHING = Bytes.ofUtf8("");

    /// Far longer than a deadline takes to be kept, and far shorter than the scripts sleep.
    private static final Duration AT_ONCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private RuntimeFixture bench;

    @BeforeEach
    void setUp() {
        bench = new RuntimeFixture(folder);
    }

    @Test
    void environmentAndInputGoInAndOutputComesOut() {
        var plugin = bench.script("p", "#!/bin/sh\necho \"$CNI_IFNAME $HOME_GROWN\"\ncat\n");
        var runner = RuntimeFixture.runner(Map.of("PATH", "/usr/bin:/bin", "HOME_GROWN", "x", "CNI_IFNAME", "bad"));

        var printed = runner.run(plugin, Bytes.ofUtf8("input"), Map.of("CNI_IFNAME", "eth0"), RuntimeFixture.soon());

        assertThat(printed).hasToString("eth0 x\ninput");
    }

    @Test
    void whatAPluginSaysForHumansIsPassedOnIfItSucceeds() {
        var said = new ArrayList<Bytes>();
        var runner = new PluginRunner(ENVIRONMENT, said::add, _ -> {});
        var good = bench.script("good", "#!/bin/sh\necho hello >&2\n");
        var bad = bench.script("bad", "#!/bin/sh\necho trouble >&2\nexit 1\n");

        runner.run(good, NOTHING, Map.of(), RuntimeFixture.soon());
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> runner.run(bad, NOTHING, Map.of(), RuntimeFixture.soon()));

        assertThat(said).containsExactly(Bytes.ofUtf8("hello\n"));
    }

    @Test
    void pluginThatReadsNothingAndPrintsMuchIsNotBlocked() {
        var plugin = bench.script("p", "#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x\n");
        var much = Bytes.ofUtf8("y".repeat(1_000_000));

        var printed = run(plugin, much);

        assertThat(printed.size()).isEqualTo(1_000_000);
    }

    @Test
    void pluginThatPrintsWithoutEndIsKilled() {
        var plugin = bench.script("p", "#!/bin/sh\nyes\n");

        assertThat(failure(plugin, RuntimeFixture.soon()).msg()).contains("it printed more than ");
    }

    @Test
    void r20WhatAFailingPluginSaysForHumansIsQuoted() {
        var plugin = bench.script("p", "#!/bin/sh\nprintf oops >&2\nexit 1\n");

        assertThat(failure(plugin, RuntimeFixture.soon()))
                .isEqualTo(unknown("netplugin failed: \"oops\": exit status 1"));
    }

    @Test
    void errorOfAPluginIsItsOwn() {
        var plugin = bench.script("p", """
            #!/bin/sh
            echo '{"cniVersion":"1.0.0","code":11,"msg":"later","details":"d"}'
            exit 1
            """);

        assertThat(failure(plugin, RuntimeFixture.soon())).isEqualTo(new CniError(11, "later", "d"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        exit 3                  | netplugin failed with no error message: exit status 3
        printf garbage; exit 1  | netplugin failed but error parsing its diagnostic message "garbage":
        printf '{'; exit 1      | netplugin failed but error parsing its diagnostic message "{": unexpected end of JSON input
        printf null; exit 1     | ``
        printf '{"ips":[]}'; exit 1 | ``
        """)
    void everyWayToFailHasItsWords(String script, String msg) {
        var plugin = bench.script("p", "#!/bin/sh\n" + script + "\n");

        var error = failure(plugin, RuntimeFixture.soon());

        assertThat(error.is(CniCode.UNKNOWN)).isTrue();
        assertThat(error.msg()).startsWith(msg).matches(text -> !msg.isEmpty() || text.isEmpty());
    }

    @Test
    void fileThatMayNotBeRunIsNamed() {
        var plugin = bench.bin().resolve("p");
        RuntimeFixture.write(plugin, "#!/bin/sh\n");

        assertThat(failure(plugin, RuntimeFixture.soon()))
                .isEqualTo(unknown(
                        "netplugin failed with no error message: fork/exec %s: permission denied".formatted(plugin)));
    }

    /// Java would hand it to the shell.
    @ParameterizedTest
    @ValueSource(strings = {"", "echo '{}'\n", "\u0000\u0001"})
    void fileThatIsNotAProgramIsNotRunAsAScript(String content) {
        var plugin = bench.script("p", content);

        assertThat(failure(plugin, RuntimeFixture.soon()))
                .isEqualTo(unknown(
                        "netplugin failed with no error message: fork/exec %s: exec format error".formatted(plugin)));
    }

    @Test
    void variableThatCannotBeSetIsAnError() {
        var plugin = bench.script("p", "#!/bin/sh\n");
        var runner = RuntimeFixture.runner(ENVIRONMENT);

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> runner.run(plugin, NOTHING, Map.of("CNI_NETNS", "a\0b"), RuntimeFixture.soon()));
    }

    @Test
    void r21PluginThatSleepsPastTheDeadlineIsKilled() {
        var pid = folder.resolve("pid");
        var plugin = bench.script("p", "#!/bin/sh\necho $$ > '%s'\nexec sleep 600\n".formatted(pid));

        var error = failure(plugin, Deadline.after(Duration.ofSeconds(3)));

        assertThat(error).isEqualTo(unknown("netplugin failed with no error message: signal: killed"));
        await().until(() -> !isRunning(pid));
    }

    @Test
    void nothingIsStartedAfterTheDeadline() {
        var plugin = bench.plugin("p", "exit 0");

        var error = failure(plugin, Deadline.after(Duration.ZERO));

        assertThat(error.msg()).endsWith("signal: killed");
        assertThat(bench.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The wrapper waits for its child.
                "sleep 600 & echo $! > '%s'; wait",
                // Of its grandchild the parent is gone.
                "(sh -c 'sleep 600 & echo $! > \"%s\"' &) ; exec sleep 600"
            })
    void r31ChildThatKeepsTheOutputOpenIsKilledAtTheDeadline(String script) {
        var pid = folder.resolve("pid");
        var plugin = bench.script("p", "#!/bin/sh\n" + script.formatted(pid) + "\n");
        long start = System.nanoTime();

        var error = failure(plugin, Deadline.after(Duration.ofSeconds(3)));

        assertThat(error.msg()).endsWith("signal: killed");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        await().until(() -> !isRunning(pid));
    }

    @Test
    void whatAPluginThatEndedLeftRunningIsNotWaitedFor() {
        var pid = folder.resolve("pid");
        var plugin = bench.script("p", "#!/bin/sh\nsleep 600 &\necho $! > '%s'\necho done\n".formatted(pid));
        long start = System.nanoTime();

        var printed = run(plugin, NOTHING);

        assertThat(printed).hasToString("done\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
        assertThat(isRunning(pid)).isTrue();
        ProcessHandle.of(Long.parseLong(RuntimeFixture.read(pid).strip())).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void fileThatIsStillWrittenIsTriedAgain() throws IOException {
        var plugin = bench.script("p", "#!/bin/sh\necho done\n");
        var pauses = new ArrayList<Duration>();
        var writer = Files.newOutputStream(plugin, StandardOpenOption.APPEND);
        var runner = new PluginRunner(ENVIRONMENT, _ -> {}, pause -> {
            pauses.add(pause);
            if (pauses.size() == 3) {
                close(writer);
            }
        });

        var printed = runner.run(plugin, NOTHING, Map.of(), RuntimeFixture.soon());

        assertThat(printed).hasToString("done\n");
        assertThat(pauses).isEqualTo(List.of(second(), second(), second()));
    }

    @Test
    void fileThatIsWrittenForLongIsGivenUp() throws IOException {
        var plugin = bench.script("p", "#!/bin/sh\necho done\n");
        var pauses = new ArrayList<Duration>();
        var runner = new PluginRunner(ENVIRONMENT, _ -> {}, pauses::add);

        try (var _ = Files.newOutputStream(plugin, StandardOpenOption.APPEND)) {
            assertThatExceptionOfType(CniException.class)
                    .isThrownBy(() -> runner.run(plugin, NOTHING, Map.of(), RuntimeFixture.soon()))
                    .withMessageEndingWith("text file busy");
        }

        assertThat(pauses).hasSize(5);
    }

    /// Row 14 of what is refused.
    @Test
    void pluginsAreLookedForInOrder() {
        var plugin = bench.script("x", "#!/bin/sh\n");
        RuntimeFixture.make(folder.resolve("first/x"));
        var path = new PluginPath(
                List.of(folder.resolve("first").toString(), bench.bin().toString()));

        assertThat(path.find("x")).isEqualTo(plugin);
        assertThat(refusal(path, "")).isEqualTo("no plugin name provided");
        assertThat(refusal(path, "a/b")).isEqualTo("invalid plugin name: a/b");
        assertThat(refusal(PluginPath.parse(""), "x")).isEqualTo("no paths provided");
        assertThat(refusal(PluginPath.parse("/p1:/p2"), "y"))
                .isEqualTo("failed to find plugin \"y\" in path [/p1 /p2]");
    }

    private static String refusal(PluginPath path, String type) {
        try {
            return "found " + path.find(type);
        } catch (CniException refused) {
            return refused.error().msg();
        }
    }

    private static Duration second() {
        return Duration.ofSeconds(1);
    }

    private static void close(AutoCloseable writer) {
        try {
            writer.close();
        } catch (Exception failure) {
            throw new UncheckedIOException(new IOException(failure));
        }
    }

    private static CniError unknown(String msg) {
        return CniError.of(CniCode.UNKNOWN, msg);
    }

    private static Bytes run(Path plugin, Bytes stdin) {
        return RuntimeFixture.runner(ENVIRONMENT).run(plugin, stdin, Map.of(), RuntimeFixture.soon());
    }

    private static CniError failure(Path plugin, Deadline deadline) {
        try {
            var printed = RuntimeFixture.runner(ENVIRONMENT).run(plugin, NOTHING, Map.of(), deadline);
            throw new AssertionError("it did not fail, and printed " + printed);
        } catch (CniException failure) {
            return failure.error();
        }
    }

    /// Whether the process whose number is in the file is alive. One that has ended may still be waiting
    /// for its parent to ask for its status.
    private static boolean isRunning(Path pid) {
        var process = Path.of("/proc", RuntimeFixture.read(pid).strip(), "stat");
        try {
            var stat = Files.readString(process);
            return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
        } catch (IOException _) {
            return false;
        }
    }
}
