package io.cadastre.agent.calico;

import io.cadastre.agent.AgentException;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoKey;
import io.cadastre.wire.calico.resource.Applied;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.calico.resource.ResourceBook;
import io.cadastre.wire.calico.resource.ResourceFault;
import io.cadastre.wire.calico.resource.Resources;
import io.cadastre.wire.json.Json;

/// The document by which a cluster knows a node. Addresses are given only on nodes that have one.
final class NodeRecord {

    private NodeRecord() {}

    /// Makes it if there is none, with the labels that Kubernetes knows. One that is there is left as it
    /// is: in Calico's own stores it is Calico that copies labels.
    static void ensure(AgentContext context, String node, KubernetesFacts kubernetes) {
        if (context.store().get(key(node).text()).isPresent()) {
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
        var given = new Resources.Given(CalicoKinds.NODE, json, context.freshUid(), context.now());
        if (make(context, given) instanceof Applied.Invalid(var faults)) {
            throw noName(node, ResourceFault.text(faults));
        }
    }

    private static CalicoKey key(String node) {
        try {
            return new CalicoKey.OfNode(node);
        } catch (IllegalArgumentException senseless) {
            throw noName(node, String.valueOf(senseless.getMessage()));
        }
    }

    private static AgentException noName(String node, String why) {
        return new AgentException(
                "'%s' is not a valid node name: %s; give another one with --node".formatted(node, why));
    }

    /// In a cluster the kubelet makes the Node, and the store refuses to write one.
    private static Applied make(AgentContext context, Resources.Given given) {
        var name = given.name();
        try {
            return context.registrar(new ResourceBook(context.store()))
                    .enact(new Request<>("agent: make node/" + name, view -> Resources.apply(view, given)));
        } catch (IllegalArgumentException refused) {
            throw new AgentException(
                    ("Node '%s' does not exist, and an agent cannot create one in this store; give"
                                    + " the name of an existing Node with --node (%s)")
                            .formatted(name, refused.getMessage()),
                    refused);
        }
    }
}
