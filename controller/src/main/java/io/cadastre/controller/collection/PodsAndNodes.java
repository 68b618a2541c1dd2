package io.cadastre.controller.collection;

import io.cadastre.address.Address;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.NodeBook;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The pods and the nodes of Kubernetes and the endpoints of Calico, as the watches report them. Not safe
/// for several threads at once.
final class PodsAndNodes {

    /// Marks a node whose blocks a migration from Flannel is filling.
    private static final String MIGRATING = "projectcalico.org/node-flannel-migration-in-progress";

    private static final FieldSelection READ = FieldSelection.of(List.of(List.of("metadata", "labels", MIGRATING)));

    private final Map<Name, Pod> pods = new HashMap<>();
    private final SortedSet<Name> unknownPods = new TreeSet<>();
    private final Map<String, RecordedEndpoint> endpoints = new HashMap<>();
    private final Map<String, Name> unknownEndpoints = new HashMap<>();
    private final SortedSet<String> nodes = new TreeSet<>();
    private final SortedSet<String> migratingNodes = new TreeSet<>();

    private final StringPool texts;
    private boolean podsSeen;

    /// What was returned last, until something changes: all pods are in it.
    private @Nullable LiveOwners derived;

    private SortedSet<String> derivedForNodes = Collections.emptySortedSet();

    /// @param texts shared with the state of blocks
    PodsAndNodes(StringPool texts) {
        this.texts = texts;
    }

    void forgetPods() {
        derived = null;
        pods.clear();
        unknownPods.clear();
    }

    void putPod(Document document) {
        PodDocument.name(document.key(), Name::new).ifPresent(name -> put(name, document));
    }

    private void put(Name name, Document document) {
        podsSeen = true;
        var own = texts.once(name);
        var pod = PodAddresses.read(document).map(this::onceNamed);
        // Most of what changes about a pod is nothing that is kept of it.
        if (pod.isPresent() && pod.get().equals(pods.get(own))) {
            return;
        }
        derived = null;
        pods.remove(own);
        unknownPods.remove(own);
        pod.ifPresentOrElse(known -> pods.put(own, known), () -> unknownPods.add(own));
    }

    private Pod onceNamed(Pod pod) {
        return new Pod(texts.once(pod.node()), pod.phase(), pod.statusAddresses(), pod.endpointAddresses());
    }

    /// The node that the pod was on; empty if it is not known.
    Optional<String> removePod(String key) {
        derived = null;
        texts.tidy(pods.keySet());
        return PodDocument.name(key, Name::new)
                .flatMap(name -> {
                    unknownPods.remove(name);
                    return Optional.ofNullable(pods.remove(name)).map(Pod::node);
                })
                .filter(node -> !node.isEmpty());
    }

    void forgetEndpoints() {
        derived = null;
        endpoints.clear();
        unknownEndpoints.clear();
    }

    /// One that cannot be read keeps all that its pod has.
    void putEndpoint(Document document) {
        var key = document.key();
        var endpoint = RecordedEndpoint.read(document);
        if (endpoint.isPresent() && endpoint.get().equals(endpoints.get(key))) {
            return;
        }
        removeEndpoint(key);
        endpoint.ifPresentOrElse(
                known -> endpoints.put(key, known),
                () -> RecordedEndpoint.pod(key).ifPresent(name -> unknownEndpoints.put(key, name)));
    }

    void removeEndpoint(String key) {
        derived = null;
        endpoints.remove(key);
        unknownEndpoints.remove(key);
    }

    void forgetNodes() {
        derived = null;
        nodes.clear();
        migratingNodes.clear();
    }

    /// Whether the node is known as it is in the document.
    boolean knows(Document node) {
        var name = nodeName(node.key());
        return nodes.contains(name) && migratingNodes.contains(name) == migrating(node);
    }

    void putNode(Document document) {
        var name = nodeName(document.key());
        if (nodes.add(name)) {
            derived = null;
        }
        if (migrating(document)) {
            migratingNodes.add(name);
        } else {
            migratingNodes.remove(name);
        }
    }

    void removeNode(String key) {
        derived = null;
        nodes.remove(nodeName(key));
        migratingNodes.remove(nodeName(key));
    }

    private static String nodeName(String key) {
        return key.substring(NodeBook.NODES.length());
    }

    /// A node that cannot be read is left alone.
    private static boolean migrating(Document document) {
        try {
            var reader = new Fields(document.key());
            var json = Json.readObject(document.key(), document.value(), READ);
            return reader.object(reader.object(json, "metadata"), "labels").has(MIGRATING);
        } catch (UnreadableDocumentException _) {
            return true;
        }
    }

    /// Whether the store shows a cluster: it has nodes, and a pod was seen since the process began. In a
    /// store to which no pods are written, all pods would seem dead.
    boolean inhabited() {
        return podsSeen && !nodes.isEmpty();
    }

    SortedSet<String> nodes() {
        return new TreeSet<>(nodes);
    }

    /// @param migrating the names by which Calico knows nodes that are being migrated
    /// @param living the names of nodes whose endpoints count, by which Calico knows them
    LiveOwners liveOwners(SortedSet<String> migrating, SortedSet<String> living) {
        if (derived == null || !derived.migratingNodes().equals(migrating) || !derivedForNodes.equals(living)) {
            var unknown = new TreeSet<>(unknownPods);
            unknown.addAll(unknownEndpoints.values());
            derived = new LiveOwners(
                    nodes, pods, unknown, new LiveOwners.Machines.None(), migrating, endpointAddresses(living));
            derivedForNodes = living;
        }
        return derived;
    }

    private Set<Address> endpointAddresses(SortedSet<String> living) {
        var addresses = new HashSet<Address>();
        for (var endpoint : endpoints.values()) {
            if (endpoint.node().isEmpty() || living.contains(endpoint.node())) {
                addresses.addAll(endpoint.addresses());
            }
        }
        return addresses;
    }

    boolean migrating(String kubernetesName) {
        return migratingNodes.contains(kubernetesName);
    }
}
