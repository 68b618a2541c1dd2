package io.cadastre.wire.cni;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.GoJson;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.TreeMap;

/// JSON as the programs around CNI read and write it.
///
/// It differs from [io.cadastre.wire.json.Json] in what is accepted: of a field that occurs twice the last
/// value counts, bytes that are not UTF-8 become replacement characters, and a document may be any value.
/// Numbers keep their spelling here too: the reference code passes `9007199254740993` on as
/// `9007199254740992`.
public final class CniJson {

    /// More than any configuration with its previous result and attachments has.
    public static final int BYTES_MAX = 4 * 1024 * 1024;

    static final int DEPTH_MAX = GoJson.DEPTH_MAX;
    private static final int INDENT_BLANKS = 4;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private CniJson() {}

    /// Reads one JSON value.
    ///
    /// @throws CniException with code 6 if it is not one, is too large, or is followed by something
    public static JsonNode read(Bytes document) {
        if (document.size() > BYTES_MAX) {
            throw unreadable("it has %d bytes, more than %d".formatted(document.size(), BYTES_MAX));
        }
        try {
            return GoJson.read("a document of CNI", document.utf8());
        } catch (UnreadableDocumentException broken) {
            throw unreadable(broken.fault());
        }
    }

    private static CniException unreadable(String why) {
        return new CniException(CniCode.DECODING_FAILURE, why);
    }

    /// The kind of a value in the words of Go's messages.
    public static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER, POJO -> "number";
            case NULL, MISSING -> "null";
            case BINARY -> throw new IllegalStateException("no JSON value is binary");
        };
    }

    /// The same value with the fields of every object in alphabetical order.
    public static JsonNode sorted(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                var fields = new TreeMap<String, JsonNode>();
                object.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
                yield NODES.objectNode().setAll(fields);
            }
            case ArrayNode array -> {
                var elements = NODES.arrayNode();
                array.forEach(element -> elements.add(sorted(element)));
                yield elements;
            }
            default -> value;
        };
    }

    /// On one line without blanks, and without a line end.
    public static String compact(JsonNode value) {
        var text = new StringBuilder();
        print(text, value, "", "", ":");
        return text.toString();
    }

    /// With indents of four blanks, and without a line end.
    public static String pretty(JsonNode value) {
        var text = new StringBuilder();
        print(text, value, "\n", " ".repeat(INDENT_BLANKS), ": ");
        return text.toString();
    }

    private static void print(StringBuilder text, JsonNode value, String lineStart, String indent, String colon) {
        switch (value) {
            case ObjectNode object
            when !object.isEmpty() -> {
                char before = '{';
                for (var field : object.properties()) {
                    text.append(before).append(lineStart).append(indent);
                    quote(text, field.getKey());
                    text.append(colon);
                    print(text, field.getValue(), deeper(lineStart, indent), indent, colon);
                    before = ',';
                }
                text.append(lineStart).append('}');
            }
            case ArrayNode array
            when !array.isEmpty() -> {
                char before = '[';
                for (var element : array) {
                    text.append(before).append(lineStart).append(indent);
                    print(text, element, deeper(lineStart, indent), indent, colon);
                    before = ',';
                }
                text.append(lineStart).append(']');
            }
            default -> {
                if (value.isTextual()) {
                    quote(text, value.textValue());
                } else {
                    text.append(value);
                }
            }
        }
    }

    private static String deeper(String lineStart, String indent) {
        return lineStart + indent;
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        value.codePoints().forEach(c -> append(text, c));
        text.append('"');
    }

    /// Go keeps the marks of HTML and the two line separators of Unicode out of its output.
    private static void append(StringBuilder text, int c) {
        switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\b' -> text.append("\\b");
            case '\f' -> text.append("\\f");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            case '<', '>', '&', 0x2028, 0x2029 -> text.append("\\u%04x".formatted(c));
            default -> {
                if (c < ' ') {
                    text.append("\\u%04x".formatted(c));
                } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                    text.append("\\ufffd");
                } else {
                    text.appendCodePoint(c);
                }
            }
        }
    }
}
