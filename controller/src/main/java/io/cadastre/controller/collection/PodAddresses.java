package io.cadastre.controller.collection;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Document;
import io.cadastre.engine.block.collect.LiveOwners.Phase;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Fields.NonObjects;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import io.cadastre.wire.kubernetes.PodDocument;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a Pod of Kubernetes says about its addresses. The rest, which is most of it, is not kept.
final class PodAddresses {

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

    private PodAddresses() {}

    /// The pod; empty if what is written there cannot be understood.
    static Optional<Pod> read(Document document) {
        try {
            return Optional.of(of(PodDocument.read(document, READ)));
        } catch (UnreadableDocumentException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Pod of(PodDocument pod) {
        var reported = statusAddresses(pod);
        var endpoints = new LinkedHashSet<>(reported);
        var annotations = pod.metadata().annotations();
        for (var annotation : OWN_ADDRESSES) {
            for (var text : annotations.getOrDefault(annotation, "").split(",", -1)) {
                if (!text.isBlank()) {
                    endpoints.add(address(text.strip()));
                }
            }
        }
        endpoints.addAll(networkAddresses(pod.reader(), annotations.getOrDefault(NETWORKS, "")));
        boolean evicted = pod.phase().equals("Failed") && pod.reason().equals("Evicted");
        var all = List.copyOf(endpoints);
        return new Pod(
                pod.nodeName(),
                evicted ? Phase.EVICTED : Phase.RUNNING,
                // Mostly they are the same, and then one list serves for both.
                all.equals(reported) ? all : reported,
                all);
    }

    /// A pod that has not reported all it should has none yet.
    private static List<Address> statusAddresses(PodDocument pod) {
        var first = pod.podIp();
        var all = pod.podIps(NonObjects.REFUSED).stream()
                .map(PodAddresses::address)
                .toList();
        return first.isEmpty() || all.isEmpty()
                ? List.of()
                : Stream.concat(Stream.of(address(first)), all.stream())
                        .distinct()
                        .toList();
    }

    private static List<Address> networkAddresses(Fields reader, String text) {
        if (text.isBlank()) {
            return List.of();
        }
        var list = "networks";
        var json = Json.readObject(reader.key(), Bytes.ofUtf8("{\"%s\":%s}".formatted(list, text)));
        return reader.objects(json, list, NonObjects.REFUSED).stream()
                .flatMap(network -> reader.texts(network, "ips").stream())
                .map(PodAddresses::address)
                .toList();
    }

    /// Some write the length of a prefix behind it.
    private static Address address(String text) {
        int slash = text.indexOf('/');
        return Address.parse(slash < 0 ? text : text.substring(0, slash));
    }
}
