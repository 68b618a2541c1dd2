package io.cadastre.cli;

import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.random.RandomGenerator;

/// What a command has around it: the streams, the environment, the time and chance.
///
/// @param out what was asked for
/// @param err everything else: errors, warnings, progress
/// @param colours whether a person reads `out` on a terminal that can colour
/// @param progress whether a person reads `err` on a terminal
public record Surroundings(
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        InstantSource clock,
        RandomGenerator dice,
        boolean colours,
        boolean progress) {

    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /// Tells the operator something that is not an error, in one sentence.
    void warn(String sentence) {
        err.println("cadastre: warning: " + sentence);
    }

    /// Tells the operator what went wrong, in one sentence.
    void complain(String sentence) {
        err.println("cadastre: " + sentence);
    }
}
