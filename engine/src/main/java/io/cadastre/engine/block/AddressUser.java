package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Population.Name;
import io.cadastre.engine.block.Population.Pod;

/// What an attribute says about who uses an address, read in one go: most of a look is this. What
/// it does not say is empty.
record AddressUser(
        String node, String namespace, String pod, String type, boolean machine, String name) {

    static AddressUser of(Held held) {
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
                    "wireguardV6TunnelAddress" ->
                    true;
            default -> false;
        };
    }

    boolean isPod() {
        return !pod.isEmpty() && !namespace.isEmpty();
    }

    /// Whether somebody uses the address. In doubt somebody does.
    ///
    /// @param view tells what Kubernetes calls the node
    boolean alive(Address address, Population population, BlockView view) {
        if (population.endpointAddresses().contains(address)) {
            return true;
        }
        if (machine) {
            return namespace.isEmpty()
                    || name.isEmpty()
                    || population.machines().alive(new Name(namespace, name));
        }
        if (!isPod()) {
            return true;
        }
        var podName = new Name(namespace, pod);
        if (!population.unknownPods().isEmpty() && population.unknownPods().contains(podName)) {
            return true;
        }
        var found = population.pods().get(podName);
        if (found == null) {
            return false;
        }
        if (runsElsewhere(found, view)) {
            return false;
        }
        if (found.statusAddresses().isEmpty()) {
            return true;
        }
        return found.phase() != Population.Phase.EVICTED
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
