package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.agent.calico.KubernetesFacts;
import io.cadastre.agent.calico.VirtualMachine;
import io.cadastre.agent.hostlocal.NodePod;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Port;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.kubernetes.ObjectMeta;
import io.cadastre.wire.kubernetes.OwnerReference;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/// Reads pods, namespaces and nodes that lie in a store in their Kubernetes form.
public final class StoredPods implements PodLookup, KubernetesFacts {

    /// The keys of pods are this, the namespace, a slash and the name.
    public static final String PODS = CoreKeys.PODS;

    /// The keys of namespaces are this and the name.
    public static final String NAMESPACES = CoreKeys.NAMESPACES;

    /// The keys of running virtual machines are this, the namespace, a slash and the name.
    public static final String MACHINE_INSTANCES = "/cadastre/apis/kubevirt.io/v1/virtualmachineinstances/";

    /// The keys of virtual machines are this, the namespace, a slash and the name.
    public static final String MACHINES = "/cadastre/apis/kubevirt.io/v1/virtualmachines/";

    /// The label of a pod that a virtual machine moves to.
    private static final String MIGRATION = "kubevirt.io/migrationJobUID";

    private static final Set<String> PROTOCOLS = Set.of("TCP", "UDP", "SCTP");

    private final Datastore store;
    private final WhenDenied whenDenied;

    /// Finds the document of a namespace by its key.
    private final Function<String, Optional<Document>> namespaces;

    public StoredPods(Datastore store) {
        this(store, WhenDenied.FAIL, store::get);
    }

    private StoredPods(Datastore store, WhenDenied whenDenied, Function<String, Optional<Document>> namespaces) {
        this.store = store;
        this.whenDenied = whenDenied;
        this.namespaces = namespaces;
    }

    /// The same, with namespaces as a cache has them.
    public StoredPods with(NamespaceCache cache) {
        return new StoredPods(store, whenDenied, cache::find);
    }

    /// Those that the user of the store may read, where only Cadastre keeps any. In Calico's etcd mode the
    /// documented rights end before their keys; a pod or a node that may not be read is then as unknown as
    /// one that was never written.
    public static StoredPods asFarAsReadable(Datastore store) {
        return new StoredPods(store, WhenDenied.UNKNOWN, store::get);
    }

    /// What a document counts as that may not be read.
    private enum WhenDenied {
        FAIL,
        UNKNOWN
    }

    @Override
    public Optional<Pod> findPod(String namespace, String name) {
        return findDocument(namespace, name).map(StoredPods::pod);
    }

    /// The node that a pod runs on; empty if it has none yet, or the pod does not exist.
    public Optional<String> findNodeOf(String namespace, String name) {
        return findDocument(namespace, name).map(PodDocument::nodeName).filter(node -> !node.isEmpty());
    }

    private Optional<PodDocument> findDocument(String namespace, String name) {
        return document(PodDocument.key(namespace, name)).map(PodDocument::read);
    }

    private static Pod pod(PodDocument pod) {
        var ports = new ArrayList<Port>();
        for (var port : pod.containerPorts()) {
            addPort(ports, pod.reader(), port);
        }
        var metadata = pod.metadata();
        return new Pod(metadata.labels(), metadata.annotations(), pod.serviceAccountName(), ports);
    }

    private static void addPort(List<Port> ports, Fields reader, ObjectNode json) {
        var written = reader.text(json, "protocol");
        var protocol = written.isEmpty() ? "TCP" : written.toUpperCase(Locale.ROOT);
        var port = new Port(
                reader.text(json, "name"),
                protocol,
                reader.integer(json.path("containerPort"), "containerPort"),
                reader.integer(json.path("hostPort"), "hostPort"),
                reader.text(json, "hostIP"));
        boolean counts = !port.name().isEmpty() || port.hostPort() != 0;
        if (counts && PROTOCOLS.contains(protocol)) {
            ports.add(port);
        }
    }

    @Override
    public Optional<SortedMap<String, String>> findNamespace(String name) {
        return document(NAMESPACES + name).map(ObjectMeta::read).map(ObjectMeta::annotations);
    }

    @Override
    public Optional<SortedMap<String, String>> findNamespaceLabels(String namespace) {
        return document(NAMESPACES + namespace).map(ObjectMeta::read).map(ObjectMeta::labels);
    }

    @Override
    public SortedMap<String, String> fetchNodeLabels(String node) {
        return document(NodeBook.NODES + node)
                .map(ObjectMeta::read)
                .map(ObjectMeta::labels)
                .orElse(Collections.emptySortedMap());
    }

    /// The machine is being deleted if its document says so; an instance that belongs to no machine, if
    /// its own does. Of one that only restarts, the instance is deleted and the machine is not.
    @Override
    public Optional<VirtualMachine> findMachine(String namespace, String pod) {
        return findDocument(namespace, pod)
                .map(PodDocument::metadata)
                .flatMap(metadata -> owner(metadata, "VirtualMachineInstance")
                        .map(owner -> machine(namespace, owner, migration(metadata))));
    }

    private VirtualMachine machine(String namespace, OwnerReference instance, String migration) {
        var key = MACHINE_INSTANCES + namespace + "/" + instance.name();
        var stored = find(key);
        var machine = stored.flatMap(json -> owner(ObjectMeta.of(new Fields(key), json), "VirtualMachine"));
        boolean leaving = machine.map(owner -> find(MACHINES + namespace + "/" + owner.name()))
                .orElse(stored)
                .filter(ObjectMeta::isTerminating)
                .isPresent();
        return new VirtualMachine(
                instance.name(),
                instance.uid(),
                machine.map(OwnerReference::uid).orElse(""),
                migration,
                leaving);
    }

    private static String migration(ObjectMeta pod) {
        return pod.json().path("labels").path(MIGRATION).asText("");
    }

    /// The object of a kind that an object belongs to.
    private static Optional<OwnerReference> owner(ObjectMeta metadata, String kind) {
        return metadata.owners(NonObjects.REFUSED).stream()
                .filter(owner -> owner.kind().equals(kind) && !owner.name().isEmpty())
                .findFirst();
    }

    /// `podCIDR` is the first of `podCIDRs`; where it stands alone, it is all there is.
    @Override
    public List<String> fetchPodCidrs(String node) {
        var key = NodeBook.NODES + node;
        var reader = new Fields(key);
        return find(key)
                .map(json -> reader.object(json, "spec"))
                .map(spec -> {
                    var all = reader.texts(spec, "podCIDRs");
                    var first = reader.text(spec, "podCIDR");
                    boolean alone = !first.isEmpty()
                            && (all.isEmpty() || !all.getFirst().equals(first));
                    return alone ? List.of(first) : List.copyOf(all);
                })
                .orElse(List.of());
    }

    /// The pods of a node that have addresses: those that Kubernetes reports, unless they have ended, and
    /// those whose endpoints are recorded.
    public List<NodePod> fetchPods(String node) {
        var pods = new ArrayList<NodePod>();
        for (var document : store.listAll(PODS).documents()) {
            resident(PodDocument.read(document), node).ifPresent(pods::add);
        }
        for (var endpoint : EndpointRecords.fetch(store, node)) {
            if (!endpoint.holder().pod().isEmpty()) {
                pods.add(new NodePod(
                        endpoint.namespace(),
                        endpoint.holder().pod(),
                        endpoint.wire().addresses()));
            }
        }
        return pods;
    }

    private static Optional<NodePod> resident(PodDocument pod, String node) {
        var metadata = pod.metadata();
        if (!pod.nodeName().equals(node) || pod.ended()) {
            return Optional.empty();
        }
        var addresses = pod.addresses(NonObjects.REFUSED).stream()
                .map(Address::parse)
                .distinct()
                .toList();
        return Optional.of(new NodePod(metadata.namespace(), metadata.name(), addresses));
    }

    private Optional<ObjectNode> find(String key) {
        return document(key).map(document -> Json.readObject(key, document.value()));
    }

    private Optional<Document> document(String key) {
        try {
            return key.startsWith(NAMESPACES) ? namespaces.apply(key) : store.get(key);
        } catch (DatastoreException failed) {
            if (failed.kind() == DatastoreException.Kind.DENIED && whenDenied == WhenDenied.UNKNOWN) {
                return Optional.empty();
            }
            throw failed;
        }
    }
}
