package io.cadastre.engine.block;

import io.cadastre.address.Address;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A node, as far as addresses depend on it.
///
/// @param labels what pools select it by
/// @param kubernetesName its name in Kubernetes; empty if it is not a Kubernetes node
/// @param tunnelAddresses the addresses of its own tunnels
public record Node(
        String name, SortedMap<String, String> labels, String kubernetesName, List<Address> tunnelAddresses) {

    public Node {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        tunnelAddresses = List.copyOf(tunnelAddresses);
    }

    public static Node of(String name, SortedMap<String, String> labels) {
        return new Node(name, labels, "", List.of());
    }
}
