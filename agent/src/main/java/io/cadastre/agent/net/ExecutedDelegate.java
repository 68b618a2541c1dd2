package io.cadastre.agent.net;

import io.cadastre.datastore.Bytes;
import io.cadastre.registry.Pause;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCall;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.GoText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// A plugin that is a program in one of the folders of `CNI_PATH`.
///
/// Its input and output are files, so that the agent does not wait for processes that inherited them.
final class ExecutedDelegate implements Delegate {

    /// An ADD has a minute for all of it.
    private static final Duration LIMIT = Duration.ofSeconds(50);

    private static final int STARTS_MAX = 6;
    private static final Duration BEFORE_NEXT_START = Duration.ofSeconds(1);
    private static final String BUSY = "26";
    private static final Pattern ERRNO = Pattern.compile("error(?:=|: )(\\d+)(?:, | \\()([^()]+)");

    private final Path program;
    private final Pause pause;
    private final Duration limit;
    private final Consumer<String> log;

    ExecutedDelegate(Path program, Pause pause, Duration limit, Consumer<String> log) {
        this.program = program;
        this.pause = pause;
        this.limit = limit;
        this.log = log;
    }

    /// Finds the program in the folders, in their order.
    ///
    /// @throws CniException if there is none
    static ExecutedDelegate find(String type, List<String> folders, Pause pause, Consumer<String> log) {
        if (type.isEmpty()) {
            throw new CniException(CniCode.INTERNAL, "no plugin name provided");
        }
        if (type.indexOf('/') >= 0) {
            throw new CniException(CniCode.INTERNAL, "invalid plugin name: " + type);
        }
        if (folders.stream().allMatch(String::isEmpty)) {
            throw new CniException(CniCode.INTERNAL, "no paths provided");
        }
        return folders.stream()
                .flatMap(folder -> file(folder, type).stream())
                .findFirst()
                .map(program -> new ExecutedDelegate(program, pause, LIMIT, log))
                .orElseThrow(() -> new CniException(
                        CniCode.INTERNAL,
                        "failed to find plugin %s in path %s".formatted(GoText.quote(type), GoText.list(folders))));
    }

    private static Optional<Path> file(String folder, String type) {
        try {
            return Optional.of(Path.of(folder, type)).filter(Files::isRegularFile);
        } catch (InvalidPathException none) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<CniResult> perform(CniCall call) {
        var answer = run(call);
        if (answer.exitCode() != 0) {
            throw new CniException(error(answer));
        }
        return call.verb() == CniVerb.ADD
                ? Optional.of(result(answer, call.config().cniVersion()))
                : Optional.empty();
    }

    /// @param version what the result is in if it does not say
    private static CniResult result(CniAnswer answer, String version) {
        try {
            return CniResult.parse(answer.stdout(), version).convert(CniVersion.NEWEST);
        } catch (CniException unreadable) {
            throw answer.stdout().size() == 0 ? noResult(unreadable) : unreadable;
        }
    }

    private static CniError error(CniAnswer answer) {
        if (answer.stdout().size() == 0) {
            return silence(answer.stderr().utf8(), "exit status " + answer.exitCode());
        }
        try {
            return CniError.parse(answer.stdout());
        } catch (CniException unreadable) {
            return CniError.of(
                    CniCode.UNKNOWN,
                    "netplugin failed but error parsing its diagnostic message %s: %s"
                            .formatted(
                                    GoText.quote(answer.stdout().utf8()),
                                    unreadable.error().msg()));
        }
    }

    /// The error of a plugin that printed none.
    private static CniError silence(String stderr, String status) {
        return CniError.of(
                CniCode.UNKNOWN,
                stderr.isEmpty()
                        ? "netplugin failed with no error message: " + status
                        : "netplugin failed: %s: %s".formatted(GoText.quote(stderr), status));
    }

    private static CniException noResult(CniException cause) {
        return new CniException(
                CniError.of(
                        CniCode.INTERNAL,
                        "failed to unmarshal raw result: " + cause.error().msg()),
                cause);
    }

    private CniAnswer run(CniCall call) {
        try {
            var folder = Files.createTempDirectory("cadastre-delegate");
            try {
                return run(call, folder);
            } finally {
                for (var name : List.of("stdin", "stdout", "stderr")) {
                    Files.deleteIfExists(folder.resolve(name));
                }
                Files.delete(folder);
            }
        } catch (IOException failure) {
            throw new CniException(
                    CniError.of(
                            CniCode.IO_FAILURE,
                            "plugin %s cannot be called: %s".formatted(program, failure.getMessage())),
                    failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CniException(
                    CniError.of(CniCode.TRY_AGAIN_LATER, "plugin %s was interrupted".formatted(program)), interrupted);
        }
    }

    private CniAnswer run(CniCall call, Path folder) throws IOException, InterruptedException {
        var stdin = Files.write(folder.resolve("stdin"), call.config().raw().toByteArray());
        var stdout = folder.resolve("stdout");
        var stderr = folder.resolve("stderr");
        var builder = new ProcessBuilder(program.toString())
                .redirectInput(stdin.toFile())
                .redirectOutput(stdout.toFile())
                .redirectError(stderr.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("CNI_"));
        builder.environment().putAll(call.environment());
        var process = start(builder);
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            kill(process);
            throw new CniException(silence(read(stderr).utf8(), "signal: killed"));
        }
        var said = read(stderr);
        if (process.exitValue() == 0 && said.size() > 0) {
            log.accept("%s: %s".formatted(program, said.utf8().strip()));
        }
        return new CniAnswer(read(stdout), said, process.exitValue());
    }

    private static void kill(Process process) throws InterruptedException {
        var descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }

    /// What is longer than any answer may be is cut, and then cannot be read.
    private static Bytes read(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            return Bytes.of(stream.readNBytes(CniJson.BYTES_MAX + 1));
        }
    }

    /// A program that is being written cannot be started, and may soon be.
    private Process start(ProcessBuilder builder) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return builder.start();
            } catch (IOException refused) {
                var errno = ERRNO.matcher(String.valueOf(refused.getMessage()));
                boolean known = errno.find();
                if (!known || !errno.group(1).equals(BUSY) || attempt == STARTS_MAX) {
                    var words = known ? errno.group(2) : String.valueOf(refused.getMessage());
                    throw new CniException(
                            silence("", "fork/exec %s: %s".formatted(program, uncapitalized(words))), refused);
                }
            }
            pause.pause(BEFORE_NEXT_START);
        }
    }

    private static String uncapitalized(String words) {
        return words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }
}
