package io.cadastre.linux;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.ArrayList;
import java.util.List;

/// Routes as netlink writes them.
final class RouteMessages {

    private static final int NEW = 24;
    private static final int DELETE = 25;
    private static final int GET = 26;

    private static final int FIXED_BYTES = 12;
    private static final int ON_LINK = 4;

    private static final int DESTINATION = 1;
    private static final int LINK = 4;
    private static final int GATEWAY = 5;
    private static final int PRIORITY = 6;
    private static final int METRICS = 8;
    private static final int MULTIPATH = 9;
    private static final int TABLE = 15;
    private static final int VIA = 18;

    private static final int METRIC_MTU = 2;
    private static final int METRIC_ADVERTISED_MSS = 8;

    private static final int HOP_BYTES = 8;
    private static final int TABLE_IN_FIXED_PART_MAX = 255;

    private RouteMessages() {}

    static NetlinkRequest add(Route route) {
        return change(NetlinkRequest.of(NEW, NetlinkRequest.CREATE | NetlinkRequest.EXCLUSIVE), route);
    }

    static NetlinkRequest replace(Route route) {
        return change(NetlinkRequest.of(NEW, NetlinkRequest.CREATE | NetlinkRequest.REPLACE), route);
    }

    /// Matches a route of any scope, protocol and type.
    static NetlinkRequest delete(Route route) {
        var any = new Route(
                route.destination(),
                route.linkIndex(),
                route.nextHop(),
                route.table(),
                route.priority(),
                Route.Scope.NOWHERE,
                new Route.Protocol(0),
                new Route.Type(0),
                0,
                0);
        return change(NetlinkRequest.of(DELETE, 0), any);
    }

    static NetlinkRequest all(Family family) {
        return NetlinkRequest.dump(GET)
                .u8(AddressBytes.numberOf(family))
                .u8(0)
                .u16(0)
                .i32(0)
                .i32(0);
    }

    static NetlinkRequest ofLink(Family family, int linkIndex) {
        return all(family).attribute(LINK, linkIndex);
    }

    /// None for a route of a family that is not ours, several for one with several next hops.
    static List<Route> read(Payload payload) {
        if (!AddressBytes.known(payload.u8(0))) {
            return List.of();
        }
        var attributes = Attributes.read(payload.from(FIXED_BYTES));
        var multipath = attributes.find(MULTIPATH);
        return multipath.isEmpty()
                ? List.of(route(payload, attributes, attributes, payload.i32(8), 0))
                : hops(payload, attributes, multipath.get());
    }

    private static List<Route> hops(Payload payload, Attributes attributes, Payload multipath) {
        var routes = new ArrayList<Route>();
        int offset = 0;
        // Ends: every hop has at least its fixed part.
        while (multipath.size() - offset >= HOP_BYTES) {
            int size = multipath.u16(offset);
            if (size < HOP_BYTES) {
                throw malformed("a next hop of %d bytes".formatted(size));
            }
            var hop = multipath.part(offset, size);
            routes.add(route(payload, attributes, Attributes.read(hop.from(HOP_BYTES)), hop.u8(2), hop.i32(4)));
            offset += NetlinkRequest.aligned(size);
        }
        return routes;
    }

    /// @param hop where the next hop's attributes are
    /// @param hopLink the link of a hop among several; zero where it is an attribute
    private static Route route(Payload payload, Attributes attributes, Attributes hop, int hopFlags, int hopLink) {
        var metrics = attributes.nested(METRICS);
        return new Route(
                destination(payload, attributes),
                hopLink == 0 ? attributes.i32(LINK) : hopLink,
                nextHop(hop, hopFlags),
                attributes.find(TABLE).map(value -> value.i32(0)).orElse(payload.u8(4)),
                attributes.i32(PRIORITY),
                new Route.Scope(payload.u8(6)),
                new Route.Protocol(payload.u8(5)),
                new Route.Type(payload.u8(7)),
                metrics.i32(METRIC_MTU),
                metrics.i32(METRIC_ADVERTISED_MSS));
    }

    private static Prefix destination(Payload payload, Attributes attributes) {
        var family = AddressBytes.familyOf(payload.u8(0));
        int length = payload.u8(1);
        var address = attributes.findAddress(DESTINATION).orElseGet(() -> AddressBytes.zero(family));
        if (address.family() != family || length > family.bits()) {
            throw malformed("a destination of another family");
        }
        return Prefix.containing(address, length);
    }

    private static Route.NextHop nextHop(Attributes hop, int flags) {
        return hop.findAddress(GATEWAY)
                .or(() -> hop.find(VIA).map(via -> AddressBytes.read(via.from(2).bytes())))
                .map(gateway -> nextHop(gateway, flags))
                .orElseGet(Route.NextHop.Direct::new);
    }

    private static Route.NextHop nextHop(Address gateway, int flags) {
        return (flags & ON_LINK) != 0 ? new Route.NextHop.ViaOnLink(gateway) : new Route.NextHop.Via(gateway);
    }

    private static NetlinkRequest change(NetlinkRequest request, Route route) {
        var destination = route.destination();
        request.u8(AddressBytes.numberOf(route.family()))
                .u8(destination.length())
                .u8(0)
                .u8(0)
                .u8(tableInFixedPart(route.table()))
                .u8(route.protocol().number())
                .u8(route.scope().number())
                .u8(route.type().number())
                .i32(route.nextHop() instanceof Route.NextHop.ViaOnLink ? ON_LINK : 0);
        if (destination.length() > 0) {
            request.attribute(DESTINATION, destination.address());
        }
        request.attributeUnlessZero(LINK, route.linkIndex())
                .attributeUnlessZero(PRIORITY, route.priority())
                .attribute(TABLE, route.table());
        switch (route.nextHop()) {
            case Route.NextHop.Direct _ -> {}
            case Route.NextHop.Via(var gateway) -> gateway(request, route, gateway);
            case Route.NextHop.ViaOnLink(var gateway) -> gateway(request, route, gateway);
        }
        if (route.mtu() != 0 || route.advertisedMss() != 0) {
            request.nested(
                    METRICS,
                    metrics -> metrics.attributeUnlessZero(METRIC_MTU, route.mtu())
                            .attributeUnlessZero(METRIC_ADVERTISED_MSS, route.advertisedMss()));
        }
        return request;
    }

    private static void gateway(NetlinkRequest request, Route route, Address gateway) {
        if (gateway.family() == route.family()) {
            request.attribute(GATEWAY, gateway);
        } else {
            request.nested(VIA, via -> {
                via.u16(AddressBytes.numberOf(gateway.family()));
                via.raw(AddressBytes.of(gateway));
            });
        }
    }

    /// Tables beyond those of the fixed part's byte are named by the attribute alone.
    private static int tableInFixedPart(int table) {
        return Integer.compareUnsigned(table, TABLE_IN_FIXED_PART_MAX) <= 0 ? table : 0;
    }

    private static LinuxException malformed(String fault) {
        return LinuxException.malformed("read a route", fault);
    }
}
