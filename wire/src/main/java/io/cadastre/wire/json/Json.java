package io.cadastre.wire.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Reads and writes JSON objects.
///
/// What was read and left alone is written as it was: fields keep their order, and numbers keep their
/// spelling, which no number type of Java would (`1e5`, `-0`, `1.10`). Text is written with Go's
/// escapes. So a compact document that a Go program wrote comes back byte for byte.
///
/// Reading is bounded, since any client with access to the store may have written a document. A field that
/// occurs twice is an error: readers would disagree on which one counts.
public final class Json {

    /// An API server serves objects that are several times as large in JSON as what it stores of them.
    public static final int DOCUMENT_BYTES_MAX = 8 * Datastore.VALUE_BYTES_MAX;

    private static final int DEPTH_MAX = 64;
    private static final int NUMBER_CHARACTERS_MAX = 100;
    private static final int NAME_CHARACTERS_MAX = 4096;

    private static final int REPLACEMENT = 0xfffd;

    /// A message may hold a stored object and the one that takes its place.
    public static final int MESSAGE_BYTES_MAX = 4 * Datastore.VALUE_BYTES_MAX;

    private static final StreamReadConstraints BOUNDS = bounds(DOCUMENT_BYTES_MAX);

    private static final JsonFactory FACTORY = factory(BOUNDS);

    private static final JsonFactory MESSAGE_FACTORY = factory(bounds(MESSAGE_BYTES_MAX));

    private static final JsonFactory LENIENT_FACTORY = new JsonFactoryBuilder()
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(BOUNDS)
            .build();

    private static final JsonMapper MAPPER = new JsonMapper(FACTORY);

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {}

    private static StreamReadConstraints bounds(int bytesMax) {
        return StreamReadConstraints.builder()
                .maxDocumentLength(bytesMax)
                .maxStringLength(bytesMax)
                .maxNestingDepth(DEPTH_MAX)
                .maxNumberLength(NUMBER_CHARACTERS_MAX)
                .maxNameLength(NAME_CHARACTERS_MAX)
                .build();
    }

    private static JsonFactory factory(StreamReadConstraints bounds) {
        return new JsonFactoryBuilder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
                .streamReadConstraints(bounds)
                .characterEscapes(new GoEscapes())
                .build();
    }

    public static ObjectNode emptyObject() {
        return NODES.objectNode();
    }

    /// What writes a value piece by piece.
    @FunctionalInterface
    public interface Writing {
        void write(JsonGenerator generator) throws IOException;
    }

    /// What reads an object to its end.
    @FunctionalInterface
    public interface Reading<T> {

        /// Reads the object.
        ///
        /// @param bytes the whole document, which is not to be changed
        /// @param parser stands at the beginning of the object
        T read(byte[] bytes, JsonParser parser) throws IOException;
    }

    /// Reads a document that is one JSON object.
    ///
    /// @throws UnreadableDocumentException if it is not, naming the key
    public static ObjectNode readObject(String key, Bytes document) {
        return readObject(key, document, FieldSelection.WHOLE);
    }

    /// Reads some fields of a document that is one JSON object. What is wanted of a field that is not an object is
    /// the whole; the fields that are not wanted must be JSON.
    ///
    /// @throws UnreadableDocumentException if it is not, naming the key
    public static ObjectNode readObject(String key, Bytes document, FieldSelection wanted) {
        return read(key, document, (_, parser) -> readFields(parser, wanted));
    }

    /// Reads a document that is one JSON object token by token.
    ///
    /// @throws UnreadableDocumentException if it is not, naming the key
    public static <T> T read(String key, Bytes document, Reading<T> reading) {
        return read(key, document, FACTORY, DOCUMENT_BYTES_MAX, reading);
    }

    /// Reads a message that is one JSON object, of at most [#MESSAGE_BYTES_MAX] bytes.
    ///
    /// @throws UnreadableDocumentException if it is not, with this name
    public static ObjectNode readMessage(String name, Bytes message) {
        return read(
                name,
                message,
                MESSAGE_FACTORY,
                MESSAGE_BYTES_MAX,
                (_, parser) -> readFields(parser, FieldSelection.WHOLE));
    }

    private static <T> T read(String key, Bytes document, JsonFactory factory, int bytesMax, Reading<T> reading) {
        if (document.size() > bytesMax) {
            throw new UnreadableDocumentException(
                    key, "it has %d bytes, more than %d".formatted(document.size(), bytesMax));
        }
        var bytes = document.toByteArray();
        try (var parser = factory.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UnreadableDocumentException(key, "it is not a JSON object");
            }
            var read = reading.read(bytes, parser);
            if (parser.nextToken() != null) {
                throw new UnreadableDocumentException(key, "something follows the JSON object");
            }
            return read;
        } catch (JsonProcessingException broken) {
            throw new UnreadableDocumentException(key, "it is not JSON: " + JsonFault.words(broken), broken);
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    /// Reads any one JSON value as Go's decoder does: of a field that occurs twice the last value counts. For
    /// what users write into the text of another document.
    ///
    /// @throws UnreadableDocumentException if it is not one, or is followed by something, naming the key
    public static JsonNode readAnyValue(String key, String text) {
        try (var parser = LENIENT_FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new UnreadableDocumentException(key, "it is not JSON: it is empty");
            }
            var value = readValue(parser, FieldSelection.WHOLE);
            if (parser.nextToken() != null) {
                throw new UnreadableDocumentException(key, "something follows the JSON value");
            }
            return value;
        } catch (JsonProcessingException broken) {
            throw new UnreadableDocumentException(key, "it is not JSON: " + JsonFault.words(broken), broken);
        } catch (IOException impossible) {
            throw new UncheckedIOException("reading from memory failed", impossible);
        }
    }

    private static ObjectNode readFields(JsonParser parser, FieldSelection wanted) throws IOException {
        var object = NODES.objectNode();
        // Ends: with the document, whose size is bounded.
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            var inner = wanted.of(name);
            parser.nextToken();
            if (inner.isPresent()) {
                // Removed first, so that the order of fields is that of their last mention.
                object.remove(name);
                object.set(name, readValue(parser, inner.get()));
            } else {
                parser.skipChildren();
            }
        }
        return object;
    }

    /// Goes as deep as the document, which is bounded.
    private static JsonNode readValue(JsonParser parser, FieldSelection wanted) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readFields(parser, wanted);
            case START_ARRAY -> {
                var array = NODES.arrayNode();
                // Ends: with the document, whose size is bounded.
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(readValue(parser, FieldSelection.WHOLE));
                }
                yield array;
            }
            case VALUE_STRING -> NODES.textNode(wellFormed(parser.getText()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.rawValueNode(new RawValue(parser.getText()));
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            case NOT_AVAILABLE, FIELD_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no JSON value starts with " + parser.currentToken());
        };
    }

    /// The text with half surrogate pairs replaced, as Go does when it reads or writes them: they have no UTF-8.
    public static String wellFormed(String text) {
        if (!hasSurrogates(text) || text.codePoints().noneMatch(Json::isHalfPair)) {
            return text;
        }
        var repaired = new StringBuilder(text.length());
        text.codePoints().forEach(c -> repaired.appendCodePoint(isHalfPair(c) ? REPLACEMENT : c));
        return repaired.toString();
    }

    private static boolean hasSurrogates(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isHalfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /// Writes without blanks and without a line end.
    public static Bytes write(JsonNode value) {
        try {
            return Bytes.of(MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of JSON cannot be written", impossible);
        }
    }

    /// Writes without blanks, without a line end and without a tree in between. For documents that are written
    /// all the time: that no name occurs twice is not checked.
    ///
    /// @param bytesExpected how many bytes it may come to; more are possible
    public static Bytes write(int bytesExpected, Writing writing) {
        var bytes = new ByteArrayBuilder(bytesExpected);
        try (var generator = MAPPER.createGenerator(bytes)) {
            generator.disable(JsonGenerator.Feature.STRICT_DUPLICATE_DETECTION);
            writing.write(generator);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory failed", impossible);
        }
        return Bytes.of(bytes.toByteArray());
    }
}
