package io.cadastre.controller.spiderpool.collection;

import io.cadastre.engine.pool.collect.CollectSettings.Gate;
import java.time.Duration;
import java.util.Map;

/// The variables of Spiderpool's controller, each read with its default and its rule. One that is empty counts as one
/// that is not set.
public record ControllerVariables(Map<String, String> environment) {

    private static final int SECONDS_MAX = 1_000_000;

    public ControllerVariables {
        environment = Map.copyOf(environment);
    }

    /// What is open or closed.
    ///
    /// @throws IllegalArgumentException if it is neither true nor false
    public Gate gate(String name, Gate absent) {
        var text = environment.getOrDefault(name, "");
        return switch (text) {
            case "" -> absent;
            case "1", "t", "T", "TRUE", "true", "True" -> Gate.OPEN;
            case "0", "f", "F", "FALSE", "false", "False" -> Gate.CLOSED;
            default ->
                throw new IllegalArgumentException(
                        "%s is '%s', which is neither true nor false; set it to true or false, or unset it (default %s)"
                                .formatted(name, text, absent == Gate.OPEN));
        };
    }

    /// A time in seconds.
    ///
    /// @throws IllegalArgumentException if it is not a whole number of seconds, or less than the least
    public Duration seconds(String name, int absent, int least) {
        return Duration.ofSeconds(number(name, absent, least, SECONDS_MAX, " of seconds"));
    }

    /// A number.
    ///
    /// @throws IllegalArgumentException if it is not a whole number between these, inclusive
    public int number(String name, int absent, int least, int most) {
        return number(name, absent, least, most, "");
    }

    private int number(String name, int absent, int least, int most, String unit) {
        var text = environment.getOrDefault(name, "");
        if (text.isEmpty()) {
            return absent;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number that is out of bounds.
        }
        throw new IllegalArgumentException(
                "%s is '%s', which is not a whole number%s from %d to %d; set it to one, or unset it (default %d)"
                        .formatted(name, text, unit, least, most, absent));
    }
}
