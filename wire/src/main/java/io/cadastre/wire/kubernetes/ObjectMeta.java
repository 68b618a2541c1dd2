package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Document;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/// The metadata of an object of Kubernetes of any kind. Each method reads one part, and throws an
/// [UnreadableDocumentException] if that part has a wrong type.
public record ObjectMeta(Fields reader, ObjectNode json) {

    private static final String METADATA = "metadata";
    private static final String DELETION = "deletionTimestamp";
    private static final String OWNERS = "ownerReferences";

    /// The metadata of an object. If it lacks them, they are empty.
    ///
    /// @throws UnreadableDocumentException if they are not an object
    public static ObjectMeta of(Fields reader, ObjectNode object) {
        return new ObjectMeta(reader, reader.object(object, METADATA));
    }

    /// The metadata of the object in a document.
    ///
    /// @throws UnreadableDocumentException if they are not an object, or the document is none
    public static ObjectMeta read(Document document) {
        return of(new Fields(document.key()), Json.readObject(document.key(), document.value()));
    }

    public String namespace() {
        return reader.text(json, "namespace");
    }

    public String name() {
        return reader.text(json, "name");
    }

    public String uid() {
        return reader.text(json, "uid");
    }

    public SortedMap<String, String> labels() {
        return reader.textMap(json, "labels");
    }

    public SortedMap<String, String> annotations() {
        return reader.textMap(json, "annotations");
    }

    // ---- deletion ----

    /// Whether its deletion has begun, whenever that was.
    public boolean terminating() {
        return json.hasNonNull(DELETION);
    }

    /// The same of an object whose metadata may be anything.
    public static boolean isTerminating(ObjectNode object) {
        return object.path(METADATA).hasNonNull(DELETION);
    }

    /// When its deletion is to be over; empty if it has not begun.
    public Optional<Instant> deletionTimestamp() {
        return reader.findTime(json, DELETION);
    }

    public OptionalLong deletionGracePeriodSeconds() {
        return reader.findCount(json, "deletionGracePeriodSeconds");
    }

    // ---- owners ----

    /// What it belongs to.
    public List<OwnerReference> owners(NonObjects nonObjects) {
        return reader.objects(json, OWNERS, nonObjects).stream()
                .map(reference -> new OwnerReference(reader, reference))
                .toList();
    }

    /// The first of its owners that controls it.
    public Optional<OwnerReference> findController() {
        return owners(NonObjects.EMPTY).stream()
                .filter(OwnerReference::controller)
                .findFirst();
    }

    /// Whether something of one of these kinds controls it. A reference that cannot be understood is of none of them.
    public boolean isControlledBy(Collection<String> kinds) {
        return reader.array(json, OWNERS)
                .valueStream()
                .anyMatch(owner -> owner.path("controller").asBoolean()
                        && kinds.contains(owner.path("kind").asText()));
    }
}
