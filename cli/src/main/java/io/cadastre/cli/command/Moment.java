package io.cadastre.cli.command;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/// A time as an operator types it: `2026-01-31T12:00:00Z`, or `90s`, `5m`, `2h`, `3d` for that long ago.
public final class Moment {

    private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");

    /// Before any entry.
    public static final Instant FIRST = Instant.EPOCH;

    /// After any entry.
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Moment() {}

    /// The moment that a text stands for.
    ///
    /// @throws IllegalArgumentException naming the text
    public static Instant parse(String text, Instant now) {
        var ago = AGO.matcher(text);
        try {
            if (ago.matches()) {
                long seconds = Long.parseLong(ago.group(1)) * seconds(ago.group(2));
                return inReach(now.minusSeconds(seconds));
            }
            return inReach(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(
                    "'%s' is not a time from 1970 to 9999; write one like 2026-01-31T12:00:00Z, or 2h for two hours ago"
                            .formatted(text),
                    malformed);
        }
    }

    /// A time span like `90s`, `5m`, `2h` or `3d`.
    ///
    /// @throws IllegalArgumentException naming the text
    public static Duration duration(String text) {
        var span = AGO.matcher(text);
        if (!span.matches() || Long.parseLong(span.group(1)) == 0) {
            throw new IllegalArgumentException("'%s' is not a duration; write one like 12h or 90d".formatted(text));
        }
        return Duration.ofSeconds(Long.parseLong(span.group(1)) * seconds(span.group(2)));
    }

    private static Instant inReach(Instant moment) {
        if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
            throw new DateTimeException("the time is out of range");
        }
        return moment;
    }

    private static long seconds(String unit) {
        return switch (unit) {
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3600;
            case "d" -> 86_400;
            default -> throw new IllegalStateException("no unit " + unit);
        };
    }
}
