package io.cadastre.agent.spiderpool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.agent.spiderpool.SpiderpoolAgentException.Reason;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.TopController;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.util.Optional;
import java.util.SortedMap;

/// Reads the facts about pods that the rules of pools need from their documents.
///
/// @param node where pods are that do not say where they are
/// @param namespaces finds the document of a Namespace
/// @param nodes finds the document of a Node
record PodRecords(Datastore store, String node, DocumentLookup namespaces, DocumentLookup nodes) {

    private static final String METADATA = "metadata";

    private static final String REPLICA_SETS = WorkloadKind.REPLICA_SET.keys();
    private static final String JOBS = WorkloadKind.JOB.keys();

    /// Finds a document by its key, perhaps as it was a moment ago.
    @FunctionalInterface
    interface DocumentLookup {
        Optional<Document> find(String key);
    }

    /// What a Namespace says.
    record NamespaceFacts(SortedMap<String, String> annotations, SortedMap<String, String> labels) {}

    /// A pod.
    ///
    /// @param owner the object that controls it; the pod itself if none does
    /// @param ownerUid that of the owner
    record Pod(
            PodKey key,
            String uid,
            String node,
            Life life,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations,
            TopController owner,
            String ownerUid) {}

    /// What controls something.
    record Owner(TopController controller, String uid) {}

    Optional<Pod> find(PodKey key) {
        var documentKey = CoreKeys.PODS + key;
        return json(documentKey).map(json -> pod(key, new Fields(documentKey), json));
    }

    private Pod pod(PodKey key, Fields reader, ObjectNode json) {
        var metadata = reader.object(json, METADATA);
        var spec = reader.object(json, "spec");
        var status = reader.object(json, "status");
        var named = reader.text(spec, "nodeName");
        var uid = reader.text(metadata, "uid");
        var owner = owner(reader, metadata).orElseGet(() -> new Owner(new TopController("v1", "Pod", key.name()), uid));
        return new Pod(
                key,
                uid,
                named.isEmpty() ? node : named,
                Life.of(
                        metadata.hasNonNull("deletionTimestamp"),
                        reader.text(status, "phase"),
                        restartPolicy(reader, spec),
                        reader.text(status, "reason")),
                reader.textMap(metadata, "labels"),
                reader.textMap(metadata, "annotations"),
                owner.controller(),
                owner.uid());
    }

    /// What the API server fills in.
    private static String restartPolicy(Fields reader, ObjectNode spec) {
        var policy = reader.text(spec, "restartPolicy");
        return policy.isEmpty() ? "Always" : policy;
    }

    /// The top controller of the pod. An owner that an API server does not have is a fault. A store of documents may
    /// have the pod alone: what an owner belongs to is unknown then, so that owner counts.
    ///
    /// @throws SpiderpoolAgentException if an owner is not there
    TopController fetchController(Pod pod) {
        return fetchTop(pod).controller();
    }

    /// The same with its uid.
    ///
    /// @throws SpiderpoolAgentException if an owner is not there
    Owner fetchTop(Pod pod) {
        var owner = new Owner(pod.owner(), pod.ownerUid());
        if (!WorkloadKind.isNative(owner.controller().apiVersion())) {
            return owner;
        }
        return switch (owner.controller().kind()) {
            case "ReplicaSet" -> ownerOf(REPLICA_SETS, pod, "Deployment");
            case "Job" -> ownerOf(JOBS, pod, "CronJob");
            default -> owner;
        };
    }

    private Owner ownerOf(String keys, Pod pod, String kind) {
        var owner = pod.owner();
        var key = "%s%s/%s".formatted(keys, pod.key().namespace(), owner.name());
        var found = json(key);
        if (found.isEmpty() && !store.atomic()) {
            throw new SpiderpoolAgentException(
                    Reason.REFUSED,
                    "failed to get %s %s/%s, which controls Pod %s: not found"
                            .formatted(owner.kind(), pod.key().namespace(), owner.name(), pod.key()));
        }
        return found.flatMap(json -> {
                    var reader = new Fields(key);
                    return owner(reader, reader.object(json, METADATA));
                })
                .filter(top -> top.controller().kind().equals(kind))
                .orElseGet(() -> new Owner(owner, pod.ownerUid()));
    }

    private static Optional<Owner> owner(Fields reader, ObjectNode metadata) {
        for (var element : reader.array(metadata, "ownerReferences")) {
            if (element instanceof ObjectNode reference && reader.flag(reference, "controller")) {
                return Optional.of(new Owner(
                        new TopController(
                                reader.text(reference, "apiVersion"),
                                reader.text(reference, "kind"),
                                reader.text(reference, "name")),
                        reader.text(reference, "uid")));
            }
        }
        return Optional.empty();
    }

    /// The Namespace of a pod; empty if there is none.
    NamespaceFacts fetchNamespace(Pod pod) {
        var key = CoreKeys.NAMESPACES + pod.key().namespace();
        var metadata = metadata(namespaces.find(key));
        var reader = new Fields(key);
        return new NamespaceFacts(reader.textMap(metadata, "annotations"), reader.textMap(metadata, "labels"));
    }

    Labels fetchLabels(Pod pod, NamespaceFacts namespace) {
        var key = CoreKeys.NODES + pod.node();
        return new Labels(
                pod.labels(), namespace.labels(), new Fields(key).textMap(metadata(nodes.find(key)), "labels"));
    }

    private static ObjectNode metadata(Optional<Document> found) {
        return found.map(document ->
                        new Fields(document.key()).object(Json.readObject(document.key(), document.value()), METADATA))
                .orElseGet(Json::emptyObject);
    }

    private Optional<ObjectNode> json(String key) {
        return store.get(key).map(document -> Json.readObject(key, document.value()));
    }
}
