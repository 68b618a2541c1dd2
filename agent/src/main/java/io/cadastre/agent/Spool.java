package io.cadastre.agent;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.cadastre.wire.cni.DoorbellFrame;
import io.cadastre.wire.cni.DoorbellFrame.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Where plugins leave a DEL that no agent took: one file each, whole or not there.
///
/// Only regular files of the agent's own user are read: another user must not decide what is deleted, and
/// opening a pipe or a device would block.
public final class Spool {

    /// No more than this many are looked at in one go.
    private static final int ENTRIES_MAX = 10_000;

    private static final String ENDING = "*.del";

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private final int user;

    private Spool(Path folder, int user) {
        this.folder = folder;
        this.user = user;
    }

    /// Makes the folder if there is none, and closes it to other users.
    ///
    /// @throws AgentException if it cannot be made, or is another user's
    public static Spool in(Path folder) {
        return in(folder, ownUser());
    }

    static Spool in(Path folder, int user) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            if (owner(folder) != user) {
                throw new AgentException(("the spool %s belongs to user %d, but this process runs as"
                                + " user %d and processes only files of its own user; move the folder away,"
                                + " or give it to user %d")
                        .formatted(folder, owner(folder), user, user));
            }
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
            return new Spool(folder, user);
        } catch (IOException impossible) {
            throw new AgentException("cannot create the spool %s".formatted(folder), impossible);
        }
    }

    private static int ownUser() {
        try {
            return owner(Path.of("/proc/self"));
        } catch (IOException impossible) {
            throw new AgentException("cannot determine the user of this process", impossible);
        }
    }

    private static int owner(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }

    /// What lies there, by name.
    ///
    /// @param own what may be done
    /// @param strange what is not ours, and stays
    record Contents(List<Path> own, List<Path> strange) {}

    Contents contents() {
        var own = new ArrayList<Path>();
        var strange = new ArrayList<Path>();
        try (var files = Files.newDirectoryStream(folder, ENDING)) {
            for (var file : files) {
                if (own.size() == ENTRIES_MAX || strange.size() == ENTRIES_MAX) {
                    break;
                }
                sort(file, own, strange);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (DirectoryIteratorException unreadable) {
            throw new UncheckedIOException(unreadable.getCause());
        }
        Collections.sort(own);
        Collections.sort(strange);
        return new Contents(own, strange);
    }

    private void sort(Path file, List<Path> own, List<Path> strange) throws IOException {
        try {
            var facts = Files.readAttributes(file, "unix:isRegularFile,uid", NOFOLLOW_LINKS);
            boolean ours = Boolean.TRUE.equals(facts.get("isRegularFile")) && Objects.equals(facts.get("uid"), user);
            (ours ? own : strange).add(file);
        } catch (NoSuchFileException done) {
            // The call that has the turn of its container did it.
        }
    }

    /// The call in the file; empty if another thread has done it meanwhile.
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

    /// The call will never succeed. Its file is kept where the agent does not try it again, so that the
    /// operator can look at it.
    Path setAside(Path entry) {
        try {
            var aside = Files.createDirectories(folder.resolve("refused"));
            return Files.move(
                    entry, aside.resolve(String.valueOf(entry.getFileName())), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException stuck) {
            throw new UncheckedIOException(stuck);
        }
    }
}
