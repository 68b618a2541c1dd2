package io.cadastre.wire.calico;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/// Times as documents have them: RFC 3339, written in UTC and in whole seconds.
final class WireTime {

    private WireTime() {}

    /// @throws DateTimeParseException if it is not a time
    static Instant parse(String text) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
    }

    static String text(Instant time) {
        return DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS));
    }
}
