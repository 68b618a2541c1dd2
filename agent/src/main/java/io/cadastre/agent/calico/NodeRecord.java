package io.cadastre.agent.calico;

import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceFault;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.Json;

/// The document by which a cluster knows a node. Addresses are given on nodes that have one only.
final class NodeRecord {

    private NodeRecord() {}

    /// Makes it if there is none. One that is there is left as it is.
    static void ensure(Means means, String node) {
        if (means.store().get(new CalicoKey.OfNode(node).text()).isPresent()) {
            return;
        }
        var json = Json.emptyObject();
        json.put("apiVersion", "projectcalico.org/v3").put("kind", "Node");
        json.putObject("metadata").put("name", node);
        json.putObject("spec");
        var given = new Resources.Given(Resources.Kind.NODE, json, means.freshUid(), means.now());
        var applied =
                means.registrar(new ResourceBook(means.store()))
                        .enact(
                                new Request<>(
                                        "agent: make node/" + node,
                                        view -> Resources.apply(view, given)));
        if (applied instanceof Applied.Invalid(var faults)) {
            throw new IllegalArgumentException(
                    "'%s' is no name for a node: %s".formatted(node, ResourceFault.text(faults)));
        }
    }
}
