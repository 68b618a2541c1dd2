package io.cadastre.wire.cni;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.JsonFault;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    static final int DEPTH_MAX = 128;
    private static final int NUMBER_CHARACTERS_MAX = 1000;
    private static final int INDENT_BLANKS = 4;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(BYTES_MAX)
                    .maxNameLength(BYTES_MAX)
                    // Our own bound is met first, and has better words.
                    .maxNestingDepth(DEPTH_MAX + 1)
                    .maxNumberLength(NUMBER_CHARACTERS_MAX)
                    .build())
            .build();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private CniJson() {}

    /// Reads one JSON value.
    ///
    /// @throws CniException with code 6 if it is not one, is too large, or is followed by something
    public static JsonNode read(Bytes document) {
        if (document.size() > BYTES_MAX) {
            throw unreadable("it has %d bytes, more than %d".formatted(document.size(), BYTES_MAX));
        }
        var text = document.utf8();
        if (text.startsWith(BYTE_ORDER_MARK)) {
            throw unreadable("invalid character '\\ufeff' looking for beginning of value");
        }
        try (var parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw unreadable("unexpected end of JSON input");
            }
            var value = readValue(parser, 0);
            if (parser.nextToken() != null) {
                throw unreadable("something follows after the top-level value");
            }
            return value;
        } catch (JsonEOFException _) {
            throw unreadable("unexpected end of JSON input");
        } catch (JsonProcessingException broken) {
            throw unreadable(JsonFault.words(broken));
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    private static CniException unreadable(String why) {
        return new CniException(CniCode.DECODING_FAILURE, why);
    }

    /// Goes as deep as the document, which is bounded.
    private static JsonNode readValue(JsonParser parser, int depth) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readFields(parser, deeper(depth));
            case START_ARRAY -> readElements(parser, deeper(depth));
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.rawValueNode(new RawValue(parser.getText()));
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case NOT_AVAILABLE, FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no JSON value starts with " + parser.currentToken());
        };
    }

    private static int deeper(int depth) {
        if (depth == DEPTH_MAX) {
            throw unreadable("it is nested more than %d deep".formatted(DEPTH_MAX));
        }
        return depth + 1;
    }

    private static ObjectNode readFields(JsonParser parser, int depth) throws IOException {
        var object = NODES.objectNode();
        // Ends: with the document, whose size is bounded.
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            // Removed first, so that the order of fields is that of their last mention.
            object.remove(name);
            object.set(name, readValue(parser, depth));
        }
        return object;
    }

    private static ArrayNode readElements(JsonParser parser, int depth) throws IOException {
        var array = NODES.arrayNode();
        // Ends: with the document, whose size is bounded.
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(readValue(parser, depth));
        }
        return array;
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
