package io.cadastre.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/// Names of namespaces: files below `/run/netns` that a namespace is mounted on. `ip netns` sees ours
/// and we see its.
final class NamespaceMounts {

    static final Path FOLDER = Path.of("/run/netns");

    private static final long MS_BIND = 0x1000;
    private static final long MS_REC = 0x4000;
    private static final long MS_SHARED = 0x100000;
    private static final int MNT_DETACH = 2;
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(10);

    private NamespaceMounts() {}

    static void create(Path file) {
        var operation = "create namespace " + Quote.of(file.toString());
        try {
            Files.createDirectories(FOLDER);
            shareFolder(operation);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--")));
        } catch (FileAlreadyExistsException _) {
            throw new LinuxException(operation, Errno.EEXIST);
        } catch (IOException failure) {
            throw new UncheckedIOException(operation, failure);
        }
        try {
            mountNewOn(operation, file);
        } catch (LinuxException failure) {
            delete(file);
            throw failure;
        }
    }

    static void delete(Path file) {
        var operation = "delete namespace " + Quote.of(file.toString());
        try {
            LibC.unmount(operation, file.toString(), MNT_DETACH);
        } catch (LinuxException failure) {
            // A name whose creation stopped half-way has nothing mounted on it.
            if (failure.errno() != Errno.EINVAL) {
                throw failure;
            }
        }
        try {
            Files.delete(file);
        } catch (NoSuchFileException _) {
            throw new LinuxException(operation, Errno.ENOENT);
        } catch (IOException failure) {
            throw new UncheckedIOException(operation, failure);
        }
    }

    /// The new namespace is the thread's that asked for it, and ends with that thread unless it is
    /// mounted somewhere.
    private static void mountNewOn(String operation, Path file) {
        new Visit<>(operation, () -> LibC.leaveNetwork(operation), () -> {
                    LibC.mount(operation, "/proc/thread-self/ns/net", file.toString(), MS_BIND);
                    return file;
                })
                .make();
    }

    /// Without sharing, a name that is deleted would live on in every mount namespace that was made
    /// while it existed, and with it the network namespace. The lock keeps two processes from mounting
    /// the folder over what the other has just put there.
    private static void shareFolder(String operation) {
        try (var _ = LockedFile.lockFolder(FOLDER, LOCK_LIMIT)
                .orElseThrow(() -> new LinuxException(operation, Errno.EAGAIN))) {
            share(operation, FOLDER.toString());
        }
    }

    private static void share(String operation, String folder) {
        try {
            LibC.mount(operation, "", folder, MS_SHARED | MS_REC);
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.EINVAL) {
                throw failure;
            }
            // It is not a mount point yet, and only mount points are shared.
            LibC.mount(operation, folder, folder, MS_BIND | MS_REC);
            LibC.mount(operation, "", folder, MS_SHARED | MS_REC);
        }
    }
}
