package io.cadastre.wire.spiderpool.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

/// Objects as the API server writes them.
final class Trees {

    static final String METADATA = "metadata";
    static final String SPEC = "spec";
    static final String STATUS = "status";
    static final String FINALIZER = "spiderpool.spidernet.io";

    private Trees() {}

    /// The value with the fields of all its objects in the order of their names.
    static JsonNode sorted(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> sorted(object);
            case ArrayNode array -> {
                var sorted = array.arrayNode();
                array.forEach(element -> sorted.add(sorted(element)));
                yield sorted;
            }
            case JsonNode other -> other;
        };
    }

    static ObjectNode sorted(ObjectNode object) {
        var fields = new TreeMap<String, JsonNode>();
        object.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
        var sorted = Json.emptyObject();
        fields.forEach(sorted::set);
        return sorted;
    }

    /// The object of this name in a tree, which is made if it is not there.
    static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode present ? present : parent.putObject(name);
    }

    static String time(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /// The object with a note that its deletion has begun.
    static Bytes ending(ObjectNode object, Instant now) {
        child(object, METADATA).put("deletionGracePeriodSeconds", 0).put("deletionTimestamp", time(now));
        return Json.write(sorted(object));
    }

    static boolean terminating(ObjectNode object) {
        return object.path(METADATA).hasNonNull("deletionTimestamp");
    }
}
