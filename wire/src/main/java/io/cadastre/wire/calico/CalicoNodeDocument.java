package io.cadastre.wire.calico;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Node;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.stream.Stream;

/// A `Node` of Calico's own as JSON.
public final class CalicoNodeDocument implements CalicoDocument {

    private final ObjectNode json;
    private final Node node;

    private CalicoNodeDocument(ObjectNode json, Node node) {
        this.json = json;
        this.node = node;
    }

    /// Reads a node whose fields have their exact names.
    ///
    /// @throws UnreadableDocumentException if a field is of another type
    public static CalicoNodeDocument read(Fields reader, String name, ObjectNode json) {
        var labels = reader.textMap(reader.object(json, CalicoResource.METADATA), "labels");
        var spec = reader.object(json, CalicoResource.SPEC);
        return new CalicoNodeDocument(json, new Node(name, labels, kubernetesName(spec), tunnelAddresses(spec)));
    }

    private static String kubernetesName(ObjectNode spec) {
        for (var reference : spec.path("orchRefs")) {
            if (reference.path("orchestrator").asText().equals("k8s")) {
                return reference.path("nodeName").asText();
            }
        }
        return "";
    }

    private static List<Address> tunnelAddresses(ObjectNode spec) {
        var wireguard = spec.path("wireguard");
        // In the order in which calicoctl lists those of IPv4. It does not look at the others.
        return Stream.of(
                        spec.path("ipv4VXLANTunnelAddr"),
                        wireguard.path("interfaceIPv4Address"),
                        spec.path("bgp").path("ipv4IPIPTunnelAddr"),
                        spec.path("ipv6VXLANTunnelAddr"),
                        wireguard.path("interfaceIPv6Address"))
                .filter(JsonNode::isTextual)
                .flatMap(text -> address(text.textValue()))
                .toList();
    }

    private static Stream<Address> address(String text) {
        try {
            return Stream.of(Address.parse(text));
        } catch (IllegalArgumentException _) {
            return Stream.empty();
        }
    }

    public Node node() {
        return node;
    }

    @Override
    public Bytes encode() {
        return Json.write(json);
    }
}
