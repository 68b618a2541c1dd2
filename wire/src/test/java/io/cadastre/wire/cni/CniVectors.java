package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.datastore.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// What the reference code read and printed.
final class CniVectors {

    private CniVectors() {}

    static Bytes bytes(String resource) {
        try (var stream = Objects.requireNonNull(CniVectors.class.getResourceAsStream(resource))) {
            return Bytes.of(stream.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static JsonNode read(String resource) {
        return CniJson.read(bytes(resource));
    }

    static Map<String, String> texts(JsonNode object) {
        var texts = new TreeMap<String, String>();
        for (var field : object.properties()) {
            texts.put(field.getKey(), field.getValue().textValue());
        }
        return texts;
    }
}
