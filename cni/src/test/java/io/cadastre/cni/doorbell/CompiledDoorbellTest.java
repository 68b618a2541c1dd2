package io.cadastre.cni.doorbell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
        try (var _ =
                BellServer.answering(
                        socket, call -> new CniAnswer(call.stdin(), call.stdin(), 3))) {

            var answer =
                    PluginProcess.runWithOpenInput(
                            List.of(folder.resolve("cadastre-ipam").toString()),
                            Map.of("CNI_COMMAND", "VERSION"));

            assertThat(answer).isEqualTo(new CniAnswer(Bytes.ofUtf8(""), Bytes.ofUtf8(""), 3));
        }
    }

    @Test
    void inputThatNeverEndsIsGivenUp() throws IOException {
        install(DoorbellSettings.of(folder.resolve("b.sock"), folder).within(patience()));

        var answer =
                PluginProcess.runWithOpenInput(
                        List.of(folder.resolve("cadastre-ipam").toString()),
                        Map.of("CNI_COMMAND", "ADD"));

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.stdout().utf8()).contains("error reading from stdin");
    }
}
