package io.cadastre.linux;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;

/// One route. Of a route with several next hops, each hop is read as a route of its own.
///
/// Numbers that the kernel takes for unsigned are kept as they are.
///
/// @param destination `0.0.0.0/0` or `::/0` for the default route
/// @param linkIndex zero where packets leave by no link
/// @param priority the lower wins; zero for the kernel's default, which is 1024 for IPv6
/// @param mtu zero for that of the link
/// @param advertisedMss zero for what the MTU gives
public record Route(
        Prefix destination,
        int linkIndex,
        NextHop nextHop,
        int table,
        int priority,
        Scope scope,
        Protocol protocol,
        Type type,
        int mtu,
        int advertisedMss) {

    public static final int TABLE_MAIN = 254;
    public static final int TABLE_LOCAL = 255;

    /// A route to what is on the link itself.
    public static Route direct(Prefix destination, int linkIndex) {
        return plain(destination, linkIndex, new NextHop.Direct(), Scope.LINK);
    }

    /// A route by way of a neighbour, to which there must be a route already.
    public static Route via(Prefix destination, Address gateway, int linkIndex) {
        return plain(destination, linkIndex, new NextHop.Via(gateway), Scope.UNIVERSE);
    }

    /// A route by way of a neighbour that is taken to be on the link, whatever other routes say.
    /// The kernel refuses it with `EINVAL` while the namespace has no local IPv4 route at all, not even
    /// loopback's.
    public static Route viaOnLink(Prefix destination, Address gateway, int linkIndex) {
        return plain(destination, linkIndex, new NextHop.ViaOnLink(gateway), Scope.UNIVERSE);
    }

    private static Route plain(Prefix destination, int linkIndex, NextHop nextHop, Scope scope) {
        return new Route(destination, linkIndex, nextHop, TABLE_MAIN, 0, scope, Protocol.BOOT, Type.UNICAST, 0, 0);
    }

    public Route withTable(int newTable) {
        return new Route(
                destination, linkIndex, nextHop, newTable, priority, scope, protocol, type, mtu, advertisedMss);
    }

    public Route withPriority(int newPriority) {
        return new Route(
                destination, linkIndex, nextHop, table, newPriority, scope, protocol, type, mtu, advertisedMss);
    }

    public Route withScope(Scope newScope) {
        return new Route(
                destination, linkIndex, nextHop, table, priority, newScope, protocol, type, mtu, advertisedMss);
    }

    public Route withProtocol(Protocol newProtocol) {
        return new Route(
                destination, linkIndex, nextHop, table, priority, scope, newProtocol, type, mtu, advertisedMss);
    }

    public Route withMtu(int newMtu) {
        return new Route(
                destination, linkIndex, nextHop, table, priority, scope, protocol, type, newMtu, advertisedMss);
    }

    public Route withAdvertisedMss(int newAdvertisedMss) {
        return new Route(
                destination, linkIndex, nextHop, table, priority, scope, protocol, type, mtu, newAdvertisedMss);
    }

    public Family family() {
        return destination.family();
    }

    @Override
    public String toString() {
        var hop =
                switch (nextHop) {
                    case NextHop.Direct _ -> "";
                    case NextHop.Via(var gateway) -> " via " + gateway;
                    case NextHop.ViaOnLink(var gateway) -> " via %s on link".formatted(gateway);
                };
        return "%s%s by link %d in table %s".formatted(destination, hop, linkIndex, Integer.toUnsignedString(table));
    }

    /// The next receiver of a packet.
    public sealed interface NextHop {

        /// To its destination itself.
        record Direct() implements NextHop {}

        /// To a neighbour, of either family.
        record Via(Address gateway) implements NextHop {}

        /// To a neighbour that is on the link, whatever the routes say.
        record ViaOnLink(Address gateway) implements NextHop {}
    }

    /// How far away a destination is. The kernel has no scopes for IPv6 and always says
    /// [#UNIVERSE] there.
    public record Scope(int number) {
        public static final Scope UNIVERSE = new Scope(0);
        public static final Scope SITE = new Scope(200);
        public static final Scope LINK = new Scope(253);
        public static final Scope HOST = new Scope(254);
        public static final Scope NOWHERE = new Scope(255);
    }

    /// The origin of a route.
    public record Protocol(int number) {
        public static final Protocol KERNEL = new Protocol(2);

        /// Used by a program that does not identify itself.
        public static final Protocol BOOT = new Protocol(3);

        public static final Protocol STATIC = new Protocol(4);
    }

    /// What becomes of a packet.
    public record Type(int number) {
        public static final Type UNICAST = new Type(1);
        public static final Type LOCAL = new Type(2);
        public static final Type BLACKHOLE = new Type(6);
    }
}
