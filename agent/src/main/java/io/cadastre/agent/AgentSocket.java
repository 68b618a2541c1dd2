package io.cadastre.agent;

import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// The socket of an agent, which only its owner may open. Of two agents that want the same socket, only one
/// gets it: a lock file lies beside it, which is free as soon as the process that holds it has ended.
///
/// The socket is made in a folder that other users cannot enter and then moved into its place. So there is
/// no moment at which other users may open it, and none at which a leftover socket is gone and the new one
/// is not there yet.
public final class AgentSocket implements AutoCloseable {

    private static final int BACKLOG = 1024;

    /// The kernel does not accept longer paths.
    private static final int PATH_BYTES_MAX = 107;

    private static final String OWN_FOLDER = "cadastre";

    private static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwx------");

    private static final FileAttribute<?> FOLDER_ATTRIBUTE = PosixFilePermissions.asFileAttribute(FOLDER_MODE);

    private static final Set<PosixFilePermission> LOCK_MODE = PosixFilePermissions.fromString("rw-------");

    private final Path path;
    private final FileChannel lockFile;
    private final ServerSocketChannel server;

    /// Which file the socket is, so that another that took its place is not removed.
    private final Optional<Object> identity;

    private AgentSocket(Path path, FileChannel lockFile, ServerSocketChannel server, Optional<Object> key) {
        this.path = path;
        this.lockFile = lockFile;
        this.server = server;
        this.identity = key;
    }

    /// Begins to listen.
    ///
    /// @throws AgentException if another agent has it, or it cannot be made
    public static AgentSocket open(Path path) {
        try {
            var folder = path.toAbsolutePath().getParent();
            if (folder == null) {
                throw new AgentException("%s is not a valid path for a socket".formatted(path));
            }
            if (path.toString().getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
                throw new AgentException("cannot listen on %s: the path of a socket has at most %d bytes"
                        .formatted(path, PATH_BYTES_MAX));
            }
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, FOLDER_ATTRIBUTE);
            } else if (isOfAgent(folder)) {
                Files.setPosixFilePermissions(folder, FOLDER_MODE);
            }
            var lockFile = locked(path.resolveSibling(path.getFileName() + ".lock"), path);
            try {
                checkPlace(path);
                return bound(path, folder, lockFile);
            } catch (IOException | RuntimeException failed) {
                lockFile.close();
                throw failed;
            }
        } catch (IOException impossible) {
            throw new AgentException("cannot listen on %s: %s".formatted(path, words(impossible)), impossible);
        }
    }

    private static String words(IOException failure) {
        return failure.getClass() == IOException.class || failure instanceof SocketException
                ? String.valueOf(failure.getMessage())
                : failure.toString();
    }

    private static FileChannel locked(Path file, Path socket) throws IOException {
        var channel = openedByOwnerOnly(file);
        if (!holds(channel)) {
            channel.close();
            throw new AgentException("another agent uses %s".formatted(socket));
        }
        return channel;
    }

    /// A process that can open the file can lock it. One that others may have opened, as earlier releases
    /// made it, is replaced; an agent of such a release that still runs answers on its socket.
    private static FileChannel openedByOwnerOnly(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !isOfOwnerOnly(file)) {
            Files.delete(file);
        }
        var options =
                Set.<OpenOption>of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(LOCK_MODE));
    }

    private static boolean isOfOwnerOnly(Path file) throws IOException {
        var facts = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return facts.isRegularFile() && facts.permissions().equals(LOCK_MODE) && isOfOwnUser(facts);
    }

    /// Whether a folder that is there is for the agent alone, as a kubelet makes it for a volume: by its
    /// name, since one such as `/run` has files of others.
    private static boolean isOfAgent(Path folder) throws IOException {
        return folder.endsWith(OWN_FOLDER)
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && isOfOwnUser(Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }

    private static boolean isOfOwnUser(PosixFileAttributes facts) throws IOException {
        return facts.owner().equals(Files.getOwner(Path.of("/proc/self")));
    }

    /// The lock is released with its channel.
    private static boolean holds(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    private static void checkPlace(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!attributes(path).isOther()) {
            throw new AgentException(
                    "%s exists and is not a socket; move it away, or give another path".formatted(path));
        }
        if (answers(path)) {
            throw new AgentException("another agent answers on %s".formatted(path));
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean answers(Path path) throws IOException {
        try (var probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (SocketException stale) {
            return false;
        }
    }

    private static AgentSocket bound(Path path, Path folder, FileChannel lockFile) throws IOException {
        var workshop = folder.resolve("." + ProcessHandle.current().pid());
        var draft = workshop.resolve("s");
        Files.deleteIfExists(draft);
        Files.deleteIfExists(workshop);
        Files.createDirectory(workshop, FOLDER_ATTRIBUTE);
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(draft), BACKLOG);
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
            return new AgentSocket(path, lockFile, server, key(path));
        } catch (IOException | RuntimeException failed) {
            server.close();
            throw failed;
        } finally {
            Files.deleteIfExists(draft);
            Files.deleteIfExists(workshop);
        }
    }

    private static Optional<Object> key(Path path) throws IOException {
        return Optional.ofNullable(attributes(path).fileKey());
    }

    public SocketChannel accept() throws IOException {
        return server.accept();
    }

    /// Accepts no more callers. Another agent still cannot take the path.
    public void shut() throws IOException {
        server.close();
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && key(path).equals(identity)) {
            Files.delete(path);
        }
    }

    @Override
    public void close() throws IOException {
        try (lockFile) {
            shut();
        }
    }
}
