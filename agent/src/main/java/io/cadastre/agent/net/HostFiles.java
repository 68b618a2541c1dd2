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

    /// What the file says; empty if there is no such file.
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

    /// These, and beside them a text for one file where there is none. An agent that knows its node
    /// needs nobody else to write it down.
    default HostFiles standingIn(String file, String text) {
        return path -> {
            var found = find(path);
            return found.isEmpty() && path.equals(file) ? Optional.of(text) : found;
        };
    }
}
