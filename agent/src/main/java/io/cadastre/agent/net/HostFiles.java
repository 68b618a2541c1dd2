package io.cadastre.agent.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// The files of a host that say how pods are attached to it.
@FunctionalInterface
public interface HostFiles {

    /// What the file says; empty if it does not exist.
    ///
    /// @throws IOException if it is there and cannot be read
    Optional<String> find(String path) throws IOException;

    /// Those that lie on the disk.
    static HostFiles onDisk() {
        return path -> {
            try {
                return Optional.of(Files.readString(Path.of(path), StandardCharsets.UTF_8));
            } catch (NoSuchFileException none) {
                return Optional.empty();
            }
        };
    }

    /// These files, and a text in place of one file if that does not exist. An agent that knows its node
    /// does not need the file with its name.
    default HostFiles standingIn(String file, String text) {
        return path -> {
            var found = find(path);
            return found.isEmpty() && path.equals(file) ? Optional.of(text) : found;
        };
    }
}
