package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.util.Optional;

/// Reads which writer set a field of an object, as the API server records it in `metadata.managedFields`.
public final class FieldManagers {

    private FieldManagers() {}

    /// The manager of the field at this path; empty if none is recorded.
    ///
    /// @throws io.cadastre.wire.json.UnreadableDocumentException if the object is not a JSON object
    public static Optional<String> find(String key, Bytes object, String... path) {
        for (JsonNode managed : Json.readObject(key, object).path("metadata").path("managedFields")) {
            var field = managed.path("fieldsV1");
            for (var name : path) {
                field = field.path("f:" + name);
            }
            if (!field.isMissingNode()) {
                return Optional.of(managed.path("manager").asText());
            }
        }
        return Optional.empty();
    }
}
