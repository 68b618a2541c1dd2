package io.cadastre.cli.command;

import io.cadastre.registry.Pause;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The context of a command: the streams, the environment, the time and randomness.
///
/// @param in what is piped in
/// @param out what was asked for
/// @param err everything else: errors, warnings, progress
/// @param pause how a command waits
/// @param colours whether a person reads `out` on a terminal that can colour
/// @param progress whether a person reads `err` on a terminal
public record CommandContext(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        InstantSource clock,
        RandomGenerator dice,
        Pause pause,
        boolean colours,
        boolean progress) {

    public CommandContext {
        environment = Map.copyOf(environment);
    }

    /// A context in which nothing is piped in and waiting takes real time.
    public CommandContext(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            InstantSource clock,
            RandomGenerator dice,
            boolean colours,
            boolean progress) {
        this(InputStream.nullInputStream(), out, err, environment, clock, dice, Thread::sleep, colours, progress);
    }

    /// The same with something else piped in.
    public CommandContext withIn(InputStream other) {
        return new CommandContext(other, out, err, environment, clock, dice, pause, colours, progress);
    }

    /// The same with another environment.
    public CommandContext withEnvironment(Map<String, String> other) {
        return new CommandContext(in, out, err, other, clock, dice, pause, colours, progress);
    }

    /// Prints one sentence for the operator that is not an error.
    public void warn(String sentence) {
        err.println("cadastre: warning: " + sentence);
    }

    /// Prints one sentence for the operator about what went wrong.
    public void complain(String sentence) {
        err.println("cadastre: " + PlainWords.before(sentence));
    }
}
