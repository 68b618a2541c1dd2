package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Keys;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/// How the resources of the API `projectcalico.org/v3` are laid out in JSON.
public final class CalicoResource {

    /// As documents have it.
    public static final String VERSION = "projectcalico.org/v3";

    public static final String METADATA = "metadata";
    public static final String SPEC = "spec";
    public static final String STATUS = "status";

    private static final String KIND = "kind";
    private static final String API_VERSION = "apiVersion";
    private static final String UID = "uid";
    private static final String CREATED = "creationTimestamp";
    private static final String LABELS = "labels";
    private static final String ANNOTATIONS = "annotations";

    private static final List<String> FIELDS = List.of(KIND, API_VERSION, METADATA, SPEC, STATUS);

    private static final List<String> METADATA_FIELDS =
            List.of("name", UID, CREATED, "deletionTimestamp", LABELS, ANNOTATIONS, "finalizers");

    private CalicoResource() {}

    /// A resource as the caller gave it, in the form in which it is stored for the first time.
    public static ObjectNode create(String kind, String name, ObjectNode given, UUID uid, Instant now) {
        var json = laidOut(kind, name, given);
        var metadata = object(json, METADATA);
        metadata.put(UID, uid.toString());
        metadata.put(CREATED, WireTime.text(now));
        json.set(METADATA, inOrder(metadata, METADATA_FIELDS));
        return json;
    }

    /// A resource as the caller gave it, in the form in which it replaces a stored one.
    public static ObjectNode replace(String kind, String name, ObjectNode given, ObjectNode stored) {
        var json = laidOut(kind, name, given);
        var metadata = object(json, METADATA);
        for (var kept : List.of(UID, CREATED)) {
            metadata.remove(kept);
            var value = stored.path(METADATA).path(kept);
            if (!value.isMissingNode()) {
                metadata.set(kept, value);
            }
        }
        json.set(METADATA, inOrder(metadata, METADATA_FIELDS));
        return json;
    }

    private static ObjectNode laidOut(String kind, String name, ObjectNode given) {
        var json = given.deepCopy();
        json.put(KIND, kind);
        json.put(API_VERSION, VERSION);
        var metadata = object(json, METADATA);
        metadata.put("name", name);
        for (var map : List.of(LABELS, ANNOTATIONS)) {
            if (metadata.get(map) instanceof ObjectNode object) {
                metadata.set(map, sorted(object));
            }
        }
        object(json, SPEC);
        return inOrder(json, FIELDS);
    }

    /// The object of this name in the parent, created if there is none.
    public static ObjectNode object(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }

    /// The same fields, those of the list first.
    static ObjectNode inOrder(ObjectNode object, List<String> order) {
        var ordered = Json.emptyObject();
        for (var name : order) {
            if (object.has(name)) {
                ordered.set(name, object.get(name));
            }
        }
        for (var field : object.properties()) {
            if (!ordered.has(field.getKey())) {
                ordered.set(field.getKey(), field.getValue());
            }
        }
        return ordered;
    }

    private static ObjectNode sorted(ObjectNode map) {
        var byBytes = new TreeMap<String, JsonNode>(Keys.ORDER);
        map.properties().forEach(field -> byBytes.put(field.getKey(), field.getValue()));
        var sorted = Json.emptyObject();
        byBytes.forEach(sorted::set);
        return sorted;
    }
}
