package io.cadastre.wire.calico.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/// The frame of a resource of `projectcalico.org/v3`.
final class ResourceFrame {

    private ResourceFrame() {}

    /// @param namespace empty for a resource of the whole cluster
    static ObjectNode create(String kind, String name, String namespace, UUID uid, Instant now) {
        var json = Json.emptyObject();
        json.put("kind", kind).put("apiVersion", "projectcalico.org/v3");
        var metadata = json.putObject("metadata").put("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        metadata.put("uid", uid.toString())
                .put("creationTimestamp", DateTimeFormatter.ISO_INSTANT.format(now.truncatedTo(ChronoUnit.SECONDS)));
        json.putObject("spec");
        return json;
    }
}
