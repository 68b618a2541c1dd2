package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;

import java.util.ArrayList;
import java.util.List;

/// Reads the fields of one document as Go does, where a field that is missing or null has the empty
/// value of its type. A field of another type makes the document unreadable.
record Fields(String key) {

    ObjectNode object(ObjectNode parent, String name) {
        return switch (parent.path(name)) {
            case ObjectNode object -> object;
            case JsonNode missing when missing.isMissingNode() || missing.isNull() ->
                    Json.emptyObject();
            case JsonNode _ -> throw wrong(name, "an object");
        };
    }

    String text(ObjectNode parent, String name) {
        return text(parent.path(name), name);
    }

    List<String> texts(ObjectNode parent, String name) {
        var texts = new ArrayList<String>();
        for (var element : array(parent, name)) {
            texts.add(text(element, name));
        }
        return texts;
    }

    ArrayNode array(ObjectNode parent, String name) {
        return switch (parent.path(name)) {
            case ArrayNode array -> array;
            case JsonNode missing when missing.isMissingNode() || missing.isNull() ->
                    Json.emptyObject().arrayNode();
            case JsonNode _ -> throw wrong(name, "an array");
        };
    }

    /// A number that is not negative and fits into a `long`.
    long count(ObjectNode parent, String name) {
        var node = parent.path(name);
        try {
            long count =
                    node.isMissingNode() || node.isNull() ? 0 : Long.parseLong(node.toString());
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException _) {
            // Told below, as for a negative number.
        }
        throw wrong(name, "a whole number from 0 on");
    }

    void expect(ObjectNode parent, String name, String value) {
        var found = text(parent, name);
        if (!found.equals(value)) {
            throw new UnreadableDocumentException(
                    key, "its %s is '%s' and not '%s'".formatted(name, found, value));
        }
    }

    private String text(JsonNode node, String name) {
        if (node.isTextual()) {
            return node.textValue();
        }
        if (node.isMissingNode() || node.isNull()) {
            return "";
        }
        throw wrong(name, "text");
    }

    private UnreadableDocumentException wrong(String name, String expected) {
        return new UnreadableDocumentException(key, "its %s is not %s".formatted(name, expected));
    }
}
