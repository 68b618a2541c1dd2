package io.cadastre.cli.command;

import io.cadastre.registry.Pause;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The context of a command: the streams, the environment, the time and randomness.
///
/// @param in standard input
/// @param out the answer of the command
/// @param err everything else: errors, warnings, progress
/// @param pause how a command waits
/// @param colours whether `out` is a terminal with colours
/// @param progress whether `err` is a terminal
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

    /// A context with empty input, in which waiting takes real time.
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

    /// The same with other input.
    public CommandContext withIn(InputStream other) {
        return new CommandContext(other, out, err, environment, clock, dice, pause, colours, progress);
    }

    /// The same with another environment.
    public CommandContext withEnvironment(Map<String, String> other) {
        return new CommandContext(in, out, err, other, clock, dice, pause, colours, progress);
    }

    /// Prints a warning of one sentence.
    public void warn(String sentence) {
        err.println("cadastre: warning: " + sentence);
    }

    /// Prints an error of one sentence.
    public void complain(String sentence) {
        err.println("cadastre: " + PlainWords.before(sentence));
    }
}
