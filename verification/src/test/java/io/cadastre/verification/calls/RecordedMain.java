package io.cadastre.verification.calls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Runs the command line and writes the last recording into a file when the process ends.
final class RecordedMain {

    private RecordedMain() {}

    /// Starts a recorded process.
    ///
    /// @param arguments the file, the root method, and the words of the command line
    public static void main(String[] arguments) throws Exception {
        var file = Path.of(arguments[0]);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> write(file)));
        var loader = new RecordingLoader(arguments[1], RecordedMain.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        loader.loadClass("io.cadastre.cli.Main")
                .getMethod("main", String[].class)
                .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
    }

    private static void write(Path file) {
        try {
            Files.write(file, CallRecorder.last());
        } catch (java.io.IOException unwritable) {
            throw new java.io.UncheckedIOException(unwritable);
        }
    }
}
