package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Route;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

class WiringTest {

    private static final Address FOUR = Address.parse("10.65.0.2");
    private static final Address SIX = Address.parse("fd65::2");

    @AutoClose private final Village village = Village.found();

    private final Village.House house = village.house();

    @AutoClose
    private final Wiring wiring =
            Wiring.open(
                    new Host(
                            () -> Namespace.open(village.host().path()),
                            _ -> Optional.empty(),
                            _ -> true,
                            "cali",
                            village.log()::add),
                    house.path(),
                    WiringTest::waitFor);

    private static void waitFor(Duration duration) {
        LockSupport.parkNanos(duration.toNanos());
    }

    private static LinkPlan plan(LinkPlan.HostRoutes hostRoutes) {
        return new LinkPlan(
                "eth0",
                "cali1",
                LinkPlan.Device.VETH,
                1440,
                2,
                MacAddress.NONE,
                false,
                List.of(FOUR, SIX),
                List.of(Prefix.parse("0.0.0.0/0"), Prefix.parse("::/0")),
                hostRoutes);
    }

    @Test
    void m26RouteThatIsThereAlreadyOnOurLinkIsFine() throws InterruptedException {
        var plan = plan(LinkPlan.HostRoutes.ADDED);
        var pair = wiring.create(plan);
        int index = pair.host().index();
        village.onHost().links().setUp(index);
        village.onHost().routes().add(Route.direct(new Prefix(FOUR, 32), index));
        village.onHost().routes().add(Route.direct(new Prefix(SIX, 128), index));

        wiring.configure(plan, pair);

        assertThat(village.routed("10.65.0.2", "cali1")).isTrue();
        assertThat(village.routed("fd65::2", "cali1")).isTrue();
    }

    @Test
    void routesOnTheHostMayBeLeftToOthers() throws InterruptedException {
        var plan = plan(LinkPlan.HostRoutes.LEFT_TO_OTHERS);

        wiring.configure(plan, wiring.create(plan));

        assertThat(village.routed("10.65.0.2", "cali1")).isFalse();
        assertThat(house.addresses("eth0")).contains("10.65.0.2/32");
    }

    @Test
    void bothEndsHaveTheSizeAndTheQueuesThatWereAskedFor() {
        var pair = wiring.create(plan(LinkPlan.HostRoutes.ADDED));

        assertThat(List.of(pair.host(), pair.pod()))
                .allSatisfy(
                        link -> {
                            assertThat(link.mtu()).isEqualTo(1440);
                            assertThat(link.transmitQueues()).isEqualTo(2);
                            assertThat(link.receiveQueues()).isEqualTo(2);
                        });
    }

    @Test
    void pairIsRemovedAndNotAnotherOfItsName() {
        var first = wiring.create(plan(LinkPlan.HostRoutes.ADDED));
        var second = wiring.create(plan(LinkPlan.HostRoutes.ADDED));

        wiring.remove(first.host());

        assertThat(village.hostLink("cali1").orElseThrow().index())
                .isEqualTo(second.host().index());
        wiring.remove(second.host());
        assertThat(village.hostLink("cali1")).isEmpty();
    }
}
