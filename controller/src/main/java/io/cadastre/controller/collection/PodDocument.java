package io.cadastre.controller.collection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Phase;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.CoreKeys;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// What a Pod of Kubernetes says about its addresses. The rest, which is most of it, is not kept.
final class PodDocument {

    /// The annotations in which Calico's plugins note the addresses they gave: all of them, and one of
    /// them.
    private static final List<String> OWN_ADDRESSES =
            List.of("cni.projectcalico.org/podIPs", "cni.projectcalico.org/podIP");

    /// What plugins for several networks note of all of them.
    private static final String NETWORKS = "k8s.v1.cni.cncf.io/network-status";

    private static final FieldSelection READ = FieldSelection.of(List.of(
            List.of("metadata", "annotations", OWN_ADDRESSES.getFirst()),
            List.of("metadata", "annotations", OWN_ADDRESSES.getLast()),
            List.of("metadata", "annotations", NETWORKS),
            List.of("spec", "nodeName"),
            List.of("status", "phase"),
            List.of("status", "reason"),
            List.of("status", "podIP"),
            List.of("status", "podIPs")));

    private PodDocument() {}

    static String key(Name name) {
        return CoreKeys.PODS + name.namespace() + "/" + name.name();
    }

    /// Whose document the key is of; empty if of no pod.
    static Optional<Name> name(String key) {
        var rest = key.substring(CoreKeys.PODS.length());
        int slash = rest.indexOf('/');
        return slash <= 0 || slash == rest.length() - 1 || rest.indexOf('/', slash + 1) >= 0
                ? Optional.empty()
                : Optional.of(new Name(rest.substring(0, slash), rest.substring(slash + 1)));
    }

    /// The pod; empty if what is written there cannot be understood.
    static Optional<Pod> read(String key, Bytes value) {
        try {
            return Optional.of(read(new Fields(key), Json.readObject(key, value, READ)));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Pod read(Fields reader, ObjectNode json) {
        var metadata = reader.object(json, "metadata");
        var status = reader.object(json, "status");
        var reported = statusAddresses(reader, status);
        var endpoints = new LinkedHashSet<>(reported);
        var annotations = reader.object(metadata, "annotations");
        for (var annotation : OWN_ADDRESSES) {
            for (var text : reader.text(annotations, annotation).split(",", -1)) {
                if (!text.isBlank()) {
                    endpoints.add(address(text.strip()));
                }
            }
        }
        endpoints.addAll(networkAddresses(reader, reader.text(annotations, NETWORKS)));
        boolean evicted = reader.text(status, "phase").equals("Failed")
                && reader.text(status, "reason").equals("Evicted");
        var all = List.copyOf(endpoints);
        return new Pod(
                reader.text(reader.object(json, "spec"), "nodeName"),
                evicted ? Phase.EVICTED : Phase.RUNNING,
                // Mostly they are the same, and then one list serves for both.
                all.equals(reported) ? all : reported,
                all);
    }

    /// A pod that has not reported all it should has none yet.
    private static List<Address> statusAddresses(Fields reader, ObjectNode status) {
        var first = reader.text(status, "podIP");
        var all = new ArrayList<Address>();
        for (var element : reader.array(status, "podIPs")) {
            if (!(element instanceof ObjectNode object)) {
                throw reader.wrong("podIPs", "an array of objects");
            }
            all.add(address(reader.text(object, "ip")));
        }
        if (first.isEmpty() || all.isEmpty()) {
            return List.of();
        }
        var reported = new LinkedHashSet<Address>();
        reported.add(address(first));
        reported.addAll(all);
        return List.copyOf(reported);
    }

    private static List<Address> networkAddresses(Fields reader, String text) {
        if (text.isBlank()) {
            return List.of();
        }
        var list = "networks";
        var json = Json.readObject(reader.key(), Bytes.ofUtf8("{\"%s\":%s}".formatted(list, text)));
        var addresses = new ArrayList<Address>();
        for (var element : reader.array(json, list)) {
            if (!(element instanceof ObjectNode network)) {
                throw reader.wrong(NETWORKS, "an array of objects");
            }
            reader.texts(network, "ips").forEach(ip -> addresses.add(address(ip)));
        }
        return addresses;
    }

    /// Some write the length of a prefix behind it.
    private static Address address(String text) {
        int slash = text.indexOf('/');
        return Address.parse(slash < 0 ? text : text.substring(0, slash));
    }
}
