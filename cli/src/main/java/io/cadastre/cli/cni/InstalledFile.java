package io.cadastre.cli.cni;

import io.cadastre.cni.doorbell.DoorbellProgram;
import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/// A file in a directory that other programs use too. It is installed completely or not at all.
sealed interface InstalledFile {

    Path path();

    /// The file in its place now.
    enum State {
        ABSENT,
        SAME,
        /// One that was installed earlier.
        OURS,
        FOREIGN
    }

    /// A program, readable and executable by all.
    record Program(Path path, Bytes content) implements InstalledFile {}

    /// A text that users may change: a changed one is left alone.
    record Text(Path path, String content, String permissions) implements InstalledFile {}

    /// Another name of a program in the same folder.
    record Link(Path path, String target) implements InstalledFile {}

    default State standing() {
        try {
            if (!Files.exists(path(), LinkOption.NOFOLLOW_LINKS)) {
                return State.ABSENT;
            }
            if (Files.isSymbolicLink(path())) {
                return this instanceof Link(var _, var target)
                                && Files.readSymbolicLink(path()).equals(Path.of(target))
                        ? State.SAME
                        : State.FOREIGN;
            }
            if (!Files.isRegularFile(path(), LinkOption.NOFOLLOW_LINKS)) {
                return State.FOREIGN;
            }
            return standing(Bytes.of(Files.readAllBytes(path())));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private State standing(Bytes found) {
        return switch (this) {
            case Program(var _, var content) when found.equals(content) -> State.SAME;
            case Program _ -> DoorbellProgram.isOne(found) ? State.OURS : State.FOREIGN;
            case Text(var _, var content, var _) -> found.utf8().equals(content) ? State.SAME : State.FOREIGN;
            case Link _ -> State.FOREIGN;
        };
    }

    /// Installs the file over whatever is there, and returns a word for what was done.
    default String install() throws IOException {
        var standing = standing();
        if (standing == State.SAME) {
            return "unchanged";
        }
        var folder = path().getParent();
        if (folder == null) {
            throw new IOException(path() + " has no parent folder");
        }
        Files.createDirectories(folder);
        var draft = path().resolveSibling(".%s.new".formatted(path().getFileName()));
        Files.deleteIfExists(draft);
        switch (this) {
            case Program(var _, var content) -> write(draft, content, "rwxr-xr-x");
            case Text(var _, var content, var permissions) -> write(draft, Bytes.ofUtf8(content), permissions);
            case Link(var _, var target) -> Files.createSymbolicLink(draft, Path.of(target));
        }
        Files.move(draft, path(), StandardCopyOption.ATOMIC_MOVE);
        return standing == State.ABSENT ? "installed" : "replaced";
    }

    private static void write(Path draft, Bytes content, String permissions) throws IOException {
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(draft, content.toByteArray());
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(permissions));
    }
}
