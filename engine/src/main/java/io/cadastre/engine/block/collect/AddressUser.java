package io.cadastre.engine.block.collect;

import io.cadastre.address.Address;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Node;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Pod;

/// What an attribute says about the user of an address, read in one go: a sweep consists mostly of
/// this. What the attribute does not say is empty.
public record AddressUser(String node, String namespace, String pod, String type, boolean machine, String name) {

    public static AddressUser of(Held held) {
        var node = "";
        var namespace = "";
        var pod = "";
        var type = "";
        var machine = false;
        var name = "";
        for (var entry : held.owner().entrySet()) {
            switch (entry.getKey()) {
                case "node" -> node = entry.getValue();
                case "namespace" -> namespace = entry.getValue();
                case "pod" -> pod = entry.getValue();
                case "type" -> type = entry.getValue();
                case "vmi-name" -> {
                    machine = true;
                    name = entry.getValue();
                }
                default -> {}
            }
        }
        return new AddressUser(node, namespace, pod, type, machine, name);
    }

    boolean tunnel() {
        return switch (type) {
            case "ipipTunnelAddress",
                    "vxlanTunnelAddress",
                    "vxlanV6TunnelAddress",
                    "wireguardTunnelAddress",
                    "wireguardV6TunnelAddress" -> true;
            default -> false;
        };
    }

    boolean isPod() {
        return !pod.isEmpty() && !namespace.isEmpty();
    }

    /// Whether the address is in use. In doubt it is.
    ///
    /// @param view knows the Kubernetes name of the node
    boolean alive(Address address, LiveOwners liveOwners, BlockView view) {
        if (liveOwners.endpointAddresses().contains(address)) {
            return true;
        }
        if (machine) {
            return namespace.isEmpty()
                    || name.isEmpty()
                    || liveOwners.machines().alive(new Name(namespace, name));
        }
        if (!isPod()) {
            return true;
        }
        var podName = new Name(namespace, pod);
        if (!liveOwners.unknownPods().isEmpty() && liveOwners.unknownPods().contains(podName)) {
            return true;
        }
        var found = liveOwners.pods().get(podName);
        if (found == null) {
            return false;
        }
        if (runsElsewhere(found, view)) {
            return false;
        }
        if (found.statusAddresses().isEmpty()) {
            return true;
        }
        return found.phase() != LiveOwners.Phase.EVICTED
                && found.endpointAddresses().contains(address);
    }

    /// The attribute says what Calico calls the node, the pod says what Kubernetes calls it. Where the one
    /// is not known by the other, it may be the same.
    private boolean runsElsewhere(Pod found, BlockView view) {
        if (node.isEmpty() || found.node().isEmpty() || node.equals(found.node())) {
            return false;
        }
        return view.findNode(node)
                .map(Node::kubernetesName)
                .filter(name -> !name.isEmpty() && !name.equals(found.node()))
                .isPresent();
    }
}
