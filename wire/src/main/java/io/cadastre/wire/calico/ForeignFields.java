package io.cadastre.wire.calico;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of an object that its reader did not understand. They are written again behind those it
/// did, in their order.
record ForeignFields(Map<String, JsonNode> fields) {

    static final ForeignFields NONE = new ForeignFields(Collections.emptyMap());

    static ForeignFields of(ObjectNode object, List<String> understood) {
        var left = new LinkedHashMap<String, JsonNode>();
        for (var field : object.properties()) {
            if (!understood.contains(field.getKey())) {
                left.put(field.getKey(), field.getValue());
            }
        }
        return left.isEmpty() ? NONE : new ForeignFields(Collections.unmodifiableMap(left));
    }

    /// Adds them to an object, except where it has a field of the name.
    void addTo(ObjectNode object) {
        fields.forEach((name, value) -> {
            if (!object.has(name)) {
                object.set(name, value);
            }
        });
    }

    /// Adds them to an object that has none of their names.
    void writeTo(JsonGenerator json) throws IOException {
        for (var field : fields.entrySet()) {
            json.writePOJOField(field.getKey(), field.getValue());
        }
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }
}
