package io.cadastre.wire.json;

import com.fasterxml.jackson.core.JsonProcessingException;

/// What is wrong with a text that is not JSON, and where.
public final class JsonFault {

    private JsonFault() {}

    /// On one line.
    public static String words(JsonProcessingException broken) {
        var place = broken.getLocation();
        var words = broken.getOriginalMessage().replaceAll("\\s+", " ");
        return place == null
                ? words
                : "%s (line %d, column %d)".formatted(words, place.getLineNr(), place.getColumnNr());
    }
}
