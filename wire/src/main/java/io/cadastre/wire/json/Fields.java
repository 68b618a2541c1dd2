package io.cadastre.wire.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads the fields of one document as Go does, where a field that is missing or null has the empty
/// value of its type. A field of another type makes the document unreadable.
public record Fields(String key) {

    /// What becomes of an entry of an array of objects that is not an object.
    public enum NonObjects {
        /// The document is unreadable.
        REFUSED,
        /// It counts as an object without fields.
        EMPTY
    }

    public ObjectNode object(ObjectNode parent, String name) {
        return switch (parent.path(name)) {
            case ObjectNode object -> object;
            case JsonNode missing when absent(missing) -> Json.emptyObject();
            case JsonNode _ -> throw wrong(name, "an object");
        };
    }

    public String text(ObjectNode parent, String name) {
        return text(parent.path(name), name);
    }

    public List<String> texts(ObjectNode parent, String name) {
        var texts = new ArrayList<String>();
        for (var element : array(parent, name)) {
            texts.add(text(element, name));
        }
        return texts;
    }

    public ArrayNode array(ObjectNode parent, String name) {
        return switch (parent.path(name)) {
            case ArrayNode array -> array;
            case JsonNode missing when absent(missing) -> Json.emptyObject().arrayNode();
            case JsonNode _ -> throw wrong(name, "an array");
        };
    }

    /// The entries of an array of objects.
    public List<ObjectNode> objects(ObjectNode parent, String name, NonObjects nonObjects) {
        var objects = new ArrayList<ObjectNode>();
        for (var element : array(parent, name)) {
            if (element instanceof ObjectNode object) {
                objects.add(object);
            } else if (nonObjects == NonObjects.EMPTY) {
                objects.add(Json.emptyObject());
            } else {
                throw wrong(name, "an array of objects");
            }
        }
        return objects;
    }

    /// A time as in RFC 3339; empty if there is none.
    public Optional<Instant> findTime(ObjectNode parent, String name) {
        var text = text(parent, name);
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException _) {
            throw wrong(name, "a time");
        }
    }

    /// A number that is not negative and fits into a `long`; empty if there is none.
    public OptionalLong findCount(ObjectNode parent, String name) {
        return absent(parent.path(name)) ? OptionalLong.empty() : OptionalLong.of(count(parent, name));
    }

    /// A number that is not negative and fits into a `long`.
    public long count(ObjectNode parent, String name) {
        var node = parent.path(name);
        try {
            long count = absent(node) ? 0 : Long.parseLong(node.toString());
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException _) {
            // Reported below, as for a negative number.
        }
        throw wrong(name, "a whole number from 0 on");
    }

    /// A whole number that fits into an `int`.
    public int integer(JsonNode node, String name) {
        try {
            return absent(node) ? 0 : Integer.parseInt(node.toString());
        } catch (NumberFormatException _) {
            throw wrong(name, "a whole number of 32 bits");
        }
    }

    /// A whole number that fits into a `long`.
    public long number(JsonNode node, String name) {
        try {
            return absent(node) ? 0 : Long.parseLong(node.toString());
        } catch (NumberFormatException _) {
            throw wrong(name, "a whole number of 64 bits");
        }
    }

    /// A whole number from 0 on of up to 64 bits, as the bits of a `long`.
    public long unsigned(JsonNode node, String name) {
        try {
            return absent(node) ? 0 : Long.parseUnsignedLong(node.toString());
        } catch (NumberFormatException _) {
            throw wrong(name, "a whole number of 64 bits from 0 on");
        }
    }

    public boolean flag(ObjectNode parent, String name) {
        var node = parent.path(name);
        if (!absent(node) && !node.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return node.asBoolean(false);
    }

    /// An object whose fields are all text, sorted by name.
    public SortedMap<String, String> textMap(ObjectNode parent, String name) {
        var map = new TreeMap<String, String>();
        for (var field : object(parent, name).properties()) {
            map.put(field.getKey(), text(field.getValue(), name));
        }
        return map;
    }

    public void expect(ObjectNode parent, String name, String value) {
        var found = text(parent, name);
        if (!found.equals(value)) {
            throw new UnreadableDocumentException(key, "its %s is '%s' and not '%s'".formatted(name, found, value));
        }
    }

    public static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private String text(JsonNode node, String name) {
        if (node.isTextual()) {
            return node.textValue();
        }
        if (absent(node)) {
            return "";
        }
        throw wrong(name, "text");
    }

    public UnreadableDocumentException wrong(String name, String expected) {
        return new UnreadableDocumentException(key, "its %s is not %s".formatted(name, expected));
    }
}
