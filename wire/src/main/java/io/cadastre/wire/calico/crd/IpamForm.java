package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.Content;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.json.Json;
import java.util.Optional;

/// The form of what the allocator keeps: the document is the object's `spec`, with some fields under
/// other names.
abstract class IpamForm implements ObjectForm {

    private final ApiGroup group;
    private final ApiResource resource;

    IpamForm(ApiGroup group, ApiResource resource) {
        this.group = group;
        this.resource = resource;
    }

    @Override
    public final ApiResource resource() {
        return resource;
    }

    final ApiGroup group() {
        return group;
    }

    /// The key that the object holds; empty if it makes no sense.
    abstract Optional<CalicoKey> key(ObjectNode object);

    abstract ObjectNode spec(CalicoKey key, ObjectNode document);

    abstract ObjectNode document(ObjectNode spec);

    /// The key as the object that is there spells it.
    CalicoKey spelled(ObjectNode current, CalicoKey key) {
        return key;
    }

    /// What else the metadata is to say.
    void complete(CalicoKey key, ObjectNode metadata) {
        if (group == ApiGroup.CRD_V1) {
            ObjectMetadata.child(metadata, ObjectMetadata.ANNOTATIONS).put(ObjectMetadata.CARRIED, "{}");
        }
    }

    @Override
    public final Content read(ObjectNode object) {
        var key = key(object).map(CalicoKey::text);
        if (key.isEmpty()) {
            return new Content.Foreign();
        }
        if (ObjectMetadata.isDeleted(object)) {
            return new Content.Tombstone(key.get());
        }
        var document = document(ObjectMetadata.childOrEmpty(object, ObjectMetadata.SPEC));
        return new Content.Present(key.get(), Json.write(document));
    }

    /// The name of the object of a key; empty if it is of another kind.
    abstract Optional<String> name(CalicoKey key);

    @Override
    public final Optional<String> name(String key) {
        return CalicoKeys.parse(key).flatMap(this::name);
    }

    @Override
    public final ObjectNode create(String key, ObjectNode document) {
        return update(ObjectMetadata.named(resource, name(key).orElseThrow()), key, document);
    }

    @Override
    public final ObjectNode update(ObjectNode current, String key, ObjectNode document) {
        var object = current.deepCopy();
        var spelled = spelled(current, CalicoKeys.parse(key).orElseThrow());
        complete(spelled, ObjectMetadata.child(object, ObjectMetadata.METADATA));
        object.set(ObjectMetadata.SPEC, spec(spelled, document));
        return object;
    }

    @Override
    public final ObjectNode tombstone(ObjectNode current) {
        var object = current.deepCopy();
        putDeleted(ObjectMetadata.child(object, ObjectMetadata.SPEC), true);
        return object;
    }

    void putDeleted(ObjectNode spec, boolean deleted) {
        spec.put(ObjectMetadata.DELETED, deleted);
    }
}
