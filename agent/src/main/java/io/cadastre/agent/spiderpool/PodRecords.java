package io.cadastre.agent.spiderpool;

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
import io.cadastre.wire.kubernetes.ObjectMeta;
import io.cadastre.wire.kubernetes.OwnerReference;
import io.cadastre.wire.kubernetes.PodDocument;
import io.cadastre.wire.spiderpool.workload.WorkloadKind;
import java.util.Optional;
import java.util.SortedMap;

/// Reads the facts about pods that the rules of pools need from their documents.
///
/// @param node where pods are that do not say where they are
/// @param namespaces finds the document of a Namespace
/// @param nodes finds the document of a Node
record PodRecords(Datastore store, String node, DocumentLookup namespaces, DocumentLookup nodes) {

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
    record Owner(TopController controller, String uid) {

        static Owner of(OwnerReference reference) {
            return new Owner(
                    new TopController(reference.apiVersion(), reference.kind(), reference.name()), reference.uid());
        }
    }

    Optional<Pod> find(PodKey key) {
        return store.get(CoreKeys.PODS + key).map(document -> pod(key, PodDocument.read(document)));
    }

    private Pod pod(PodKey key, PodDocument pod) {
        var metadata = pod.metadata();
        var named = pod.nodeName();
        var uid = metadata.uid();
        var owner = metadata.findController()
                .map(Owner::of)
                .orElseGet(() -> new Owner(new TopController("v1", "Pod", key.name()), uid));
        return new Pod(
                key,
                uid,
                named.isEmpty() ? node : named,
                Life.of(metadata.terminating(), pod.phase(), pod.restartPolicy(), pod.reason()),
                metadata.labels(),
                metadata.annotations(),
                owner.controller(),
                owner.uid());
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
        var found = store.get(key);
        if (found.isEmpty() && !store.atomic()) {
            throw new SpiderpoolAgentException(
                    Reason.REFUSED,
                    "failed to get %s %s/%s, which controls Pod %s: not found"
                            .formatted(owner.kind(), pod.key().namespace(), owner.name(), pod.key()));
        }
        return found.flatMap(document -> ObjectMeta.read(document).findController())
                .map(Owner::of)
                .filter(top -> top.controller().kind().equals(kind))
                .orElseGet(() -> new Owner(owner, pod.ownerUid()));
    }

    /// The Namespace of a pod; empty if there is none.
    NamespaceFacts fetchNamespace(Pod pod) {
        var metadata = metadata(CoreKeys.NAMESPACES + pod.key().namespace(), namespaces);
        return new NamespaceFacts(metadata.annotations(), metadata.labels());
    }

    Labels fetchLabels(Pod pod, NamespaceFacts namespace) {
        return new Labels(
                pod.labels(),
                namespace.labels(),
                metadata(CoreKeys.NODES + pod.node(), nodes).labels());
    }

    private static ObjectMeta metadata(String key, DocumentLookup lookup) {
        return lookup.find(key)
                .map(ObjectMeta::read)
                .orElseGet(() -> ObjectMeta.of(new Fields(key), Json.emptyObject()));
    }
}
