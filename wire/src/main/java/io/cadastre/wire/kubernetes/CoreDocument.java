package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Set;

/// An object of the API as a document: it begins with what it is, and what only the server writes is left out.
///
/// A controller that starts reads every Node and every Pod, so the fields are copied as they stand. A tree of each
/// object, written anew, takes several times as long and gives the same bytes, since the server writes JSON without
/// blanks.
///
/// @param namespace empty if the object has none
/// @param name empty if the object has none
record CoreDocument(String namespace, String name, Bytes value) {

    private static final String METADATA = "metadata";

    /// Objects in lists do not say what they are, and others say it first.
    private static final Set<String> IDENTITY = Set.of("apiVersion", "kind");

    private static final Set<String> SERVERS_OWN = Set.of("resourceVersion", "managedFields");

    private static final JsonFactory LENIENT = new JsonFactory();

    /// Reads an object.
    ///
    /// @param identity the fields that say what it is
    /// @throws UnreadableDocumentException if it is not a JSON object
    static CoreDocument read(String kind, Bytes identity, Bytes object) {
        return Json.read(kind, object, (bytes, parser) -> new Copy(bytes, parser).document(identity));
    }

    /// An object that cannot be read, as it stands, under the name that it seems to have. What cannot be read is there
    /// all the same: taken for absent, what it holds would be free.
    ///
    /// @return a document without a name if the object names none
    static CoreDocument unreadable(Bytes object) {
        var found = new CoreDocument("", "", object);
        try (var parser = LENIENT.createParser(object.toByteArray())) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                // Ends: with the object.
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    boolean named = parser.currentName().equals(METADATA);
                    if (parser.nextToken() == JsonToken.START_OBJECT && named) {
                        found = named(parser, object);
                    } else {
                        parser.skipChildren();
                    }
                }
            }
            return found;
        } catch (IOException _) {
            return new CoreDocument("", "", object);
        }
    }

    private static CoreDocument named(JsonParser parser, Bytes object) throws IOException {
        var namespace = "";
        var name = "";
        // Ends: with the object.
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                switch (field) {
                    case "namespace" -> namespace = parser.getText();
                    case "name" -> name = parser.getText();
                    default -> {}
                }
            } else {
                parser.skipChildren();
            }
        }
        return new CoreDocument(namespace, name, object);
    }

    /// One pass over an object.
    private static final class Copy {

        private final byte[] object;
        private final JsonParser parser;
        private final ByteArrayOutputStream value;
        private String namespace = "";
        private String name = "";

        Copy(byte[] object, JsonParser parser) {
            this.object = object;
            this.parser = parser;
            this.value = new ByteArrayOutputStream(object.length);
        }

        CoreDocument document(Bytes identity) throws IOException {
            value.write('{');
            value.writeBytes(identity.toByteArray());
            // Ends: with the object, whose size is bounded.
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                int from = place();
                var field = parser.currentName();
                var token = parser.nextToken();
                if (field.equals(METADATA) && token == JsonToken.START_OBJECT) {
                    value.write(',');
                    copy(from, place() + 1);
                    copyMetadata();
                    value.write('}');
                } else if (IDENTITY.contains(field)) {
                    pass();
                } else {
                    value.write(',');
                    copy(from, pass());
                }
            }
            value.write('}');
            return new CoreDocument(namespace, name, Bytes.of(value.toByteArray()));
        }

        private void copyMetadata() throws IOException {
            boolean first = true;
            // Ends: with the object, whose size is bounded.
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                int from = place();
                var field = parser.currentName();
                var token = parser.nextToken();
                if (token == JsonToken.VALUE_STRING && field.equals("name")) {
                    name = parser.getText();
                } else if (token == JsonToken.VALUE_STRING && field.equals("namespace")) {
                    namespace = parser.getText();
                }
                int to = pass();
                if (!SERVERS_OWN.contains(field)) {
                    if (!first) {
                        value.write(',');
                    }
                    first = false;
                    copy(from, to);
                }
            }
        }

        /// Where the token at which the parser stands begins.
        private int place() {
            return (int) parser.currentTokenLocation().getByteOffset();
        }

        /// Passes over the value at whose beginning the parser stands, and returns where it ends.
        private int pass() throws IOException {
            parser.skipChildren();
            parser.finishToken();
            return (int) parser.currentLocation().getByteOffset();
        }

        private void copy(int from, int to) {
            value.write(object, from, to - from);
        }
    }
}
