package io.cadastre.cni.runtime;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Deadline;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.GoText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Runs a plugin as a process: environment and input in, output out, by a deadline.
///
/// At the deadline the plugin is killed with everything it started. A plugin has answered when it has
/// ended: what it left running is left alone, and may keep its output open. The reference code kills one
/// process only, and always waits for the processes that inherited the output.
public final class PluginRunner {

    private static final int OUTPUT_BYTES_MAX = CniJson.BYTES_MAX;
    private static final int BUSY_ATTEMPTS_MAX = 6;
    private static final Duration BUSY_PAUSE = Duration.ofSeconds(1);

    /// How long the output of a plugin that has ended may take to arrive.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final int TEXT_FILE_BUSY = 26;

    private static final String FAILED = "netplugin failed with no error message: ";
    private static final String KILLED = FAILED + "signal: killed";

    private static final Pattern ERROR_NUMBER = Pattern.compile("error[=:] ?([0-9]+)");

    private static final AtomicLong CALLS = new AtomicLong();

    private final Map<String, String> environment;
    private final Consumer<Bytes> stderr;
    private final Pause pause;

    /// A runner for plugins that inherit this environment.
    ///
    /// @param stderr is given what a plugin that succeeds printed for humans
    /// @param pause between attempts to run a file that another process still writes
    public PluginRunner(Map<String, String> environment, Consumer<Bytes> stderr, Pause pause) {
        this.environment = Collections.unmodifiableMap(new TreeMap<>(environment));
        this.stderr = stderr;
        this.pause = pause;
    }

    /// Runs a plugin to its end.
    ///
    /// @param variables set in the environment, in place of inherited ones of the same name
    /// @return what it printed
    /// @throws CniException if it cannot be run or fails
    public Bytes run(Path plugin, Bytes stdin, Map<String, String> variables, Deadline deadline) {
        var mark = "CADASTRE_CALL_%d_%d_%d"
                .formatted(ProcessHandle.current().pid(), System.nanoTime(), CALLS.incrementAndGet());
        if (deadline.leftNanos() == 0) {
            // What is killed at once may have begun, and must then be undone.
            throw unknown(KILLED);
        }
        try {
            var process = start(plugin, builder(plugin, variables, mark), deadline);
            return new Run(process, new ProcessTree(process, mark)).await(stdin, deadline);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw unknown(KILLED);
        }
    }

    private ProcessBuilder builder(Path plugin, Map<String, String> variables, String mark) {
        var builder = new ProcessBuilder(plugin.toString());
        try {
            var inherited = builder.environment();
            inherited.clear();
            inherited.putAll(environment);
            inherited.putAll(variables);
            inherited.put(mark, "1");
        } catch (IllegalArgumentException unusable) {
            throw cannotStart(plugin, String.valueOf(unusable.getMessage()));
        }
        return builder;
    }

    private Process start(Path plugin, ProcessBuilder builder, Deadline deadline) throws InterruptedException {
        checkFormat(plugin);
        for (int attempt = 1; ; attempt++) {
            try {
                return builder.start();
            } catch (IOException refused) {
                boolean again = errorNumber(refused) == TEXT_FILE_BUSY
                        && attempt < BUSY_ATTEMPTS_MAX
                        && deadline.leftNanos() > 0;
                if (!again) {
                    throw cannotStart(plugin, words(refused));
                }
            }
            pause.pause(BUSY_PAUSE);
        }
    }

    /// Java hands a file that the kernel does not know how to run to the shell. A plugin that is damaged
    /// must not be run as a script.
    private static void checkFormat(Path plugin) {
        try (var stream = Files.newInputStream(plugin)) {
            var start = new String(stream.readNBytes(4), StandardCharsets.ISO_8859_1);
            if (!start.equals("\u007fELF") && !start.startsWith("#!")) {
                throw cannotStart(plugin, "exec format error");
            }
        } catch (IOException _) {
            // It may be run without being read; if not, starting it reports why.
        }
    }

    private static int errorNumber(IOException refused) {
        var number = ERROR_NUMBER.matcher(String.valueOf(refused.getMessage()));
        return number.find() ? Integer.parseInt(number.group(1)) : 0;
    }

    private static String words(IOException refused) {
        return switch (errorNumber(refused)) {
            case 2 -> "no such file or directory";
            case 8 -> "exec format error";
            case 13 -> "permission denied";
            case TEXT_FILE_BUSY -> "text file busy";
            default -> String.valueOf(refused.getMessage());
        };
    }

    private static CniException cannotStart(Path plugin, String why) {
        return unknown(FAILED + "fork/exec %s: %s".formatted(plugin, why));
    }

    private static CniException unknown(String msg) {
        return new CniException(CniCode.UNKNOWN, msg);
    }

    /// One process that was started.
    private final class Run {

        private final Process process;
        private final ProcessTree tree;
        private final BoundedOutput output;
        private final BoundedOutput errors;

        Run(Process process, ProcessTree tree) {
            this.process = process;
            this.tree = tree;
            this.output = new BoundedOutput(process.getInputStream(), OUTPUT_BYTES_MAX, tree::kill);
            this.errors = new BoundedOutput(process.getErrorStream(), OUTPUT_BYTES_MAX, tree::kill);
        }

        Bytes await(Bytes stdin, Deadline deadline) throws InterruptedException {
            // A pipe that blocks would hold a carrier of virtual threads for as long.
            Thread.ofPlatform().daemon().start(output);
            Thread.ofPlatform().daemon().start(errors);
            Thread.ofPlatform().daemon().start(() -> write(stdin));
            boolean ended = false;
            try {
                ended = process.waitFor(deadline.leftNanos(), TimeUnit.NANOSECONDS);
            } finally {
                if (!ended) {
                    tree.kill();
                }
            }
            if (!ended) {
                throw unknown(KILLED);
            }
            return plan(process.exitValue(), output.await(GRACE), errors.await(GRACE));
        }

        private void write(Bytes stdin) {
            try (var stream = process.getOutputStream()) {
                stream.write(stdin.toByteArray());
            } catch (IOException _) {
                // A plugin need not read its input, and may end before it is written.
            }
        }

        private Bytes plan(int status, Bytes printed, Bytes said) {
            if (printed.size() > OUTPUT_BYTES_MAX || said.size() > OUTPUT_BYTES_MAX) {
                throw unknown(FAILED + "it printed more than %d bytes".formatted(OUTPUT_BYTES_MAX));
            }
            if (status == 0) {
                if (said.size() > 0) {
                    stderr.accept(said);
                }
                return printed;
            }
            if (printed.size() > 0) {
                throw new CniException(diagnostic(printed));
            }
            var end = "exit status " + status;
            throw unknown(said.size() == 0 ? FAILED + end : "netplugin failed: %s: %s".formatted(quoted(said), end));
        }

        private CniError diagnostic(Bytes printed) {
            try {
                return CniError.parse(printed);
            } catch (CniException unreadable) {
                throw unknown("netplugin failed but error parsing its diagnostic message %s: %s"
                        .formatted(quoted(printed), unreadable.getMessage()));
            }
        }

        private String quoted(Bytes bytes) {
            return GoText.quote(bytes.utf8());
        }
    }
}
