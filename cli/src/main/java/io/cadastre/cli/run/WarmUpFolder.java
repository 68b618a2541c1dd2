package io.cadastre.cli.run;

import io.cadastre.linux.LockedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;

/// A folder that is deleted when it is closed. A killed process leaves its folder behind and the next one removes
/// it: the kernel releases the lock of a folder with its process.
///
/// Between making a folder and locking it, another process may take it for a stale one. Then this agent does not
/// warm up, and logs it.
record WarmUpFolder(Path path, LockedFile lock) implements AutoCloseable {

    private static final String PREFIX = "cadastre-warm-up";
    private static final String LOCK = "lock";

    static WarmUpFolder open(Path parent) throws IOException {
        removeStale(parent);
        var made = Files.createTempDirectory(parent, PREFIX);
        return new WarmUpFolder(
                made,
                LockedFile.lock(made.resolve(LOCK), Duration.ZERO)
                        .orElseThrow(() -> new IOException("another process has " + made)));
    }

    private static void removeStale(Path parent) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (var folder : found) {
                if (isOwn(folder)) {
                    removeUnlessLocked(folder);
                }
            }
        }
    }

    private static boolean isOwn(Path folder) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(Path.of("/proc/self")));
    }

    private static void removeUnlessLocked(Path folder) throws IOException {
        var free = LockedFile.lock(folder.resolve(LOCK), Duration.ZERO);
        if (free.isPresent()) {
            try (var _ = free.get()) {
                delete(folder);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            delete(path);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }
}
