package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.ip;
import static io.cadastre.linux.NetworkNamespaces.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cadastre.address.Family;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RoutesTest {

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();
    private final Routes routes = wire.onHere().routes();
    private final int left = wire.left().index();

    @Test
    void defaultRouteGoesByWayOfAGatewayOnTheLink() {
        var toGateway = Route.direct(prefix("169.254.1.1/32"), left);
        var byDefault = Route.via(prefix("0.0.0.0/0"), address("169.254.1.1"), left);

        routes.add(toGateway);
        routes.add(byDefault);

        assertThat(routes.list(Family.IPV4)).contains(toGateway, byDefault);
        assertThat(ip(wire.here(), "route"))
                .contains("default via 169.254.1.1 dev left")
                .contains("169.254.1.1 dev left scope link");
    }

    @Test
    void ipv6RouteComesBackWithoutScopeAndWithADefaultPriority() {
        var toGateway = Route.direct(prefix("fd00::1/128"), left);
        var byDefault = Route.via(prefix("::/0"), address("fd00::1"), left);

        routes.add(toGateway);
        routes.add(byDefault);

        assertThat(routes.ofLink(left))
                .contains(toGateway.withScope(Route.Scope.UNIVERSE).withPriority(1024), byDefault.withPriority(1024));
    }

    @Test
    void tablePriorityAndMetricsAreKept() {
        var route = Route.direct(prefix("10.9.0.0/16"), left)
                .withTable(100_000)
                .withPriority(77)
                .withMtu(1300)
                .withAdvertisedMss(1200)
                .withProtocol(Route.Protocol.STATIC);

        routes.add(route);

        assertThat(routes.ofLink(left)).contains(route);
    }

    @Test
    void gatewayMayBeTakenToBeOnTheLink() {
        var route = Route.viaOnLink(prefix("10.9.0.0/16"), address("192.0.2.1"), left);

        routes.add(route);

        assertThat(routes.ofLink(left)).contains(route);
    }

    @Test
    void ipv4RouteMayGoByWayOfAnIpv6Gateway() {
        var route = Route.via(prefix("10.9.0.0/16"), address("fe80::1"), left);

        routes.add(route);

        assertThat(routes.ofLink(left)).contains(route);
    }

    @Test
    void routeWithSeveralNextHopsIsReadAsOneForEach() {
        routes.add(Route.direct(prefix("192.0.2.0/24"), left));

        ip(
                wire.here(),
                "route",
                "add",
                "10.9.0.0/16",
                "nexthop",
                "via",
                "192.0.2.1",
                "dev",
                "left",
                "nexthop",
                "via",
                "192.0.2.2",
                "dev",
                "left",
                "onlink");

        assertThat(routes.list(Family.IPV4))
                .filteredOn(route -> route.destination().equals(prefix("10.9.0.0/16")))
                .containsExactlyInAnyOrder(
                        Route.via(prefix("10.9.0.0/16"), address("192.0.2.1"), left),
                        Route.viaOnLink(prefix("10.9.0.0/16"), address("192.0.2.2"), left));
    }

    @Test
    void blackholeIsReadWithItsType() {
        ip(wire.here(), "route", "add", "blackhole", "10.65.0.0/26");

        assertThat(routes.list())
                .filteredOn(route -> route.destination().equals(prefix("10.65.0.0/26")))
                .singleElement()
                .satisfies(route -> assertThat(route.type()).isEqualTo(Route.Type.BLACKHOLE));
    }

    @Test
    void routesOfTheKernelAreListedToo() {
        wire.onHere().addresses().add(LinkAddress.alone(left, address("10.0.0.7")));

        assertThat(routes.ofLink(left))
                .filteredOn(route -> route.destination().equals(prefix("10.0.0.7/32")))
                .singleElement()
                .satisfies(route -> {
                    assertThat(route.table()).isEqualTo(Route.TABLE_LOCAL);
                    assertThat(route.type()).isEqualTo(Route.Type.LOCAL);
                    assertThat(route.protocol()).isEqualTo(Route.Protocol.KERNEL);
                    assertThat(route.scope()).isEqualTo(Route.Scope.HOST);
                });
    }

    @Test
    void gatewayWithoutARouteIsUnreachable() {
        var refused = refusal(() -> routes.add(Route.via(prefix("0.0.0.0/0"), address("169.254.1.1"), left)));

        assertThat(refused.errno()).isEqualTo(Errno.ENETUNREACH);
        assertThat(refused.explanation()).contains("Nexthop has invalid gateway");
    }

    @Test
    void linkThatIsDownTakesNoRoute() {
        wire.onHere().links().setDown(left);

        var refused = refusal(() -> routes.add(Route.direct(prefix("10.9.0.0/16"), left)));

        assertThat(refused.errno()).isEqualTo(Errno.ENETDOWN);
    }

    @Test
    void routeThatIsThereAlreadyIsRefused() {
        var first = Route.direct(prefix("10.9.0.0/16"), left);
        var second = Route.direct(prefix("fd09::/32"), left);
        routes.add(first);
        routes.add(second);

        assertThat(refusal(() -> routes.add(first)).errno()).isEqualTo(Errno.EEXIST);
        assertThat(refusal(() -> routes.add(second)).errno()).isEqualTo(Errno.EEXIST);
    }

    @Test
    void routeIsReplaced() {
        routes.add(Route.direct(prefix("10.9.0.0/16"), left));

        routes.replace(Route.direct(prefix("10.9.0.0/16"), left).withMtu(1300));
        routes.replace(Route.direct(prefix("10.10.0.0/16"), left));

        assertThat(routes.ofLink(left))
                .filteredOn(route -> route.scope().equals(Route.Scope.LINK))
                .containsExactlyInAnyOrder(
                        Route.direct(prefix("10.9.0.0/16"), left).withMtu(1300),
                        Route.direct(prefix("10.10.0.0/16"), left));
    }

    @Test
    void routesOfBothFamiliesAreDeleted() {
        var toGateway = Route.direct(prefix("169.254.1.1/32"), left);
        var byDefault = Route.via(prefix("0.0.0.0/0"), address("169.254.1.1"), left);
        var six = Route.direct(prefix("fd09::/32"), left);
        routes.add(toGateway);
        routes.add(byDefault);
        routes.add(six);

        routes.delete(byDefault);
        routes.delete(toGateway);
        routes.delete(six);

        assertThat(routes.ofLink(left))
                .extracting(Route::destination)
                .doesNotContain(prefix("0.0.0.0/0"), prefix("169.254.1.1/32"), prefix("fd09::/32"));
        assertThat(refusal(() -> routes.delete(toGateway)).errno()).isEqualTo(Errno.ESRCH);
        assertThat(refusal(() -> routes.delete(six)).errno()).isEqualTo(Errno.ESRCH);
    }

    /// A dump of this size comes in many datagrams.
    @Test
    void thousandsOfRoutesAreListedWithoutAGap() {
        for (int third = 0; third < 3_000; third++) {
            routes.add(Route.direct(prefix("10.%d.%d.0/24".formatted(third / 250, third % 250)), left));
        }

        var listed = routes.ofLink(left);

        assertThat(listed)
                .filteredOn(route -> route.scope().equals(Route.Scope.LINK))
                .hasSize(3_000)
                .doesNotHaveDuplicates();
    }

    private static LinuxException refusal(Runnable change) {
        return catchThrowableOfType(LinuxException.class, change::run);
    }
}
