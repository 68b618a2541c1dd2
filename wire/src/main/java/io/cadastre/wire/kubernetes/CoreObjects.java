package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.ApiResource.Rewriting;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Optional;

/// Objects of Kubernetes itself as documents: the document is the object.
///
/// The spec of a pod is not written here, so pods are updated by their status.
///
/// What only the API server writes is not part of a document, since it would be another one each time: the
/// resource version and the record of the writer of each field.
public final class CoreObjects implements ResourceMap {

    private static final String METADATA = "metadata";
    private static final String NAME = "name";
    private static final String NAMESPACE = "namespace";

    private static final List<String> SERVERS_OWN = List.of("resourceVersion", "managedFields");

    /// What a writer leaves as it is, or the server would refuse it.
    private static final List<String> FIXED =
            List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields");

    /// One kind of objects.
    ///
    /// @param keys what their keys begin with
    private record Kind(ApiResource resource, String keys) {

        boolean namespaced() {
            return resource.reach() == Reach.NAMESPACED;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(core("nodes", "Node", Reach.CLUSTER), CoreKeys.NODES),
            new Kind(core("namespaces", "Namespace", Reach.CLUSTER), CoreKeys.NAMESPACES),
            new Kind(
                    new ApiResource("", "v1", "pods", "Pod", Reach.NAMESPACED, Removal.AT_ONCE, Rewriting.STATUS),
                    CoreKeys.PODS),
            new Kind(core("events", "Event", Reach.NAMESPACED), CoreKeys.EVENTS),
            new Kind(
                    new ApiResource("coordination.k8s.io", "v1", "leases", "Lease", Reach.NAMESPACED, Removal.AT_ONCE),
                    CoreKeys.LEASES));

    private static ApiResource core(String plural, String kind, Reach reach) {
        return new ApiResource("", "v1", plural, kind, reach, Removal.AT_ONCE);
    }

    /// As in an address of the API.
    private static String path(ApiResource resource) {
        return resource.group().isEmpty()
                ? "/api/" + resource.version()
                : "/apis/" + resource.group() + "/" + resource.version();
    }

    @Override
    public Optional<ObjectName> locate(String key) {
        return KINDS.stream()
                .filter(kind -> key.startsWith(kind.keys()))
                .flatMap(kind -> named(kind, key.substring(kind.keys().length())).stream())
                .findFirst();
    }

    private static Optional<ObjectName> named(Kind kind, String rest) {
        var parts = rest.split("/", -1);
        int length = kind.namespaced() ? 2 : 1;
        if (parts.length != length || List.of(parts).contains("")) {
            return Optional.empty();
        }
        return Optional.of(new ObjectName(kind.resource(), kind.namespaced() ? parts[0] : "", parts[length - 1]));
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return KINDS.stream()
                .filter(kind -> prefix.startsWith(kind.keys()) || kind.keys().startsWith(prefix))
                .map(kind -> new Scope(kind.resource(), namespace(kind, prefix), ""))
                .toList();
    }

    /// The namespace that the prefix is within; empty if it is none, or not one as a whole.
    private static String namespace(Kind kind, String prefix) {
        if (!kind.namespaced() || !prefix.startsWith(kind.keys())) {
            return "";
        }
        var rest = prefix.substring(kind.keys().length());
        int end = rest.indexOf('/');
        return end < 0 ? "" : rest.substring(0, end);
    }

    @Override
    public Content read(ApiResource resource, Bytes object) {
        try {
            var json = Json.readObject(resource.kind(), object);
            var metadata = json.path(METADATA);
            var name = metadata.path(NAME).asText();
            var namespace = metadata.path(NAMESPACE).asText();
            var kind = kindOf(resource);
            if (name.isEmpty() || namespace.isEmpty() == kind.namespaced()) {
                return new Content.Foreign();
            }
            var key = kind.keys() + (kind.namespaced() ? namespace + "/" : "") + name;
            return new Content.Present(key, Json.write(document(resource, json)));
        } catch (UnreadableDocumentException _) {
            return new Content.Foreign();
        }
    }

    private static ObjectNode document(ApiResource resource, ObjectNode object) {
        var document = named(resource);
        document.setAll(object);
        if (document.get(METADATA) instanceof ObjectNode metadata) {
            metadata.remove(SERVERS_OWN);
        }
        return document;
    }

    /// Objects in lists do not say what they are.
    private static ObjectNode named(ApiResource resource) {
        var object = Json.emptyObject();
        object.put("apiVersion", path(resource).replaceFirst("/apis?/", ""));
        object.put("kind", resource.kind());
        return object;
    }

    private static Kind kindOf(ApiResource resource) {
        return KINDS.stream()
                .filter(kind -> kind.resource().equals(resource))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("nobody knows %s here".formatted(resource.qualifiedPlural())));
    }

    @Override
    public Bytes create(String key, Bytes value) {
        var name = nameOf(key);
        var object = named(name.resource());
        object.setAll(Json.readObject(key, value));
        metadata(object, name).remove(FIXED);
        return Json.write(object);
    }

    @Override
    public Bytes update(Bytes current, String key, Bytes value) {
        var name = nameOf(key);
        var object = named(name.resource());
        object.setAll(Json.readObject(key, value));
        var metadata = metadata(object, name);
        var own = Json.readObject(key, current).path(METADATA);
        for (var field : FIXED) {
            metadata.remove(field);
            if (own.has(field)) {
                metadata.set(field, own.get(field));
            }
        }
        return Json.write(object);
    }

    private static ObjectNode metadata(ObjectNode object, ObjectName name) {
        var metadata = object.get(METADATA) instanceof ObjectNode given ? given : object.putObject(METADATA);
        metadata.put(NAME, name.name());
        if (!name.namespace().isEmpty()) {
            metadata.put(NAMESPACE, name.namespace());
        }
        return metadata;
    }

    private ObjectName nameOf(String key) {
        return locate(key)
                .orElseThrow(() -> new IllegalArgumentException("'%s' is no object of Kubernetes".formatted(key)));
    }

    @Override
    public Bytes tombstone(ApiResource resource, Bytes current) {
        throw new IllegalStateException("a %s is deleted at once".formatted(resource.kind()));
    }
}
