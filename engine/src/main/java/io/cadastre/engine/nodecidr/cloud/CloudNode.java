package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeEntry;
import java.util.List;
import java.util.Optional;

/// A node as far as these laws look at it.
///
/// @param providerId names its machine to the cloud (`spec.providerID`); empty if it has none
/// @param networkUnavailable the status of its condition `NetworkUnavailable`; empty if it has none
/// @param tainted whether it has the taint `node.kubernetes.io/network-unavailable:NoSchedule`
public record CloudNode(NodeEntry entry, String providerId, String networkUnavailable, boolean tainted) {

    /// The type of the condition that keeps Pods away from a node without a network.
    public static final String NETWORK_UNAVAILABLE = "NetworkUnavailable";

    /// The taint that goes with the condition.
    public static final String NETWORK_UNAVAILABLE_TAINT = "node.kubernetes.io/network-unavailable";

    private static final String FALSE = "False";

    public String name() {
        return entry.name();
    }

    /// Its first CIDR as it is stored; empty if it has none.
    String podCidr() {
        return entry.podCidrs().isEmpty() ? "" : entry.podCidrs().getFirst();
    }

    /// What its first CIDR means, or empty if it has none or one that cannot be read.
    Optional<Prefix> podCidrRead() {
        return entry.podCidrs().isEmpty() ? Optional.empty() : read(podCidr());
    }

    /// Whether its condition says that it has a network.
    boolean saysItHasANetwork() {
        return networkUnavailable.equals(FALSE);
    }

    static Optional<Prefix> read(String cidr) {
        return NodeEntry.of("", List.of(cidr)).prefixes().stream().findFirst();
    }
}
