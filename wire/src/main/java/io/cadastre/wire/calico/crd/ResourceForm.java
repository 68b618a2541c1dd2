package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.book.ResourceKind;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Optional;

/// The form of what users write: the document is the object as the newer group has it, without what the API server
/// adds.
///
/// @param keys what the keys of the kind begin with
record ResourceForm(ApiGroup group, ApiResource resource, String keys) implements ObjectForm {

    private static final String API_VERSION = "apiVersion";
    private static final String KIND = "kind";
    private static final String UID = "uid";
    private static final String CREATED = "creationTimestamp";
    private static final String DELETION = "deletionTimestamp";
    private static final String FINALIZERS = "finalizers";

    /// Labels and annotations of whose names one of these is a part stand on the object itself, too.
    private static final List<String> SHARED = List.of("projectcalico.org/", "operator.tigera.io/");

    static ResourceForm of(ApiGroup group, ResourceKind.Traits traits) {
        var resource = ObjectMetadata.resource(group, traits.plural(), traits.word(), Removal.AT_ONCE);
        return new ResourceForm(group, resource, traits.keys().getFirst());
    }

    @Override
    public Optional<String> name(String key) {
        return key.startsWith(keys)
                ? Optional.of(key.substring(keys.length())).filter(name -> !name.isEmpty() && name.indexOf('/') < 0)
                : Optional.empty();
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return ObjectForm.meets(prefix, keys) ? List.of(Scope.all(resource)) : List.of();
    }

    @Override
    public Content read(ObjectNode object) {
        var document = Json.emptyObject();
        document.put(KIND, resource.kind());
        document.put(API_VERSION, ApiGroup.PROJECT_V3.apiVersion());
        document.set(ObjectMetadata.METADATA, seenMetadata(object));
        document.set(ObjectMetadata.SPEC, ObjectMetadata.childOrEmpty(object, ObjectMetadata.SPEC));
        if (object.has(ObjectMetadata.STATUS)) {
            document.set(ObjectMetadata.STATUS, object.get(ObjectMetadata.STATUS));
        }
        return new Content.Present(keys + ObjectMetadata.name(object), Json.write(document));
    }

    private ObjectNode seenMetadata(ObjectNode object) {
        var own = ObjectMetadata.childOrEmpty(object, ObjectMetadata.METADATA);
        var carried = carried(own);
        var seen = Json.emptyObject();
        seen.put(ObjectMetadata.NAME, ObjectMetadata.name(object));
        var uid = own.path(UID).asText();
        if (!uid.isEmpty()) {
            seen.put(UID, group == ApiGroup.CRD_V1 ? ApiUid.mirrored(uid) : uid);
        }
        for (var name : List.of(CREATED, DELETION, FINALIZERS)) {
            if (own.has(name)) {
                seen.set(name, own.get(name));
            }
        }
        for (var name : List.of(ObjectMetadata.LABELS, ObjectMetadata.ANNOTATIONS)) {
            var both = ObjectMetadata.childOrEmpty(carried, name).deepCopy();
            both.setAll(ObjectMetadata.childOrEmpty(own, name));
            both.remove(ObjectMetadata.CARRIED);
            if (!both.isEmpty()) {
                seen.set(name, both);
            }
        }
        return seen;
    }

    /// What the annotation says; nothing in the newer group, and nothing where it makes no sense.
    private ObjectNode carried(ObjectNode own) {
        var text = own.path(ObjectMetadata.ANNOTATIONS)
                .path(ObjectMetadata.CARRIED)
                .asText();
        if (group != ApiGroup.CRD_V1 || text.isEmpty()) {
            return Json.emptyObject();
        }
        try {
            return Json.readObject(ObjectMetadata.CARRIED, Bytes.ofUtf8(text));
        } catch (UnreadableDocumentException _) {
            return Json.emptyObject();
        }
    }

    @Override
    public ObjectNode create(String key, ObjectNode document) {
        return update(ObjectMetadata.named(resource, name(key).orElseThrow()), key, document);
    }

    @Override
    public ObjectNode update(ObjectNode current, String key, ObjectNode document) {
        var object = current.deepCopy();
        var own = ObjectMetadata.child(object, ObjectMetadata.METADATA);
        var seen = ObjectMetadata.childOrEmpty(document, ObjectMetadata.METADATA);
        switch (group) {
            case CRD_V1 -> {
                var carried = Json.emptyObject();
                for (var name : List.of(CREATED, ObjectMetadata.LABELS, ObjectMetadata.ANNOTATIONS)) {
                    if (seen.has(name)) {
                        carried.set(name, seen.get(name));
                    }
                }
                put(own, ObjectMetadata.LABELS, shared(seen, ObjectMetadata.LABELS));
                var annotations = shared(seen, ObjectMetadata.ANNOTATIONS);
                annotations.put(ObjectMetadata.CARRIED, Json.write(carried).utf8());
                put(own, ObjectMetadata.ANNOTATIONS, annotations);
            }
            case PROJECT_V3 -> {
                put(own, ObjectMetadata.LABELS, ObjectMetadata.childOrEmpty(seen, ObjectMetadata.LABELS));
                put(own, ObjectMetadata.ANNOTATIONS, ObjectMetadata.childOrEmpty(seen, ObjectMetadata.ANNOTATIONS));
            }
        }
        if (seen.has(FINALIZERS)) {
            own.set(FINALIZERS, seen.get(FINALIZERS));
        } else {
            own.remove(FINALIZERS);
        }
        object.set(ObjectMetadata.SPEC, ObjectMetadata.childOrEmpty(document, ObjectMetadata.SPEC));
        if (document.has(ObjectMetadata.STATUS)) {
            object.set(ObjectMetadata.STATUS, document.get(ObjectMetadata.STATUS));
        }
        return object;
    }

    private static void put(ObjectNode metadata, String name, ObjectNode map) {
        if (map.isEmpty()) {
            metadata.remove(name);
        } else {
            metadata.set(name, map);
        }
    }

    private static ObjectNode shared(ObjectNode seen, String name) {
        var shared = Json.emptyObject();
        for (var field : ObjectMetadata.childOrEmpty(seen, name).properties()) {
            if (SHARED.stream().anyMatch(field.getKey()::contains)) {
                shared.set(field.getKey(), field.getValue());
            }
        }
        return shared;
    }

    @Override
    public ObjectNode tombstone(ObjectNode current) {
        throw new IllegalStateException("a %s is deleted at once".formatted(resource.kind()));
    }
}
