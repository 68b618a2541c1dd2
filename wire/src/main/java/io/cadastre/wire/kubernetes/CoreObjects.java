package io.cadastre.wire.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.ObjectName;
import io.cadastre.datastore.resource.ResourceMap;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.wire.cilium.CiliumResources;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import io.cadastre.wire.spiderpool.objects.SpiderResources;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Objects of Kubernetes itself, ClusterCIDRs and the objects of Spiderpool and Cilium as documents: the document is
/// the object.
///
/// The spec of a pod is not written here, so pods are updated by their status.
///
/// What only the API server writes is not part of a document, since it would be another one each time: the
/// resource version and the record of the writer of each field.
public final class CoreObjects implements ResourceMap {

    private static final String METADATA = "metadata";
    private static final String NAME = "name";
    private static final String NAMESPACE = "namespace";

    /// What a writer leaves as it is, or the server would refuse it.
    private static final List<String> FIXED =
            List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields");

    /// One kind of objects.
    ///
    /// @param keys what their keys begin with
    /// @param identity the fields that say what an object is
    private record Kind(ApiResource resource, String keys, Bytes identity) {

        Kind(ApiResource resource) {
            this(resource, keys(resource), Bytes.ofUtf8("""
                "apiVersion":"%s","kind":"%s"\
                """.formatted(apiVersion(resource), resource.kind())));
        }

        private static String keys(ApiResource resource) {
            return "/cadastre/%s/%s/%s/"
                    .formatted(resource.group().isEmpty() ? "api" : "apis", apiVersion(resource), resource.plural());
        }

        boolean namespaced() {
            return resource.reach() == Reach.NAMESPACED;
        }
    }

    private static final List<Kind> CORE = Stream.concat(
                    CoreKind.ALL.stream().map(CoreKind::resource),
                    Stream.of(plain("", "events", "Event"), plain("coordination.k8s.io", "leases", "Lease")))
            .map(Kind::new)
            .toList();

    /// Kinds that a cluster may lack, or that are too many to be listed with others.
    private static final List<Kind> LISTED_WHERE_MEANT = Stream.of(
                    Stream.of(ClusterCidrGroup.values()).map(ClusterCidrGroup::resource),
                    SpiderResources.ALL.stream(),
                    CiliumResources.ALL.stream(),
                    Stream.of(
                            plain("", "secrets", "Secret"),
                            webhooks("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"),
                            webhooks("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
                            plain("apps", "replicasets", "ReplicaSet"),
                            plain("apps", "deployments", "Deployment"),
                            plain("apps", "statefulsets", "StatefulSet"),
                            plain("apps", "daemonsets", "DaemonSet"),
                            plain("batch", "jobs", "Job"),
                            plain("batch", "cronjobs", "CronJob"),
                            plain("k8s.cni.cncf.io", "network-attachment-definitions", "NetworkAttachmentDefinition"),
                            versioned("apps.kruise.io", "v1alpha1", "clonesets", "CloneSet"),
                            versioned("apps.kruise.io", "v1beta1", "statefulsets", "StatefulSet"),
                            plain("kubevirt.io", "virtualmachines", "VirtualMachine"),
                            plain("kubevirt.io", "virtualmachineinstances", "VirtualMachineInstance"),
                            plain(
                                    "kubevirt.io",
                                    "virtualmachineinstancemigrations",
                                    "VirtualMachineInstanceMigration")))
            .flatMap(kinds -> kinds)
            .map(Kind::new)
            .toList();

    private static final List<Kind> KINDS =
            Stream.concat(CORE.stream(), LISTED_WHERE_MEANT.stream()).toList();

    private static ApiResource plain(String group, String plural, String kind) {
        return versioned(group, "v1", plural, kind);
    }

    private static ApiResource versioned(String group, String version, String plural, String kind) {
        return new ApiResource(group, version, plural, kind, Reach.NAMESPACED, Removal.AT_ONCE);
    }

    private static ApiResource webhooks(String plural, String kind) {
        return new ApiResource("admissionregistration.k8s.io", "v1", plural, kind, Reach.CLUSTER, Removal.AT_ONCE);
    }

    private static String apiVersion(ApiResource resource) {
        return resource.group().isEmpty() ? resource.version() : resource.group() + "/" + resource.version();
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

    /// A group that a cluster may lack is listed only where it is meant, since a list of what is not installed
    /// fails.
    @Override
    public List<Scope> scopes(String prefix) {
        return KINDS.stream()
                .filter(kind -> prefix.startsWith(kind.keys())
                        || (CORE.contains(kind) && kind.keys().startsWith(prefix)))
                .map(kind -> new Scope(kind.resource(), namespace(kind, prefix), ""))
                .toList();
    }

    /// The namespace that the prefix is within; empty if it is within none, or in part only.
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
        var kind = kindOf(resource);
        var document = document(kind, object);
        if (document.name().isEmpty() || document.namespace().isEmpty() == kind.namespaced()) {
            return new Content.Foreign();
        }
        var namespace = kind.namespaced() ? document.namespace() + "/" : "";
        return new Content.Present(kind.keys() + namespace + document.name(), document.value());
    }

    private static CoreDocument document(Kind kind, Bytes object) {
        try {
            return CoreDocument.read(kind.resource().kind(), kind.identity(), object);
        } catch (UnreadableDocumentException _) {
            return CoreDocument.unreadable(object);
        }
    }

    private static ObjectNode named(ApiResource resource) {
        var object = Json.emptyObject();
        object.put("apiVersion", apiVersion(resource));
        object.put("kind", resource.kind());
        return object;
    }

    private static Kind kindOf(ApiResource resource) {
        return KINDS.stream()
                .filter(kind -> kind.resource().equals(resource))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("%s are not mapped here".formatted(resource.qualifiedPlural())));
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
                .orElseThrow(() ->
                        new IllegalArgumentException("'%s' is not the key of an object of Kubernetes".formatted(key)));
    }

    @Override
    public Bytes tombstone(ApiResource resource, Bytes current) {
        throw new IllegalStateException("a %s is deleted at once".formatted(resource.kind()));
    }

    @Override
    public boolean inUse(ApiResource resource, Bytes object) {
        return SpiderResources.inUse(resource, object);
    }
}
