package io.cadastre.agent.hostlocal;

import io.cadastre.address.Address;
import java.util.List;

/// A pod of a node, with the addresses that it is known by.
public record NodePod(String namespace, String pod, List<Address> addresses) {

    public NodePod {
        addresses = List.copyOf(addresses);
    }
}
