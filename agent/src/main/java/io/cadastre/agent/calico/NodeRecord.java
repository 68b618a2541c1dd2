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

    /// Makes it if there is none, with the labels that Kubernetes knows. One that is there is left as it
    /// is: in Calico's own stores it is Calico that copies labels.
    static void ensure(Means means, String node, KubernetesFacts kubernetes) {
        if (means.store().get(new CalicoKey.OfNode(node).text()).isPresent()) {
            return;
        }
        var json = Json.emptyObject();
        json.put("apiVersion", "projectcalico.org/v3").put("kind", "Node");
        var metadata = json.putObject("metadata").put("name", node);
        var labels = kubernetes.fetchNodeLabels(node);
        if (!labels.isEmpty()) {
            labels.forEach(metadata.putObject("labels")::put);
        }
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
