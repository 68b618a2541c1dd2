package io.cadastre.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFileTest {

    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void lockExcludesTheFlockProgram() throws Exception {
        var file = folder.resolve("lock");

        int whileHeld;
        try (var _ = LockedFile.lock(file, SHORT).orElseThrow()) {
            whileHeld = flockExitCode(file);
        }
        int afterwards = flockExitCode(file);

        assertThat(whileHeld).isOne();
        assertThat(afterwards).isZero();
    }

    @Test
    void flockProgramExcludesTheLock() throws Exception {
        var file = Files.createFile(folder.resolve("lock"));
        var holder = new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo held; cat");

        var process = holder.start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).isEqualTo("held");
        var whileHeld = LockedFile.lock(file, SHORT);
        process.getOutputStream().close();
        var afterwards = LockedFile.lock(file, LONG);

        assertThat(whileHeld).isEmpty();
        assertThat(afterwards).isPresent();
        afterwards.orElseThrow().close();
    }

    @Test
    void secondHolderInOneProcessWaitsForTheFirst() throws Exception {
        var file = folder.resolve("lock");
        var first = LockedFile.lock(file, SHORT).orElseThrow();
        assertThat(LockedFile.lock(file, SHORT)).isEmpty();

        var second = new CompletableFuture<LockedFile>();
        Thread.startVirtualThread(
                () -> second.complete(LockedFile.lock(file, LONG).orElseThrow()));
        first.close();

        second.get().close();
    }

    @Test
    void manyVirtualThreadsTakeTurns() {
        var file = folder.resolve("lock");
        var inside = new AtomicInteger();
        var most = new AtomicInteger();

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int count = 0; count < 50; count++) {
                executor.execute(() -> {
                    try (var _ = LockedFile.lock(file, LONG).orElseThrow()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                    }
                });
            }
        }

        assertThat(most).hasValue(1);
    }

    @Test
    void lockFileIsCreatedForItsOwnerAlone() throws IOException {
        var file = folder.resolve("lock");

        LockedFile.lock(file, SHORT).orElseThrow().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void closingTwiceIsClosingOnce() {
        var file = folder.resolve("lock");
        var lock = LockedFile.lock(file, SHORT).orElseThrow();
        lock.close();

        try (var _ = LockedFile.lock(file, SHORT).orElseThrow()) {
            lock.close();

            assertThat(LockedFile.lock(file, SHORT)).isEmpty();
        }
    }

    @Test
    void missingFolderIsATypedError() {
        var failure =
                catchThrowableOfType(LinuxException.class, () -> LockedFile.lock(folder.resolve("none/lock"), SHORT));

        assertThat(failure.errno()).isEqualTo(Errno.ENOENT);
    }

    private static int flockExitCode(Path file) throws IOException, InterruptedException {
        return new ProcessBuilder("flock", "--nonblock", file.toString(), "true")
                .start()
                .waitFor();
    }
}
