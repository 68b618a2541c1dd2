package io.cadastre.cli;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A process of a test, with what it printed so far. It has a session of its own, so that it can be
/// interrupted as a terminal would do it: with all its children. Its signals have their default effect,
/// also where the tests run under `nohup` or in the background of a script, which ignore some.
public final class RunningProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Text out;
    private final Text err;

    /// How a process ended.
    public record Ended(int exitCode, String out, String err) {}

    private RunningProcess(Process process) {
        this.process = process;
        out = new Text(process.inputReader(StandardCharsets.UTF_8));
        err = new Text(process.errorReader(StandardCharsets.UTF_8));
    }

    public static RunningProcess start(Path directory, Map<String, String> environment, List<String> command)
            throws IOException {
        var words = new ArrayList<>(List.of("setsid", "/usr/bin/env", "--default-signal=HUP,INT,QUIT"));
        words.addAll(command);
        var builder = new ProcessBuilder(words).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        return new RunningProcess(process);
    }

    public void awaitOut(String part) throws InterruptedException {
        out.await(part);
    }

    public void awaitErr(String part) throws InterruptedException {
        err.await(part);
    }

    /// What it printed so far.
    public String out() {
        return out.toString();
    }

    /// What it complained of so far.
    public String err() {
        return err.toString();
    }

    /// What Ctrl-C does.
    public void interrupt() throws IOException, InterruptedException {
        signal("INT");
    }

    /// What a supervisor does that asks it to end.
    public void terminate() throws IOException, InterruptedException {
        signal("TERM");
    }

    /// It does nothing until it is continued, and does not know it.
    public void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    /// What `kill -9` does.
    public void kill() throws IOException, InterruptedException {
        signal("KILL");
    }

    private void signal(String name) throws IOException, InterruptedException {
        // The shell's own kill: a bare Debian has no other.
        var command = "kill -s %s -- -%d".formatted(name, process.pid());
        new ProcessBuilder("sh", "-c", command).start().waitFor();
    }

    public Ended end() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            close();
            throw new AssertionError("it does not end; it printed %s%s".formatted(out, err));
        }
        return new Ended(process.exitValue(), out.whole(), err.whole());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// What arrives on a stream, read by a thread of its own so that the writer never waits.
    private static final class Text {

        private final StringBuilder text = new StringBuilder();
        private final Thread reading;

        Text(Reader reader) {
            // Not a virtual one: reading a pipe would hold its carrier.
            reading = Thread.ofPlatform().daemon().start(() -> read(reader));
        }

        private void read(Reader reader) {
            var chunk = new char[4096];
            try (reader) {
                for (int count = reader.read(chunk); count >= 0; count = reader.read(chunk)) {
                    synchronized (text) {
                        text.append(chunk, 0, count);
                        text.notifyAll();
                    }
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        void await(String part) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            synchronized (text) {
                while (text.indexOf(part) < 0) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        throw new AssertionError("'%s' is not in: %s".formatted(part, text));
                    }
                    TimeUnit.NANOSECONDS.timedWait(text, left);
                }
            }
        }

        String whole() throws InterruptedException {
            reading.join();
            return toString();
        }

        @Override
        public String toString() {
            synchronized (text) {
                return text.toString();
            }
        }
    }
}
