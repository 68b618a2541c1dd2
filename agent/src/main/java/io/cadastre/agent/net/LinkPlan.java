package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.linux.MacAddress;
import java.util.List;

/// How a pod is to be attached.
///
/// @param ifname the pod's end
/// @param hostLink the host's end
/// @param device what kind of link it is to be
/// @param mtu zero for the kernel's default
/// @param mac [MacAddress#NONE] for one by chance
/// @param forwarding whether the pod may forward packets
record LinkPlan(
        String ifname,
        String hostLink,
        Device device,
        int mtu,
        int queues,
        MacAddress mac,
        boolean forwarding,
        List<Address> addresses,
        List<Prefix> routes,
        HostRoutes hostRoutes) {

    /// The kinds of links.
    enum Device {
        VETH,
        /// Where the kernel has it; a veth pair elsewhere.
        NETKIT
    }

    /// What makes the host find the pod.
    enum HostRoutes {
        ADDED,
        /// Another component, at the right time: the addresses are still in use elsewhere.
        LEFT_TO_OTHERS
    }

    LinkPlan {
        addresses = List.copyOf(addresses);
        routes = List.copyOf(routes);
    }

    boolean has(Family family) {
        return addresses.stream().anyMatch(address -> address.family() == family);
    }

    List<Prefix> routes(Family family) {
        return routes.stream().filter(route -> route.family() == family).toList();
    }
}
