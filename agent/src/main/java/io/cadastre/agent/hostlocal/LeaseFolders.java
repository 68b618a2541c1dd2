package io.cadastre.agent.hostlocal;

import io.cadastre.engine.hostlocal.HostLocalView;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.LockedFile;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;

/// Opens the folders of networks, for one at a time.
///
/// The lock that counts is that of the file `lock`, which the reference plugin takes as well. It is asked
/// for again and again, so callers in this process first queue up among themselves: one of them asks, and
/// the next one has it as soon as it is given back.
final class LeaseFolders {

    private static final String LOCK = "lock";

    /// Networks that fall on one queue wait for each other without need, which costs a moment.
    private static final int QUEUES = 64;

    private static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> LOCK_MODE = PosixFilePermissions.fromString("rwxr-x---");

    private final Duration lockMax;

    /// Each guards the asking for the locks of the networks that fall on it.
    private final ReentrantLock[] queues =
            Stream.generate(() -> new ReentrantLock(true)).limit(QUEUES).toArray(ReentrantLock[]::new);

    /// @param lockMax how long a caller waits for a folder
    LeaseFolders(Duration lockMax) {
        this.lockMax = lockMax;
    }

    /// What is done with a folder while it is open.
    @FunctionalInterface
    interface Use<T> {
        T with(LeaseFolder folder) throws IOException;
    }

    /// Makes the folder if it does not exist, and uses it while no other process or thread does.
    ///
    /// @param after what is done next, while other processes may use the folder but no other thread of this
    ///     one: in the same order, and without keeping other plugins waiting
    /// @throws CniException if it cannot be opened, read or written, or another process keeps its lock
    <T, R> R use(Path path, Use<T> use, Function<T, R> after) throws InterruptedException {
        long deadline = System.nanoTime() + lockMax.toNanos();
        var queue = queues[Math.floorMod(path.hashCode(), QUEUES)];
        if (!queue.tryLock(lockMax.toNanos(), TimeUnit.NANOSECONDS)) {
            throw busy(path);
        }
        try {
            var limit = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            return after.apply(useLocked(path, limit, use));
        } catch (IOException failure) {
            throw failed(failure);
        } finally {
            queue.unlock();
        }
    }

    /// What a folder holds. Nothing is made: a folder that is not there holds nothing.
    ///
    /// @throws CniException if it cannot be read, or another process keeps its lock
    HostLocalView look(Path path) throws InterruptedException {
        if (Files.notExists(path)) {
            return HostLocalView.EMPTY;
        }
        if (Files.exists(path.resolve(LOCK))) {
            return use(path, LeaseFolder::read, view -> view);
        }
        try {
            return new LeaseFolder(path).read();
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    private <T> T useLocked(Path path, Duration limit, Use<T> use) throws IOException {
        try (var _ = lock(path, limit)) {
            return use.with(new LeaseFolder(path));
        }
    }

    private LockedFile lock(Path path, Duration limit) throws IOException {
        Files.createDirectories(path, PosixFilePermissions.asFileAttribute(FOLDER_MODE));
        var file = path.resolve(LOCK);
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(LOCK_MODE));
        } catch (FileAlreadyExistsException _) {
            // It is made once and stays.
        }
        try {
            return LockedFile.lock(file, limit).orElseThrow(() -> busy(path));
        } catch (LinuxException failure) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private CniException busy(Path path) {
        return new CniException(
                CniCode.TRY_AGAIN_LATER,
                "%s has been locked by another process for %d ms".formatted(path, lockMax.toMillis()));
    }

    static CniException failed(IOException failure) {
        return new CniException(
                CniError.of(
                        CniCode.IO_FAILURE,
                        "%s: %s".formatted(failure.getClass().getSimpleName(), failure.getMessage())),
                failure);
    }
}
