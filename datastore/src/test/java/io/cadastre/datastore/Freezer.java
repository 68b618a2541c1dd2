package io.cadastre.datastore;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Stops the process of a peer where it is, and lets it go on.
final class Freezer {

    private Freezer() {}

    /// Returns when no thread of the process runs any more: one that still does could answer a call.
    static void freeze(Process process) throws IOException {
        signal("-STOP", process);
        var threads = Path.of("/proc/" + process.pid() + "/task");
        await().atMost(Duration.ofSeconds(60)).until(() -> !anyRuns(threads));
    }

    static void proceed(Process process) throws IOException {
        signal("-CONT", process);
    }

    private static boolean anyRuns(Path threads) throws IOException {
        try (var all = Files.list(threads)) {
            return all.anyMatch(Freezer::runs);
        }
    }

    private static boolean runs(Path thread) {
        try {
            // The state follows the name, which is in brackets and may have any letter.
            var line = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return line.charAt(line.lastIndexOf(')') + 2) != 'T';
        } catch (NoSuchFileException ended) {
            return false;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void signal(String signal, Process process) throws IOException {
        var command = "kill %s %d".formatted(signal, process.pid());
        var kill = new ProcessBuilder("sh", "-c", command).start();
        try {
            if (!kill.waitFor(30, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("%s did not succeed".formatted(command));
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
