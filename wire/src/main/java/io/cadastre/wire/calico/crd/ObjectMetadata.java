package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.wire.json.Json;

/// What all objects have in common.
final class ObjectMetadata {

    static final String METADATA = "metadata";
    static final String SPEC = "spec";
    static final String STATUS = "status";
    static final String NAME = "name";
    static final String LABELS = "labels";
    static final String ANNOTATIONS = "annotations";
    static final String DELETED = "deleted";

    /// Where objects of the older group carry the metadata that users see.
    static final String CARRIED = "projectcalico.org/metadata";

    private ObjectMetadata() {}

    static ApiResource resource(ApiGroup group, String plural, String kind, Removal removal) {
        return new ApiResource(group.group(), group.version(), plural, kind, Reach.CLUSTER, removal);
    }

    static ObjectNode named(ApiResource resource, String name) {
        var object = Json.emptyObject();
        object.put(
                "apiVersion",
                resource.group().isEmpty() ? resource.version() : resource.group() + "/" + resource.version());
        object.put("kind", resource.kind());
        object.putObject(METADATA).put(NAME, name);
        return object;
    }

    static String name(ObjectNode object) {
        return object.path(METADATA).path(NAME).asText();
    }

    /// The object of this name in the parent, created if there is none.
    static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode child ? child : parent.putObject(name);
    }

    /// The object of this name in the parent, or an empty one.
    static ObjectNode childOrEmpty(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode child ? child : Json.emptyObject();
    }

    /// Objects of the older group say it as text.
    static boolean isDeleted(ObjectNode object) {
        return object.path(SPEC).path(DELETED).asText().equals("true");
    }

    /// Puts all fields into the target under the same names, but for those of which it has one.
    static void putMissing(ObjectNode target, ObjectNode fields, String... butNot) {
        for (var field : fields.properties()) {
            if (!target.has(field.getKey()) && !java.util.List.of(butNot).contains(field.getKey())) {
                target.set(field.getKey(), field.getValue());
            }
        }
    }

    static boolean isNothing(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }
}
