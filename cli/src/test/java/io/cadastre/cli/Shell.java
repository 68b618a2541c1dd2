package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// Runs commands in this process, in their own home directory, with a fixed clock and without waiting.
public record Shell(Path home, Map<String, String> environment, Instant now) {

    public static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    /// What a command printed and how it ended.
    public record Ended(int exitCode, String out, String err) {}

    public static Shell at(Path home) {
        return new Shell(home, Map.of("HOME", home.toString()), NOON);
    }

    public Shell with(String name, String value) {
        var changed = new HashMap<>(environment);
        changed.put(name, value);
        return new Shell(home, Map.copyOf(changed), now);
    }

    public Shell at(Instant time) {
        return new Shell(home, environment, time);
    }

    public Ended run(String... arguments) {
        return run(Screen.NONE, "", arguments);
    }

    /// With something piped in.
    public Ended runPiping(String input, String... arguments) {
        return run(Screen.NONE, input, arguments);
    }

    /// As if what it prints were read on a terminal with colours.
    Ended runInColour(String... arguments) {
        return run(Screen.OUT, "", arguments);
    }

    /// As if a person watched its progress.
    Ended runWatched(String... arguments) {
        return run(Screen.ERR, "", arguments);
    }

    private enum Screen {
        NONE,
        OUT,
        ERR
    }

    private Ended run(Screen screen, String input, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var context = new CommandContext(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, false, StandardCharsets.UTF_8),
                environment,
                InstantSource.fixed(now),
                new SplittableRandom(1),
                _ -> {},
                screen == Screen.OUT,
                screen == Screen.ERR);
        int exitCode = Cadastre.run(context, arguments);
        return new Ended(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public Path dataDirectory() {
        return home.resolve(".local/state/cadastre");
    }

    /// Every file below the home.
    public List<Path> files() throws IOException {
        try (var paths = Files.walk(home)) {
            return paths.filter(path -> !path.equals(home)).toList();
        }
    }
}
