package io.cadastre.wire.spiderpool.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import org.jspecify.annotations.Nullable;

/// The difference of two objects as a JSON Patch (RFC 6902). Lists and other values that differ are replaced as a
/// whole.
final class JsonPatch {

    private JsonPatch() {}

    /// What makes the one from the other.
    static Bytes between(ObjectNode before, ObjectNode after) {
        var operations = Json.emptyObject().arrayNode();
        compare("", before, after, operations);
        return Json.write(operations);
    }

    /// Goes as deep as the objects, which is bounded.
    private static void compare(String path, ObjectNode before, ObjectNode after, ArrayNode operations) {
        for (var field : before.properties()) {
            if (!after.has(field.getKey())) {
                operations.addObject().put("op", "remove").put("path", path(path, field.getKey()));
            }
        }
        for (var field : after.properties()) {
            var inner = path(path, field.getKey());
            if (before.get(field.getKey()) instanceof ObjectNode former && field.getValue() instanceof ObjectNode now) {
                compare(inner, former, now, operations);
            } else if (!same(before.get(field.getKey()), field.getValue())) {
                // Takes the place of a value that is there.
                operations.addObject().put("op", "add").put("path", inner).set("value", field.getValue());
            }
        }
    }

    /// By what is written: a number that was read and one that was made may be of two types.
    private static boolean same(@Nullable JsonNode before, JsonNode after) {
        return before != null && before.toString().equals(after.toString());
    }

    private static String path(String path, String field) {
        return path + "/" + field.replace("~", "~0").replace("/", "~1");
    }
}
