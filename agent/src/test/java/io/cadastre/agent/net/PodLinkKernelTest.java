package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Namespace;
import io.cadastre.linux.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PodLinkKernelTest {

    private static final Address FOUR = Address.parse("10.65.0.2");
    private static final Address SIX = Address.parse("fd65::2");

    @AutoClose
    private final NetNode node = NetNode.found();

    private final NetNode.House house = node.house();

    @AutoClose
    private final PodLink link = PodLink.open(
            new Host(
                    () -> Namespace.open(node.host().path()),
                    _ -> Optional.empty(),
                    _ -> true,
                    "cali",
                    node.log()::add),
            house.path(),
            PodLinkKernelTest::waitFor);

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
        var pair = link.create(plan);
        int index = pair.host().index();
        node.onHost().links().setUp(index);
        node.onHost().routes().add(Route.direct(new Prefix(FOUR, 32), index));
        node.onHost().routes().add(Route.direct(new Prefix(SIX, 128), index));

        link.configure(plan, pair);

        assertThat(node.routed("10.65.0.2", "cali1")).isTrue();
        assertThat(node.routed("fd65::2", "cali1")).isTrue();
    }

    @Test
    void routesOnTheHostMayBeLeftToOthers() throws InterruptedException {
        var plan = plan(LinkPlan.HostRoutes.LEFT_TO_OTHERS);

        link.configure(plan, link.create(plan));

        assertThat(node.routed("10.65.0.2", "cali1")).isFalse();
        assertThat(house.addresses("eth0")).contains("10.65.0.2/32");
    }

    @Test
    void bothEndsHaveTheSizeAndTheQueuesThatWereAskedFor() {
        var pair = link.create(plan(LinkPlan.HostRoutes.ADDED));

        assertThat(List.of(pair.host(), pair.pod())).allSatisfy(link -> {
            assertThat(link.mtu()).isEqualTo(1440);
            assertThat(link.transmitQueues()).isEqualTo(2);
            assertThat(link.receiveQueues()).isEqualTo(2);
        });
    }

    @Test
    void pairIsRemovedAndNotAnotherOfItsName() {
        var first = link.create(plan(LinkPlan.HostRoutes.ADDED));
        var second = link.create(plan(LinkPlan.HostRoutes.ADDED));

        link.remove(first.host());

        assertThat(node.hostLink("cali1").orElseThrow().index())
                .isEqualTo(second.host().index());
        link.remove(second.host());
        assertThat(node.hostLink("cali1")).isEmpty();
    }
}
