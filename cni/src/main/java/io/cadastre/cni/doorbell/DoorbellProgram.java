package io.cadastre.cni.doorbell;

import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What is put where a runtime looks for plugins.
public final class DoorbellProgram {

    private DoorbellProgram() {}

    /// The program in C, if there was a compiler when this was built.
    public static Optional<Bytes> compiled() {
        try (var program = DoorbellProgram.class.getResourceAsStream("doorbell")) {
            return program == null ? Optional.empty() : Optional.of(Bytes.of(program.readAllBytes()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// A script that starts the client in Java.
    ///
    /// @param java the program that runs Java
    /// @param classPath where its classes are
    public static Bytes stub(Path java, List<Path> classPath) {
        return Bytes.ofUtf8("""
            #!/bin/sh
            exec %s -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -cp %s %s "$0"
            """.formatted(
                        quoted(java.toString()),
                        quoted(classPath.stream().map(Path::toString).collect(Collectors.joining(":"))),
                        DoorbellMain.class.getName()));
    }

    /// Whether the file is such a program or script, be it of an older version.
    public static boolean isOne(Bytes file) {
        var text = new String(file.toByteArray(), StandardCharsets.ISO_8859_1);
        return text.contains(DoorbellMain.class.getName())
                || (text.contains(DoorbellSettings.SOCKET.toString())
                        && text.contains(DoorbellSettings.SPOOL.toString()));
    }

    private static String quoted(String word) {
        return "'%s'".formatted(word.replace("'", "'\\''"));
    }
}
