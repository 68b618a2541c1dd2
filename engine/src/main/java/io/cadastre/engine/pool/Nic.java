package io.cadastre.engine.pool;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One interface of an endpoint.
///
/// @param name empty while no interface has claimed it
/// @param gatewayUse empty if there is no gateway
/// @param routes without the default routes
public record Nic(
        String name,
        Optional<NicAddress> ipv4,
        Optional<NicAddress> ipv6,
        Optional<GatewayUse> gatewayUse,
        List<PodRoute> routes) {

    public Nic {
        routes = List.copyOf(routes);
    }

    /// Whether the gateway becomes a default route.
    public enum GatewayUse {
        DEFAULT_ROUTE,

        /// The gateway is reported, but there is no default route to it.
        CLEAN
    }

    /// IPv4 before IPv6.
    public List<NicAddress> addresses() {
        return Stream.concat(ipv4.stream(), ipv6.stream()).toList();
    }

    /// All routes, the default ones first.
    public List<PodRoute> allRoutes() {
        var defaults = gatewayUse.filter(GatewayUse.DEFAULT_ROUTE::equals).isPresent()
                ? Stream.concat(
                        ipv4.flatMap(NicAddress::gateway).stream()
                                .map(gateway -> new PodRoute("0.0.0.0/0", gateway.toString())),
                        ipv6.flatMap(NicAddress::gateway).stream()
                                .map(gateway -> new PodRoute("::/0", gateway.toString())))
                : Stream.<PodRoute>empty();
        return Stream.concat(defaults, routes.stream()).toList();
    }

    Nic claimedBy(String nic) {
        return new Nic(nic, ipv4, ipv6, gatewayUse, routes);
    }

    Nic withRoute(PodRoute route) {
        return new Nic(
                name,
                ipv4,
                ipv6,
                gatewayUse,
                Stream.concat(routes.stream(), Stream.of(route)).toList());
    }
}
