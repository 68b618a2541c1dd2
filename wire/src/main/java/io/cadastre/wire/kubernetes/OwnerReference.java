package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.UnreadableDocumentException;

/// What an object belongs to, as its metadata say. Each method reads one field, and throws an
/// [UnreadableDocumentException] if that has a wrong type.
public record OwnerReference(Fields reader, ObjectNode json) {

    public String apiVersion() {
        return reader.text(json, "apiVersion");
    }

    public String kind() {
        return reader.text(json, "kind");
    }

    public String name() {
        return reader.text(json, "name");
    }

    public String uid() {
        return reader.text(json, "uid");
    }

    /// Whether the owner controls the object, as at most one does.
    public boolean controller() {
        return reader.flag(json, "controller");
    }
}
