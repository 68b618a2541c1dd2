package io.cadastre.agent.net;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.cadastre.datastore.Datastore;
import io.cadastre.wire.calico.endpoint.Endpoint.Port;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.kubernetes.NodeBook;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// Reads pods, namespaces and nodes that lie in a store in their Kubernetes form.
public final class StoredPods implements PodLookup {

    /// The keys of pods are this, the namespace, a slash and the name.
    public static final String PODS = "/cadastre/api/v1/pods/";

    /// The keys of namespaces are this and the name.
    public static final String NAMESPACES = "/cadastre/api/v1/namespaces/";

    private static final Set<String> PROTOCOLS = Set.of("TCP", "UDP", "SCTP");

    private final Datastore store;

    public StoredPods(Datastore store) {
        this.store = store;
    }

    @Override
    public Optional<Pod> findPod(String namespace, String name) {
        var key = PODS + namespace + "/" + name;
        return find(key).map(json -> pod(new Fields(key), json));
    }

    private static Pod pod(Fields reader, ObjectNode json) {
        var metadata = reader.object(json, "metadata");
        var spec = reader.object(json, "spec");
        var ports = new ArrayList<Port>();
        for (var container : objects(reader, spec, "containers")) {
            for (var port : objects(reader, container, "ports")) {
                addPort(ports, reader, port);
            }
        }
        return new Pod(
                reader.textMap(metadata, "labels"),
                reader.textMap(metadata, "annotations"),
                reader.text(spec, "serviceAccountName"),
                ports);
    }

    private static void addPort(List<Port> ports, Fields reader, ObjectNode json) {
        var written = reader.text(json, "protocol");
        var protocol = written.isEmpty() ? "TCP" : written.toUpperCase(Locale.ROOT);
        var port =
                new Port(
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

    private static List<ObjectNode> objects(Fields reader, ObjectNode parent, String name) {
        var objects = new ArrayList<ObjectNode>();
        for (var element : reader.array(parent, name)) {
            if (!(element instanceof ObjectNode object)) {
                throw reader.wrong(name, "an array of objects");
            }
            objects.add(object);
        }
        return objects;
    }

    @Override
    public Optional<SortedMap<String, String>> findNamespace(String name) {
        var key = NAMESPACES + name;
        var reader = new Fields(key);
        return find(key)
                .map(json -> reader.textMap(reader.object(json, "metadata"), "annotations"));
    }

    /// `podCIDR` is the first of `podCIDRs`; where it stands alone, it is all there is.
    @Override
    public List<String> fetchPodCidrs(String node) {
        var key = NodeBook.NODES + node;
        var reader = new Fields(key);
        return find(key)
                .map(json -> reader.object(json, "spec"))
                .map(
                        spec -> {
                            var all = reader.texts(spec, "podCIDRs");
                            var first = reader.text(spec, "podCIDR");
                            boolean alone =
                                    !first.isEmpty()
                                            && (all.isEmpty() || !all.getFirst().equals(first));
                            return alone ? List.of(first) : List.copyOf(all);
                        })
                .orElse(List.of());
    }

    private Optional<ObjectNode> find(String key) {
        return store.get(key).map(document -> Json.readObject(key, document.value()));
    }
}
