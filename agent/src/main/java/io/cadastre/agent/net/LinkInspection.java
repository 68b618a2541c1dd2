package io.cadastre.agent.net;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Neighbour;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.Route;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.util.List;

/// Checks whether pods are attached as planned. What other programs have added is ignored.
record LinkInspection(Netlink onHost, Netlink inPod) {

    /// Looks at one.
    ///
    /// @param mac what the pod's end is to have, [MacAddress#NONE] for any
    /// @throws CniException naming what is missing
    void check(LinkPlan plan, MacAddress mac) {
        var inside = present(inPod, plan.ifname(), "in the pod");
        if (!mac.equals(MacAddress.NONE) && !inside.mac().equals(mac)) {
            throw missing("MAC %s of interface %s, which has %s".formatted(mac, plan.ifname(), inside.mac()));
        }
        var outside = present(onHost, plan.hostLink(), "on the host");
        var routes = new RoutesToPods(onHost);
        var held = inPod.addresses().ofLink(inside.index()).stream()
                .map(LinkAddress::address)
                .toList();
        for (var address : plan.addresses()) {
            if (!held.contains(address)) {
                throw missing("address %s on interface %s".formatted(address, plan.ifname()));
            }
            if (plan.hostRoutes() == LinkPlan.HostRoutes.ADDED && !routes.has(outside, address)) {
                throw missing("route to %s by %s".formatted(address, plan.hostLink()));
            }
        }
        var routed = inPod.routes().ofLink(inside.index()).stream()
                .map(Route::destination)
                .toList();
        if (plan.has(Family.IPV4) && !routed.contains(PodLink.GATEWAY)) {
            throw missing("route to %s in the pod".formatted(PodLink.GATEWAY.address()));
        }
        if (plan.has(Family.IPV4) && !isGatewayKnown(inside) && !isAnsweredFor(outside)) {
            throw missing("neighbour %s in the pod, and no route on the host by which it answers for that"
                    .formatted(PodLink.GATEWAY.address()));
        }
        for (var family : Family.values()) {
            for (var route : plan.has(family) ? plan.routes(family) : List.<Prefix>of()) {
                if (!routed.contains(route)) {
                    throw missing("route to %s in the pod".formatted(route));
                }
            }
        }
    }

    /// Whether the pod knows the gateway without asking.
    private boolean isGatewayKnown(Link inside) {
        return inPod.neighbours().ofLink(inside.index()).stream()
                .anyMatch(neighbour -> neighbour.address().equals(PodLink.GATEWAY.address())
                        && neighbour.state() == Neighbour.State.PERMANENT);
    }

    /// The kernel answers for an address that it would send elsewhere.
    private boolean isAnsweredFor(Link outside) {
        return onHost.routes().list(Family.IPV4).stream()
                .anyMatch(route -> route.destination().contains(PodLink.GATEWAY.address())
                        && route.linkIndex() != outside.index());
    }

    private static Link present(Netlink netlink, String name, String where) {
        return netlink.links()
                .find(name)
                .filter(Link::up)
                .orElseThrow(() -> missing("interface %s %s, set up".formatted(name, where)));
    }

    private static CniException missing(String what) {
        return new CniException(CniCode.INTERNAL, "missing " + what);
    }
}
