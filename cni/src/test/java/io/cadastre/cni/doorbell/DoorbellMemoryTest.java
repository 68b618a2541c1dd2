package io.cadastre.cni.doorbell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.wire.cni.CniAnswer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The program in C under valgrind: it does the same, and touches no memory that is not its own. Most of
/// it is waiting, so several tests run at once.
@Execution(ExecutionMode.CONCURRENT)
class DoorbellMemoryTest extends DoorbellContract {

    /// The status of a process of which valgrind complains.
    private static final int AT_FAULT = 99;

    private Path log = Path.of("");

    @BeforeEach
    void nameTheLog() {
        log = folder.resolve("valgrind.log");
    }

    /// Not the static one: valgrind cannot count what that one allocates.
    @Override
    void install(DoorbellSettings settings) throws IOException {
        assumeTrue(onPath("cc"), "no cc on the PATH");
        assumeTrue(onPath("valgrind"), "no valgrind on the PATH");
        var file = folder.resolve("cadastre-ipam");
        if (!Files.exists(file)) {
            var built = PluginProcess.run(
                    List.of("cc", "-g", "-o", file.toString(), "doorbell/doorbell.c"),
                    Map.of("PATH", path()),
                    new byte[0]);
            assertThat(built.exitCode()).as(built.stderr().utf8()).isZero();
            Files.createSymbolicLink(folder.resolve("calico-ipam"), file);
        }
        Files.writeString(folder.resolve(DoorbellSettings.FILE), settings.text());
    }

    /// It is some fifty times as slow.
    @Override
    Duration patience() {
        return Duration.ofSeconds(5);
    }

    @Override
    int callers() {
        return 4;
    }

    private static String path() {
        return System.getenv().getOrDefault("PATH", "");
    }

    private static boolean onPath(String program) {
        return Stream.of(path().split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    @Override
    CniAnswer ring(String name, Map<String, String> environment, byte[] stdin) {
        var command = new ArrayList<>(List.of(
                "valgrind",
                "--quiet",
                "--leak-check=full",
                "--show-leak-kinds=all",
                "--errors-for-leak-kinds=definite,indirect,possible",
                "--error-exitcode=" + AT_FAULT,
                "--log-file=" + log + ".%p"));
        command.add(folder.resolve(name).toString());
        var answer = PluginProcess.run(command, environment, stdin);
        assertThat(answer.exitCode()).as(this::complaints).isNotEqualTo(AT_FAULT);
        return answer;
    }

    private String complaints() {
        try (var files = Files.list(folder)) {
            var text = new StringBuilder();
            for (var file :
                    files.filter(f -> f.toString().contains("valgrind.log")).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
