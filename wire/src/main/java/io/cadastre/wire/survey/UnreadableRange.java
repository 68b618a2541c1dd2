package io.cadastre.wire.survey;

import io.cadastre.engine.Because;
import io.cadastre.wire.json.UnreadableDocumentException;

/// A document of one dialect cannot be read. Its own decisions wait until it is repaired; those of the
/// others go on, and report that they were not compared with it.
///
/// @param fault names the document
public record UnreadableRange(String fault) implements Because {

    static UnreadableRange of(UnreadableDocumentException unreadable) {
        return new UnreadableRange(String.valueOf(unreadable.getMessage()));
    }

    @Override
    public String sentence() {
        return "%s; whether what it holds overlaps ranges of other dialects is unknown until it is repaired"
                .formatted(fault);
    }
}
