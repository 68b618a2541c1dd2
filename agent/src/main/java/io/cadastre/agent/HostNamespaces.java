package io.cadastre.agent;

import io.cadastre.wire.cni.Namespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// Compares a container's network namespace with that of the agent, which is the host's and thereby that
/// of the plugin. Two paths lead to one namespace if they lead to one file.
public final class HostNamespaces implements Namespaces {

    private static final Path OWN = Path.of("/proc/self/ns/net");

    @Override
    public Relation relation(String path) {
        var own = file(OWN);
        if (own.isEmpty()) {
            return Relation.OWN_NOT_OPENED;
        }
        return find(path)
                .map(other -> other.equals(own.get()) ? Relation.SAME : Relation.OTHER)
                .orElse(Relation.NOT_OPENED);
    }

    private static Optional<Object> find(String path) {
        try {
            return file(Path.of(path));
        } catch (InvalidPathException none) {
            return Optional.empty();
        }
    }

    private static Optional<Object> file(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
