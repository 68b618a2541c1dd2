package io.cadastre.wire.json;

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
import java.io.IOException;
import java.io.UncheckedIOException;

/// Reads JSON as Go's decoder does: a document may be any value, and of a field that occurs twice the last
/// value counts. Numbers keep their spelling.
///
/// [Json] is stricter, for documents that several programs write.
public final class GoJson {

    /// How deep values may be nested.
    public static final int DEPTH_MAX = 128;

    private static final int NUMBER_CHARACTERS_MAX = 1000;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    // The caller has the whole text already.
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    // Our own bound is met first, and has better words.
                    .maxNestingDepth(DEPTH_MAX + 1)
                    .maxNumberLength(NUMBER_CHARACTERS_MAX)
                    .build())
            .build();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private GoJson() {}

    /// Reads one JSON value.
    ///
    /// @throws UnreadableDocumentException if it is not one, or is followed by something, naming the key
    public static JsonNode read(String key, String text) {
        if (text.startsWith(BYTE_ORDER_MARK)) {
            throw new UnreadableDocumentException(key, "invalid character '\\ufeff' looking for beginning of value");
        }
        try (var parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new UnreadableDocumentException(key, "unexpected end of JSON input");
            }
            var value = readValue(key, parser, 0);
            if (parser.nextToken() != null) {
                throw new UnreadableDocumentException(key, "something follows after the top-level value");
            }
            return value;
        } catch (JsonEOFException ended) {
            throw new UnreadableDocumentException(key, "unexpected end of JSON input", ended);
        } catch (JsonProcessingException broken) {
            throw new UnreadableDocumentException(key, JsonFault.words(broken), broken);
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    /// Goes as deep as the document, which is bounded.
    private static JsonNode readValue(String key, JsonParser parser, int depth) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readFields(key, parser, deeper(key, depth));
            case START_ARRAY -> readElements(key, parser, deeper(key, depth));
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.rawValueNode(new RawValue(parser.getText()));
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case NOT_AVAILABLE, FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no JSON value starts with " + parser.currentToken());
        };
    }

    private static int deeper(String key, int depth) {
        if (depth == DEPTH_MAX) {
            throw new UnreadableDocumentException(key, "it is nested more than %d deep".formatted(DEPTH_MAX));
        }
        return depth + 1;
    }

    private static ObjectNode readFields(String key, JsonParser parser, int depth) throws IOException {
        var object = NODES.objectNode();
        // Ends: with the document, whose size is bounded.
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            // Removed first, so that the order of fields is that of their last mention.
            object.remove(name);
            object.set(name, readValue(key, parser, depth));
        }
        return object;
    }

    private static ArrayNode readElements(String key, JsonParser parser, int depth) throws IOException {
        var array = NODES.arrayNode();
        // Ends: with the document, whose size is bounded.
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(readValue(key, parser, depth));
        }
        return array;
    }
}
