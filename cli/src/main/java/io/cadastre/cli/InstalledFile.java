package io.cadastre.cli;

import io.cadastre.cni.doorbell.DoorbellProgram;
import io.cadastre.datastore.Bytes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/// A file that is put somewhere where others put files too. It is there as a whole or not at all.
sealed interface InstalledFile {

    Path path();

    /// What is in its place now.
    enum Standing {
        ABSENT,
        SAME,
        /// One that was installed earlier.
        OURS,
        FOREIGN
    }

    /// A program, readable and executable by all.
    record Program(Path path, Bytes content) implements InstalledFile {}

    /// Text that people may change: once changed it is theirs.
    record Text(Path path, String content, String permissions) implements InstalledFile {}

    /// Another name of a program in the same folder.
    record Link(Path path, String target) implements InstalledFile {}

    default Standing standing() {
        try {
            if (!Files.exists(path(), LinkOption.NOFOLLOW_LINKS)) {
                return Standing.ABSENT;
            }
            if (Files.isSymbolicLink(path())) {
                return this instanceof Link(_, var target)
                                && Files.readSymbolicLink(path()).equals(Path.of(target))
                        ? Standing.SAME
                        : Standing.FOREIGN;
            }
            if (!Files.isRegularFile(path(), LinkOption.NOFOLLOW_LINKS)) {
                return Standing.FOREIGN;
            }
            return standing(Bytes.of(Files.readAllBytes(path())));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Standing standing(Bytes found) {
        return switch (this) {
            case Program(_, var content) when found.equals(content) -> Standing.SAME;
            case Program _ -> DoorbellProgram.isOne(found) ? Standing.OURS : Standing.FOREIGN;
            case Text(_, var content, _) ->
                    found.utf8().equals(content) ? Standing.SAME : Standing.FOREIGN;
            case Link _ -> Standing.FOREIGN;
        };
    }

    /// Puts it into its place, whatever is there, and tells in a word what was done.
    default String install() throws IOException {
        var standing = standing();
        if (standing == Standing.SAME) {
            return "unchanged";
        }
        var folder = path().getParent();
        if (folder == null) {
            throw new IOException(path() + " is in no folder");
        }
        Files.createDirectories(folder);
        var draft = path().resolveSibling(".%s.new".formatted(path().getFileName()));
        Files.deleteIfExists(draft);
        switch (this) {
            case Program(_, var content) -> write(draft, content, "rwxr-xr-x");
            case Text(_, var content, var permissions) ->
                    write(draft, Bytes.ofUtf8(content), permissions);
            case Link(_, var target) -> Files.createSymbolicLink(draft, Path.of(target));
        }
        Files.move(draft, path(), StandardCopyOption.ATOMIC_MOVE);
        return standing == Standing.ABSENT ? "installed" : "replaced";
    }

    private static void write(Path draft, Bytes content, String permissions) throws IOException {
        Files.createFile(
                draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(draft, content.toByteArray());
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(permissions));
    }
}
