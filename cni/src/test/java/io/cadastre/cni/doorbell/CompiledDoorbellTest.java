package io.cadastre.cni.doorbell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The program in C, as a process.
class CompiledDoorbellTest extends DoorbellContract {

    @Override
    void install(DoorbellSettings settings) throws IOException {
        var program = DoorbellProgram.compiled();
        assumeTrue(program.isPresent(), "no cc on the PATH");
        var file = folder.resolve("cadastre-ipam");
        if (!Files.exists(file)) {
            Files.write(file, program.orElseThrow().toByteArray());
            assertThat(file.toFile().setExecutable(true)).isTrue();
            Files.createSymbolicLink(folder.resolve("calico-ipam"), file);
        }
        Files.writeString(folder.resolve(DoorbellSettings.FILE), settings.text());
    }

    @Override
    CniAnswer ring(String name, Map<String, String> environment, byte[] stdin) {
        return PluginProcess.run(List.of(folder.resolve(name).toString()), environment, stdin);
    }

    @Test
    void theSourceCanBeReadAtOneSitting() throws IOException {
        var lines = Files.readAllLines(Path.of("doorbell", "doorbell.c"));

        assertThat(lines).hasSizeLessThanOrEqualTo(150);
    }

    @Test
    void versionReadsNoInput() throws IOException {
        var socket = folder.resolve("b.sock");
        install(DoorbellSettings.of(socket, folder));
        try (var _ = BellServer.answering(socket, call -> new CniAnswer(call.stdin(), call.stdin(), 3))) {

            var answer = PluginProcess.runWithOpenInput(
                    List.of(folder.resolve("cadastre-ipam").toString()), Map.of("CNI_COMMAND", "VERSION"));

            assertThat(answer).isEqualTo(new CniAnswer(Bytes.ofUtf8(""), Bytes.ofUtf8(""), 3));
        }
    }

    @Test
    void inputThatNeverEndsIsGivenUp() throws IOException {
        install(DoorbellSettings.of(folder.resolve("b.sock"), folder).within(patience()));

        var answer = PluginProcess.runWithOpenInput(
                List.of(folder.resolve("cadastre-ipam").toString()), Map.of("CNI_COMMAND", "ADD"));

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.stdout().utf8()).contains("error reading from stdin");
    }

    /// Builds the doorbell with something in front of its source.
    private void build(String preamble) throws IOException {
        var header = Files.writeString(folder.resolve("preamble.h"), preamble);
        var file = folder.resolve("cadastre-ipam");
        Files.deleteIfExists(file);
        var built = PluginProcess.run(
                List.of("cc", "-include", header.toString(), "-o", file.toString(), "doorbell/doorbell.c"),
                Map.of("PATH", System.getenv().getOrDefault("PATH", "")),
                new byte[0]);
        assertThat(built.exitCode()).as(built.stderr().utf8()).isZero();
    }

    @Test
    void signalDoesNotLetItWaitPastItsDeadline() throws IOException {
        build("""
            #define _GNU_SOURCE
            #include <signal.h>
            #include <unistd.h>
            static void nothing(int signal) { (void)signal; }
            __attribute__((constructor)) static void interrupt_soon(void) {
              struct sigaction action = {.sa_handler = nothing};
              sigaction(SIGALRM, &action, 0);
              ualarm(100000, 0);
            }
            """);
        var socket = folder.resolve("b.sock");
        install(DoorbellSettings.of(socket, folder).within(patience()));
        try (var _ = BellServer.hanging(socket)) {

            var answer = assertTimeoutPreemptively(
                    Duration.ofSeconds(60), () -> ring("cadastre-ipam", Map.of("CNI_COMMAND", "ADD"), new byte[0]));

            assertThat(answer.stdout().utf8()).contains("timed out");
        }
    }

    /// As after a reboot, when the same numbers come again.
    @Test
    void entryOfTheSpoolIsNeverReplaced() throws IOException {
        build("""
            #define _GNU_SOURCE
            #include <string.h>
            #include <sys/random.h>
            #include <time.h>
            #include <unistd.h>
            #define time(t) 7L
            #define getpid() 7
            #define getrandom(to, size, flags) (memset(to, 7, size), (ssize_t)(size))
            #define clock_gettime(clock, t) ((t)->tv_sec = 7)
            """);
        install(DoorbellSettings.of(folder.resolve("b.sock"), folder.resolve("spool")));
        var first = Map.of("CNI_COMMAND", "DEL", "CNI_CONTAINERID", "c1");
        var second = Map.of("CNI_COMMAND", "DEL", "CNI_CONTAINERID", "c2");

        var spooled = ring("cadastre-ipam", first, new byte[0]);
        var refused = ring("cadastre-ipam", second, new byte[0]);

        assertThat(spooled.exitCode()).isZero();
        assertThat(refused.exitCode()).isEqualTo(1);
        try (var files = Files.list(folder.resolve("spool"))) {
            assertThat(files)
                    .singleElement()
                    .satisfies(file -> assertThat(Files.readString(file)).contains("ID=c1"));
        }
    }
}
