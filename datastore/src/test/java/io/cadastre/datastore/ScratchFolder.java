package io.cadastre.datastore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder for the files of a peer that is there for all tests of a class. It goes with what is in it.
public record ScratchFolder(Path path) implements AutoCloseable {

    public static ScratchFolder create() throws IOException {
        return new ScratchFolder(Files.createTempDirectory("cadastre-test-"));
    }

    @Override
    public void close() throws IOException {
        try (var all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
