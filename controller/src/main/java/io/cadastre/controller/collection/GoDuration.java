package io.cadastre.controller.collection;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Durations as Go writes them, for example `15m0s`, `1h30m` or `0`.
public final class GoDuration {

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");

    private static final Pattern WHOLE = Pattern.compile("(?:(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:ns|us|µs|μs|ms|s|m|h))+");

    /// Longer than any useful duration, and short enough for the number to fit.
    private static final int CHARACTERS_MAX = 32;

    private GoDuration() {}

    /// The duration; empty if the text is not a duration, or a negative one, or one of centuries.
    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        if (text.length() > CHARACTERS_MAX || !WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        var nanos = BigDecimal.ZERO;
        var parts = PART.matcher(text);
        while (parts.find()) {
            nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit(parts.group(2))));
        }
        return nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                ? Optional.empty()
                : Optional.of(
                        Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact()));
    }

    private static BigDecimal unit(String name) {
        return BigDecimal.valueOf(
                switch (name) {
                    case "ns" -> 1L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 1_000L;
                });
    }
}
