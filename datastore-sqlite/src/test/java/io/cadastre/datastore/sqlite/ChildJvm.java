package io.cadastre.datastore.sqlite;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sqlite.util.LibraryLoaderUtil;

/// Another Java process with the class path of the tests. It is killed when it is closed.
final class ChildJvm implements AutoCloseable {

    /// The driver's native library. A process that is killed would leave a copy of its own behind.
    private static final Path LIBRARY_DIRECTORY = Path.of("target", "sqlite-library");

    private final Process process;
    private final BufferedReader output;
    private final PrintWriter input;

    private ChildJvm(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.input = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(), main, arguments);
    }

    /// Starts through another command, such as one that takes rights away.
    static ChildJvm start(List<String> prefix, Class<?> main, String... arguments) throws IOException {
        unpackLibrary();
        var command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx64m",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-Dorg.sqlite.lib.path=" + LIBRARY_DIRECTORY.toAbsolutePath(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /// The next line it prints.
    String read() {
        try {
            var line = output.readLine();
            if (line == null) {
                throw new AssertionError("the other process ended: " + process);
            }
            return line;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// All it has printed and will print.
    List<String> readAll() {
        return output.lines().toList();
    }

    void write(String line) {
        input.println(line);
    }

    /// Kills it as `kill -9` does. What it printed can still be read, which [Process#destroyForcibly()]
    /// would not allow.
    void kill() {
        process.toHandle().destroyForcibly();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private static synchronized void unpackLibrary() throws IOException {
        var name = LibraryLoaderUtil.getNativeLibName();
        var library = LIBRARY_DIRECTORY.resolve(name);
        if (Files.exists(library)) {
            return;
        }
        Files.createDirectories(LIBRARY_DIRECTORY);
        var resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (var packed = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
            Files.copy(requireNonNull(packed, resource), library);
        }
    }
}
