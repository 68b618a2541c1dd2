package io.cadastre.linux;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/// A file that is held locked until it is closed, by `flock(2)`: the lock that Go programs take. The
/// locks of [java.nio.channels.FileChannel] are of another kind, and the two do not see each other.
///
/// It excludes other processes and other holders in this one alike.
public final class LockedFile implements AutoCloseable {

    private static final int MODE = 0600;
    private static final Duration POLL = Duration.ofMillis(5);

    private final Descriptor descriptor;

    private LockedFile(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Locks the file, which is created if it is missing; empty if another holder kept it locked until the
    /// limit. Waiting holds no carrier of virtual threads.
    ///
    /// @throws LinuxException if the file cannot be opened
    public static Optional<LockedFile> lock(Path file, Duration limit) {
        return lock(file, LibC.O_RDWR | LibC.O_CREAT, limit);
    }

    /// As [#lock(Path,Duration)], for a folder that exists.
    static Optional<LockedFile> lockFolder(Path folder, Duration limit) {
        return lock(folder, LibC.O_RDONLY, limit);
    }

    private static Optional<LockedFile> lock(Path file, int flags, Duration limit) {
        var deadline = KernelDeadline.after(limit);
        var operation = "lock " + Quote.of(file.toString());
        var descriptor = new Descriptor(operation, LibC.open(operation, file.toString(), flags, MODE));
        try {
            // Ends with the deadline.
            while (!descriptor.ask(number -> LibC.tryLock(operation, number))) {
                if (deadline.over()) {
                    descriptor.close();
                    return Optional.empty();
                }
                LockSupport.parkNanos(Math.min(POLL.toNanos(), deadline.left().toNanos()));
            }
            return Optional.of(new LockedFile(descriptor));
        } catch (LinuxException failure) {
            descriptor.close();
            throw failure;
        }
    }

    /// Gives the lock back. The file stays.
    @Override
    public void close() {
        descriptor.close();
    }
}
