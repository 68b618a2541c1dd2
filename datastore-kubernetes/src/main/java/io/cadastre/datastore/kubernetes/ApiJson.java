package io.cadastre.datastore.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What of the API's JSON concerns every object, whatever its kind.
///
/// Objects are cut out of lists and events as they stand and never written anew: a number beyond what a
/// `double` or a `long` can hold passes as the digits it is.
final class ApiJson {

    private static final String STATUS = "status";

    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private ApiJson() {}

    /// What the store reads of an object's metadata.
    record Metadata(String namespace, String name, String uid, long revision) {}

    /// One page of a list.
    ///
    /// @param next what to continue with; empty on the last page
    record Page(long revision, String next, List<Item> items) {}

    /// An object of a list, as it stands there.
    record Item(Metadata metadata, Bytes object) {}

    /// One line of a watch.
    record Event(String type, Bytes object) {}

    /// What the server says of a request that it did not do.
    ///
    /// @param reason a word for programs, such as `AlreadyExists`; empty if the answer is not a status
    /// @param name the object it is about; empty if it is about none
    record Status(int code, String reason, String message, String name) {}

    static Metadata metadata(Bytes object) {
        return parse(object.toByteArray(), (_, parser) -> readObject(parser));
    }

    /// Reads the object in which the parser stands to its end.
    private static Metadata readObject(JsonParser parser) throws IOException {
        var found = new Metadata("", "", "", -1);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean own = parser.currentName().equals("metadata");
            var token = parser.nextToken();
            if (own && token == JsonToken.START_OBJECT) {
                found = readMetadata(parser);
            } else {
                parser.skipChildren();
            }
        }
        if (found.revision < 0) {
            throw new DatastoreException(Kind.CORRUPT, "an object of the Kubernetes API has no resource version");
        }
        return found;
    }

    private static Metadata readMetadata(JsonParser parser) throws IOException {
        var namespace = "";
        var name = "";
        var uid = "";
        long revision = -1;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            var token = parser.nextToken();
            if (token != JsonToken.VALUE_STRING) {
                parser.skipChildren();
                continue;
            }
            switch (field) {
                case "namespace" -> namespace = parser.getText();
                case "name" -> name = parser.getText();
                case "uid" -> uid = parser.getText();
                case "resourceVersion" -> revision = revision(parser.getText());
                default -> {}
            }
        }
        return new Metadata(namespace, name, uid, revision);
    }

    static Page page(Bytes list) {
        return parse(list.toByteArray(), (bytes, parser) -> {
            long revision = -1;
            var next = "";
            var items = new ArrayList<Item>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var field = parser.currentName();
                var token = parser.nextToken();
                if (field.equals("metadata") && token == JsonToken.START_OBJECT) {
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        var inner = parser.currentName();
                        parser.nextToken();
                        switch (inner) {
                            case "resourceVersion" -> revision = revision(parser.getText());
                            case "continue" -> next = parser.getText();
                            default -> parser.skipChildren();
                        }
                    }
                } else if (field.equals("items") && token == JsonToken.START_ARRAY) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        int from = beginning(parser);
                        var metadata = readObject(parser);
                        items.add(new Item(metadata, Bytes.of(bytes, from, end(parser))));
                    }
                } else {
                    parser.skipChildren();
                }
            }
            if (revision < 0) {
                throw new DatastoreException(Kind.CORRUPT, "a list of the Kubernetes API has no resource version");
            }
            return new Page(revision, next, items);
        });
    }

    /// A patch that the server refuses if the object is at another revision.
    static Bytes withRevision(Bytes patch, long revision) {
        try {
            var object = (ObjectNode) MAPPER.readTree(patch.toByteArray());
            object.withObject("/metadata").put("resourceVersion", Long.toString(revision));
            return Bytes.of(MAPPER.writeValueAsBytes(object));
        } catch (IOException | ClassCastException malformed) {
            throw new IllegalArgumentException("a patch is a JSON object: " + patch, malformed);
        }
    }

    /// What of an object a new form of it changes.
    enum Change {
        NOTHING,
        STATUS,
        REST,
        BOTH
    }

    /// A form without a status leaves the status as it is.
    static Change change(Bytes before, Bytes after) {
        var old = tree(before);
        var fresh = tree(after);
        var oldStatus = old.remove(STATUS);
        var freshStatus = fresh.remove(STATUS);
        boolean status = freshStatus != null && !freshStatus.equals(oldStatus);
        boolean rest = !fresh.equals(old);
        if (status) {
            return rest ? Change.BOTH : Change.STATUS;
        }
        return rest ? Change.REST : Change.NOTHING;
    }

    static boolean hasStatus(Bytes object) {
        return tree(object).has(STATUS);
    }

    /// How far the deletion of an object has come.
    ///
    /// @param begun whether the server has noted it
    /// @param finalizers what keeps the object
    record Ending(boolean begun, List<String> finalizers) {}

    /// Of an answer that is no object, that nothing has begun.
    static Ending ending(Bytes object) {
        var metadata = tree(object).path("metadata");
        var finalizers = new ArrayList<String>();
        metadata.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
        return new Ending(metadata.hasNonNull("deletionTimestamp"), finalizers);
    }

    /// A merge patch after which an object has these finalizers.
    static Bytes finalizersPatch(List<String> finalizers) {
        var patch = MAPPER.createObjectNode();
        var array = patch.putObject("metadata").putArray("finalizers");
        finalizers.forEach(array::add);
        return Bytes.ofUtf8(patch.toString());
    }

    private static ObjectNode tree(Bytes object) {
        try {
            return (ObjectNode) MAPPER.readTree(object.toByteArray());
        } catch (IOException | ClassCastException malformed) {
            throw new DatastoreException(
                    Kind.CORRUPT, "an object of the Kubernetes API is not a JSON object", malformed);
        }
    }

    /// The names in a list of groups.
    static SortedSet<String> groups(Bytes list) {
        return parse(list.toByteArray(), (_, parser) -> {
            var names = new TreeSet<String>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var field = parser.currentName();
                var token = parser.nextToken();
                if (field.equals("groups") && token == JsonToken.START_ARRAY) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        names.add(readName(parser));
                    }
                } else {
                    parser.skipChildren();
                }
            }
            return names;
        });
    }

    static Event event(byte[] line) {
        return parse(line, (bytes, parser) -> {
            var type = "";
            var object = Bytes.of(new byte[0]);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var field = parser.currentName();
                var token = parser.nextToken();
                if (field.equals("type")) {
                    type = parser.getText();
                } else if (field.equals("object") && token == JsonToken.START_OBJECT) {
                    object = cut(bytes, parser);
                } else {
                    parser.skipChildren();
                }
            }
            return new Event(type, object);
        });
    }

    /// A status, or the text of an answer that is not a status.
    static Status status(int code, Bytes body) {
        try {
            return parse(body.toByteArray(), (_, parser) -> readStatus(code, parser));
        } catch (DatastoreException notJson) {
            var words = body.utf8().strip();
            return new Status(code, "", words.substring(0, Math.min(200, words.length())), "");
        }
    }

    private static Status readStatus(int code, JsonParser parser) throws IOException {
        var kind = "";
        var reason = "";
        var message = "";
        var name = "";
        int codeSaid = code;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            var token = parser.nextToken();
            switch (field) {
                case "kind" -> kind = parser.getText();
                case "reason" -> reason = parser.getText();
                case "message" -> message = parser.getText();
                case "code" -> codeSaid = token == JsonToken.VALUE_NUMBER_INT ? parser.getIntValue() : code;
                case "details" -> {
                    if (token == JsonToken.START_OBJECT) {
                        name = readName(parser);
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return kind.equals("Status") ? new Status(codeSaid, reason, message, name) : new Status(code, "", "", "");
    }

    private static String readName(JsonParser parser) throws IOException {
        var name = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var field = parser.currentName();
            parser.nextToken();
            if (field.equals("name")) {
                name = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
        return name;
    }

    /// The bytes of the object at whose beginning the parser stands.
    private static Bytes cut(byte[] bytes, JsonParser parser) throws IOException {
        int from = beginning(parser);
        parser.skipChildren();
        return Bytes.of(bytes, from, end(parser));
    }

    /// Where the token at which the parser stands begins.
    private static int beginning(JsonParser parser) {
        return (int) parser.currentTokenLocation().getByteOffset();
    }

    /// How far the parser has come.
    private static int end(JsonParser parser) {
        return (int) parser.currentLocation().getByteOffset();
    }

    private static long revision(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw new DatastoreException(
                    Kind.CORRUPT, "the resource version '%s' is not a number".formatted(text), notANumber);
        }
    }

    private static <T> T parse(byte[] bytes, Reading<T> reading) {
        try (var parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new DatastoreException(Kind.CORRUPT, "an answer of the Kubernetes API is not a JSON object");
            }
            return reading.read(bytes, parser);
        } catch (IOException malformed) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "an answer of the Kubernetes API is malformed: %s".formatted(malformed.getMessage()),
                    malformed);
        }
    }

    @FunctionalInterface
    private interface Reading<T> {
        T read(byte[] bytes, JsonParser parser) throws IOException;
    }
}
