package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.NetworkConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs that are plugins for addresses.
class ExecutedDelegateTest {

    private static final NetworkConfig CONFIG =
            NetworkConfig.read(Bytes.ofUtf8("{\"cniVersion\":\"1.0.0\",\"name\":\"net1\"}"));

    @TempDir
    private Path folder = Path.of("");

    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    @Test
    void programGetsTheConfigurationAndTheEnvironment() throws IOException {
        program("echo", """
            cat > %s/stdin
            echo "$CNI_COMMAND $CNI_ARGS" > %s/environment
            echo '{"ips":[{"address":"10.0.0.2/24","gateway":"10.0.0.1"}]}'\
            """.formatted(folder, folder));

        var result = find("echo").perform(call(CniVerb.ADD)).orElseThrow();

        assertThat(result.ips().getFirst().address()).hasToString("10.0.0.2/24");
        assertThat(Files.readString(folder.resolve("stdin")))
                .isEqualTo(CONFIG.raw().utf8());
        assertThat(Files.readString(folder.resolve("environment"))).isEqualTo("ADD A=1\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        echo '{"code":11,"msg":"later","details":"d"}'; exit 1 | later; d
        echo nonsense; exit 1           | netplugin failed but error parsing its diagnostic message "nonsense\\n":
        echo oops >&2; exit 3           | netplugin failed: "oops\\n": exit status 3
        exit 4                          | netplugin failed with no error message: exit status 4
        exit 0                          | failed to unmarshal raw result:
        echo '{"cniVersion":"9.9.9"}'   | unsupported CNI result version "9.9.9"
        """)
    void failureIsWordedAsByTheReference(String script, String words) throws IOException {
        program("bad", script);
        var delegate = find("bad");

        assertThatThrownBy(() -> delegate.perform(call(CniVerb.ADD)))
                .isInstanceOf(CniException.class)
                .hasMessageStartingWith(words);
    }

    @Test
    void codeOfTheProgramIsKept() throws IOException {
        program("later", "echo '{\"code\":11,\"msg\":\"later\"}'; exit 1");
        var delegate = find("later");

        assertThatThrownBy(() -> delegate.perform(call(CniVerb.DEL)))
                .isInstanceOfSatisfying(
                        CniException.class,
                        failure -> assertThat(failure.error().code()).isEqualTo(11));
    }

    @Test
    void programThatCannotBeStartedIsNamed() throws IOException {
        Files.writeString(folder.resolve("plain"), "x");
        var delegate = find("plain");

        assertThatThrownBy(() -> delegate.perform(call(CniVerb.ADD)))
                .hasMessage("netplugin failed with no error message: fork/exec %s/plain: permission denied"
                        .formatted(folder));
    }

    @Test
    void programThatIsBeingWrittenIsStartedAgain() throws IOException {
        var busy = program("busy", "exit 0");
        var writer = Files.newOutputStream(busy, StandardOpenOption.APPEND);
        var delegate = new ExecutedDelegate(
                busy,
                duration -> {
                    pauses.add(duration);
                    close(writer);
                },
                Duration.ofSeconds(10),
                log::add);

        delegate.perform(call(CniVerb.DEL));

        assertThat(pauses).containsExactly(Duration.ofSeconds(1));
    }

    private static void close(OutputStream writer) {
        try {
            writer.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void whatAProgramSaysBesideItsAnswerIsLogged() throws IOException {
        program("chatty", "echo hello >&2");

        find("chatty").perform(call(CniVerb.DEL));

        assertThat(log).containsExactly(folder.resolve("chatty") + ": hello");
    }

    @Test
    void programThatTakesTooLongIsKilledWithWhatItStarted() throws IOException {
        var slow = program("slow", "sleep 600 & echo $! > %s/child; wait".formatted(folder));
        var delegate = new ExecutedDelegate(slow, pauses::add, Duration.ofMillis(700), log::add);

        assertThatThrownBy(() -> delegate.perform(call(CniVerb.ADD)))
                .hasMessage("netplugin failed with no error message: signal: killed");

        var child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(left -> left.onExit().join());
        assertThat(ProcessHandle.of(child)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',no plugin name provided",
        "a/b,invalid plugin name: a/b",
        "none,failed to find plugin \"none\" in path [/nowhere]"
    })
    void pluginThatIsNotThereIsNamed(String type, String words) {
        assertThatThrownBy(() -> ExecutedDelegate.find(type, List.of("/nowhere"), pauses::add, log::add))
                .isInstanceOf(CniException.class)
                .hasMessage(words);
    }

    @Test
    void pathMustBeGiven() {
        assertThatThrownBy(() -> ExecutedDelegate.find("x", List.of(""), pauses::add, log::add))
                .hasMessage("no paths provided");
    }

    private Delegate find(String type) {
        return ExecutedDelegate.find(type, List.of("/nowhere", folder.toString()), pauses::add, log::add);
    }

    private Path program(String name, String script) throws IOException {
        var file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static CniCall call(CniVerb verb) {
        return new CniCall(
                verb,
                "c1",
                "",
                "eth0",
                "A=1",
                List.of(),
                CONFIG,
                Map.of("CNI_COMMAND", verb.name(), "CNI_ARGS", "A=1"));
    }
}
