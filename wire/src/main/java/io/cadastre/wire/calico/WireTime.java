package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Fields;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Times as documents have them: RFC 3339, written in UTC and in whole seconds.
final class WireTime {

    private WireTime() {}

    static Optional<Instant> read(Fields reader, ObjectNode parent, String name) {
        var text = reader.text(parent, name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(text));
        } catch (DateTimeParseException _) {
            throw reader.wrong(name, "a time");
        }
    }

    /// @throws DateTimeParseException if it is not a time
    static Instant parse(String text) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
    }

    static String text(Instant time) {
        return DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS));
    }
}
