package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.datastore.sqlite.SqliteLibrary;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// The process: the only place that knows the real streams, the real environment and the real clock.
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        var out = new Output(new FileOutputStream(FileDescriptor.out));
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        var environment = System.getenv();
        var context = new CommandContext(
                System.in,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                err,
                environment,
                InstantSource.system(),
                new SplittableRandom(),
                Thread::sleep,
                coloursWanted(environment),
                isTerminal(Path.of("/proc/self/fd/2")));
        cache(environment).ifPresent(SqliteLibrary::keepIn);
        int exitCode = Cadastre.run(context, arguments);
        context.out().flush();
        if (out.failure().isPresent() && exitCode == ExitCode.DONE) {
            context.complain("cannot write the output: " + out.failure().get());
            exitCode = ExitCode.FAILED;
        }
        System.exit(exitCode);
    }

    /// Where this user's programs keep what they can make again, as the XDG specification has it.
    private static Optional<Path> cache(Map<String, String> environment) {
        var named = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (named.startsWith("/")) {
            return Optional.of(Path.of(named, "cadastre"));
        }
        var home = environment.getOrDefault("HOME", "");
        return home.startsWith("/") ? Optional.of(Path.of(home, ".cache", "cadastre")) : Optional.empty();
    }

    /// As <https://no-color.org> has it.
    private static boolean coloursWanted(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && isTerminal(Path.of("/proc/self/fd/1"));
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            var target = descriptor.toRealPath();
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (IOException none) {
            // A pipe, a socket or a closed descriptor.
            return false;
        }
    }
}
