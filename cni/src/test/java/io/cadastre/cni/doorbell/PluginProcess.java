package io.cadastre.cni.doorbell;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A plugin run as a runtime runs it.
final class PluginProcess {

    private static final long PATIENCE_SECONDS = 120;

    private PluginProcess() {}

    static CniAnswer run(List<String> command, Map<String, String> environment, byte[] stdin) {
        try {
            var process = start(command, environment);
            var stdout = reading(process.getInputStream());
            var stderr = reading(process.getErrorStream());
            write(process.getOutputStream(), stdin);
            return end(process, stdout, stderr);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    /// With an input that stays open until it has ended.
    static CniAnswer runWithOpenInput(List<String> command, Map<String, String> environment) {
        try {
            var process = start(command, environment);
            var stdout = reading(process.getInputStream());
            var stderr = reading(process.getErrorStream());
            return end(process, stdout, stderr);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static Process start(List<String> command, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static CniAnswer end(Process process, CompletableFuture<byte[]> stdout, CompletableFuture<byte[]> stderr) {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("it does not end");
            }
            return new CniAnswer(Bytes.of(stdout.join()), Bytes.of(stderr.join()), process.exitValue());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static CompletableFuture<byte[]> reading(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return stream.readAllBytes();
                    } catch (IOException broken) {
                        throw new AssertionError(broken);
                    }
                },
                work -> Thread.ofPlatform().daemon().start(work));
    }

    private static void write(OutputStream stream, byte[] bytes) {
        try (stream) {
            stream.write(bytes);
        } catch (IOException hungUp) {
            // It has stopped reading, as it may.
        }
    }
}
