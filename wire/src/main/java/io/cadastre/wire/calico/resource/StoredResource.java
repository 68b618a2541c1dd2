package io.cadastre.wire.calico.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Json;

/// A resource that was read.
///
/// @param content as its kind writes it
public record StoredResource(Document stored, Bytes content) {

    ObjectNode json() {
        return Json.readObject(stored.key(), content);
    }
}
