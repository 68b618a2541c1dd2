package io.cadastre.wire.calico.crd;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ApiResource;
import io.cadastre.datastore.resource.ApiResource.Reach;
import io.cadastre.datastore.resource.ApiResource.Removal;
import io.cadastre.datastore.resource.Content;
import io.cadastre.datastore.resource.Scope;
import io.cadastre.engine.block.Node;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoNodeDocument;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.json.FieldSelection;
import io.cadastre.wire.json.Fields;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.util.List;
import java.util.Optional;

/// A node of Kubernetes as a node of Calico. It is read and never written: a node comes and goes with
/// its kubelet, and its addresses are in annotations that others write.
final class NodeForm implements ObjectForm {

    private static final ApiResource RESOURCE =
            new ApiResource("", "v1", "nodes", "Node", Reach.CLUSTER, Removal.AT_ONCE);

    /// Labels that are Calico's alone.
    private static final String CALICO_LABELS = "projectcalico.org/labels";

    private static final String IPIP = "projectcalico.org/IPv4IPIPTunnelAddr";
    private static final String VXLAN_4 = "projectcalico.org/IPv4VXLANTunnelAddr";
    private static final String VXLAN_6 = "projectcalico.org/IPv6VXLANTunnelAddr";
    private static final String WIREGUARD_4 = "projectcalico.org/IPv4WireguardInterfaceAddr";
    private static final String WIREGUARD_6 = "projectcalico.org/IPv6WireguardInterfaceAddr";

    /// What is read of a node. Most of it is something else.
    static final FieldSelection READ = FieldSelection.of(List.of(
            List.of(ObjectMetadata.METADATA, ObjectMetadata.NAME),
            List.of(ObjectMetadata.METADATA, "uid"),
            List.of(ObjectMetadata.METADATA, "creationTimestamp"),
            List.of(ObjectMetadata.METADATA, ObjectMetadata.LABELS),
            List.of(ObjectMetadata.METADATA, ObjectMetadata.ANNOTATIONS)));

    @Override
    public ApiResource resource() {
        return RESOURCE;
    }

    @Override
    public Optional<String> name(String key) {
        return CalicoKinds.NODE.name(key);
    }

    @Override
    public List<Scope> scopes(String prefix) {
        return ObjectForm.meets(prefix, CalicoKeys.NODES) ? List.of(Scope.all(RESOURCE)) : List.of();
    }

    @Override
    public Content read(ObjectNode object) {
        return new Content.Present(CalicoKinds.NODE.key(ObjectMetadata.name(object)), Json.write(document(object)));
    }

    /// The node that Calico takes the object for.
    ///
    /// @throws UnreadableDocumentException if a field is of another type than a node has it
    static Node node(Fields reader, String name, ObjectNode object) {
        return CalicoNodeDocument.read(reader, name, document(object)).node();
    }

    private static ObjectNode document(ObjectNode object) {
        var own = ObjectMetadata.childOrEmpty(object, ObjectMetadata.METADATA);
        var name = ObjectMetadata.name(object);
        var document = Json.emptyObject();
        document.put("kind", "Node");
        document.put("apiVersion", ApiGroup.PROJECT_V3.apiVersion());
        var metadata = document.putObject(ObjectMetadata.METADATA);
        metadata.put(ObjectMetadata.NAME, name);
        for (var field : List.of("uid", "creationTimestamp")) {
            if (own.has(field)) {
                metadata.set(field, own.get(field));
            }
        }
        metadata.set(ObjectMetadata.LABELS, labels(own));
        document.set(ObjectMetadata.SPEC, spec(name, ObjectMetadata.childOrEmpty(own, ObjectMetadata.ANNOTATIONS)));
        document.putObject(ObjectMetadata.STATUS);
        return document;
    }

    /// Those of Kubernetes win.
    private static ObjectNode labels(ObjectNode own) {
        var text = own.path(ObjectMetadata.ANNOTATIONS).path(CALICO_LABELS).asText();
        var labels = Json.emptyObject();
        if (!text.isEmpty()) {
            try {
                labels = Json.readObject(CALICO_LABELS, Bytes.ofUtf8(text));
            } catch (UnreadableDocumentException _) {
                // Then there are none.
            }
        }
        labels.setAll(ObjectMetadata.childOrEmpty(own, ObjectMetadata.LABELS));
        return labels;
    }

    private static ObjectNode spec(String name, ObjectNode annotations) {
        var spec = Json.emptyObject();
        if (annotations.has(IPIP)) {
            spec.putObject("bgp").set("ipv4IPIPTunnelAddr", annotations.get(IPIP));
        }
        if (annotations.has(VXLAN_4)) {
            spec.set("ipv4VXLANTunnelAddr", annotations.get(VXLAN_4));
        }
        if (annotations.has(VXLAN_6)) {
            spec.set("ipv6VXLANTunnelAddr", annotations.get(VXLAN_6));
        }
        if (annotations.has(WIREGUARD_4) || annotations.has(WIREGUARD_6)) {
            var wireguard = spec.putObject("wireguard");
            if (annotations.has(WIREGUARD_4)) {
                wireguard.set("interfaceIPv4Address", annotations.get(WIREGUARD_4));
            }
            if (annotations.has(WIREGUARD_6)) {
                wireguard.set("interfaceIPv6Address", annotations.get(WIREGUARD_6));
            }
        }
        spec.putArray("orchRefs").addObject().put("nodeName", name).put("orchestrator", "k8s");
        return spec;
    }

    @Override
    public ObjectNode create(String key, ObjectNode document) {
        throw notOurs(key);
    }

    @Override
    public ObjectNode update(ObjectNode current, String key, ObjectNode document) {
        throw notOurs(key);
    }

    private static IllegalArgumentException notOurs(String key) {
        return new IllegalArgumentException(
                "%s: nodes of a cluster are Kubernetes' own and not written here".formatted(key));
    }

    @Override
    public ObjectNode tombstone(ObjectNode current) {
        throw new IllegalStateException("a node is deleted at once");
    }
}
