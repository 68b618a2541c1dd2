package io.cadastre.datastore.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A token in a file that is renewed from outside.
///
/// It is read for every request: a read of a kilobyte costs nothing beside a request, and no notice of a
/// change can be missed. While the file is away or empty, as it is for a moment when it is replaced, the
/// token read last is used.
final class TokenFile {

    private final Path file;
    private volatile String last = "";

    TokenFile(Path file) {
        this.file = file;
    }

    String current() {
        try {
            var read = Files.readString(file).strip();
            if (!read.isEmpty()) {
                last = read;
            }
        } catch (IOException away) {
            // The server will say no if there never was one.
        }
        return last;
    }
}
