package io.cadastre.agent.net;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.linux.Errno;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinuxException;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.Route;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniException;

/// The routes of the host to its pods, each by the pod's own link.
record RoutesToPods(Netlink onHost) {

    /// It is not a failure if the route is there already.
    ///
    /// @throws CniException if the address is reached by another link
    void add(Link link, Address address) {
        var route = Route.direct(new Prefix(address, address.family().bits()), link.index());
        try {
            onHost.routes().add(route);
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.EEXIST) {
                throw failure;
            }
            if (!has(link, address)) {
                throw taken(link, route, failure);
            }
        }
    }

    /// Whether the host finds the address by this link. The kernel does not report the scope of IPv6
    /// routes.
    boolean has(Link link, Address address) {
        var destination = new Prefix(address, address.family().bits());
        return onHost.routes().ofLink(link.index()).stream()
                .filter(route -> route.destination().equals(destination))
                .anyMatch(route ->
                        address.family() == Family.IPV6 || route.scope().equals(Route.Scope.LINK));
    }

    private CniException taken(Link link, Route wanted, LinuxException cause) {
        var other = onHost.routes().list(wanted.family()).stream()
                .filter(route -> route.destination().equals(wanted.destination()))
                .filter(route -> route.table() == Route.TABLE_MAIN)
                .findFirst()
                .map(route -> "route (Ifindex: %d, Dst: %s, Scope: %s, Iface: %s)"
                        .formatted(
                                route.linkIndex(),
                                route.destination(),
                                scope(route),
                                onHost.links()
                                        .find(route.linkIndex())
                                        .map(Link::name)
                                        .orElse("unknown")))
                .orElse("");
        return new CniException(
                CniError.of(
                        CniCode.INTERNAL,
                        ("route (Ifindex: %d, Dst: %s, Scope: link) already exists for an"
                                        + " interface other than '%s': %s")
                                .formatted(link.index(), wanted.destination(), link.name(), other)),
                cause);
    }

    private static String scope(Route route) {
        return switch (route.scope().number()) {
            case 0 -> "universe";
            case 200 -> "site";
            case 253 -> "link";
            case 254 -> "host";
            default -> "nowhere";
        };
    }
}
