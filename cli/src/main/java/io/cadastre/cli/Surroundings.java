package io.cadastre.cli;

import io.cadastre.registry.Pause;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/// What a command has around it: the streams, the environment, the time and chance.
///
/// @param in what is piped in
/// @param out what was asked for
/// @param err everything else: errors, warnings, progress
/// @param pause how a command waits
/// @param colours whether a person reads `out` on a terminal that can colour
/// @param progress whether a person reads `err` on a terminal
public record Surroundings(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        InstantSource clock,
        RandomGenerator dice,
        Pause pause,
        boolean colours,
        boolean progress) {

    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /// Surroundings in which nothing is piped in and waiting takes its time.
    public Surroundings(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            InstantSource clock,
            RandomGenerator dice,
            boolean colours,
            boolean progress) {
        this(
                InputStream.nullInputStream(),
                out,
                err,
                environment,
                clock,
                dice,
                Thread::sleep,
                colours,
                progress);
    }

    /// The same with something else piped in.
    Surroundings withIn(InputStream other) {
        return new Surroundings(
                other, out, err, environment, clock, dice, pause, colours, progress);
    }

    /// The same with another environment.
    Surroundings withEnvironment(Map<String, String> other) {
        return new Surroundings(in, out, err, other, clock, dice, pause, colours, progress);
    }

    /// Tells the operator something that is not an error, in one sentence.
    void warn(String sentence) {
        err.println("cadastre: warning: " + sentence);
    }

    /// Tells the operator what went wrong, in one sentence.
    void complain(String sentence) {
        err.println("cadastre: " + PlainWords.before(sentence));
    }
}
