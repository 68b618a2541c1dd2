package io.cadastre.datastore;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A program that a test runs beside itself. It does not outlive the test's JVM.
public final class PeerProcess implements AutoCloseable {

    private static final int RUN_SECONDS_MAX = 30;

    private final Process process;

    private PeerProcess(Process process) {
        this.process = process;
    }

    public static boolean onThePath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// Ports without a listener. All are held until all are known, so that they differ.
    public static List<Integer> freePorts(int count) throws IOException {
        var held = new ArrayList<ServerSocket>();
        try {
            for (int index = 0; index < count; index++) {
                held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (var socket : held) {
                socket.close();
            }
        }
    }

    /// Starts a program that goes on until it is killed.
    ///
    /// @param builder says where the output goes; it is not read here
    public static PeerProcess launch(ProcessBuilder builder) throws IOException {
        var started = builder.redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        return new PeerProcess(started);
    }

    /// Runs a program that ends by itself, and answers what it printed.
    public static String run(ProcessBuilder builder) throws IOException {
        var started = builder.redirectErrorStream(true).start();
        var output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!started.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS) || started.exitValue() != 0) {
                throw new AssertionError("%s: %s".formatted(builder.command(), output));
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return output;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// As `kill -9`.
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /// Stops the process where it is, until [#proceed()].
    public void freeze() throws IOException {
        Freezer.freeze(process);
    }

    public void proceed() throws IOException {
        Freezer.proceed(process);
    }

    @Override
    public void close() {
        kill();
    }
}
