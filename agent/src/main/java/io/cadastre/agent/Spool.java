package io.cadastre.agent;

import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Where plugins leave a DEL that nobody took: one file each, whole or not there.
final class Spool {

    /// No more than this many are looked at in one go.
    private static final int ENTRIES_MAX = 10_000;

    private static final String ENDING = "*.del";

    private final Path folder;

    private Spool(Path folder) {
        this.folder = folder;
    }

    static Spool in(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
            return new Spool(folder);
        } catch (IOException impossible) {
            throw new AgentException("cannot make the spool %s".formatted(folder), impossible);
        }
    }

    /// What lies there, by name.
    List<Path> entries() {
        var entries = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(folder, ENDING)) {
            for (var file : files) {
                if (entries.size() == ENTRIES_MAX) {
                    break;
                }
                entries.add(file);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (DirectoryIteratorException unreadable) {
            throw new UncheckedIOException(unreadable.getCause());
        }
        Collections.sort(entries);
        return entries;
    }

    /// The call in the file; empty if somebody has done it meanwhile.
    ///
    /// @throws IOException if there is no call in it
    Optional<Call> read(Path entry) throws IOException {
        try (var stream = Files.newInputStream(entry)) {
            return Optional.of(DoorbellFrame.readCall(stream));
        } catch (NoSuchFileException done) {
            return Optional.empty();
        }
    }

    boolean has(Path entry) {
        return Files.exists(entry);
    }

    /// It was done.
    void remove(Path entry) {
        try {
            Files.deleteIfExists(entry);
        } catch (IOException stuck) {
            throw new UncheckedIOException(stuck);
        }
    }

    /// It will never be done. It is kept where nobody tries it again, for somebody to look at.
    Path setAside(Path entry) {
        try {
            var aside = Files.createDirectories(folder.resolve("refused"));
            return Files.move(
                    entry,
                    aside.resolve(String.valueOf(entry.getFileName())),
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException stuck) {
            throw new UncheckedIOException(stuck);
        }
    }
}
