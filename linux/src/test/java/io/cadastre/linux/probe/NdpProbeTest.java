package io.cadastre.linux.probe;

import static io.cadastre.linux.NetworkNamespaces.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.linux.Link;
import io.cadastre.linux.LinkAddress;
import io.cadastre.linux.Netlink;
import io.cadastre.linux.NetworkNamespaces;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class NdpProbeTest {

    private static final ProbeTiming PATIENT = new ProbeTiming(10, Duration.ofSeconds(1));
    private static final ProbeTiming HASTY = new ProbeTiming(2, Duration.ofMillis(30));

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final NetworkNamespaces.Wire wire = namespaces.wire();

    @Test
    void neighbourThatHasTheAddressIsFound() {
        give(wire.onThere(), wire.right(), address("fd00::7"));

        var holder = new NdpProbe(wire.here(), wire.left(), PATIENT).findHolder(address("fd00::7"));

        assertThat(holder).contains(wire.right().mac());
    }

    @Test
    void addressWithoutAHolderIsFree() {
        give(wire.onThere(), wire.right(), address("fd00::7"));

        var holder = new NdpProbe(wire.here(), wire.left(), HASTY).findHolder(address("fd00::8"));

        assertThat(holder).isEmpty();
    }

    @Test
    void ownAddressHasNoOtherHolder() {
        give(wire.onHere(), wire.left(), address("fd00::7"));

        var holder = new NdpProbe(wire.here(), wire.left(), HASTY).findHolder(address("fd00::7"));

        assertThat(holder).isEmpty();
    }

    @Test
    void gatewayAnswersToItsLinkLocalAddress() {
        var gateway = wire.right().mac().linkLocal();
        var own = address("fd00::7");
        give(wire.onHere(), wire.left(), own);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> wire.onThere().addresses().ofLink(wire.right().index()).stream()
                        .anyMatch(found -> found.address().equals(gateway) && !found.tentative()));

        var found = new NdpProbe(wire.here(), wire.left(), PATIENT).findGateway(own, gateway);

        assertThat(found).contains(wire.right().mac());
    }

    @Test
    void silentGatewayIsNotFound() {
        give(wire.onHere(), wire.left(), address("fd00::7"));

        var found = new NdpProbe(wire.here(), wire.left(), HASTY).findGateway(address("fd00::7"), address("fe80::1"));

        assertThat(found).isEmpty();
    }

    @Test
    void neighbourLearnsFromAnAnnouncementWhoHasTheAddressNow() {
        give(wire.onThere(), wire.right(), address("fd00::1"));
        NetworkNamespaces.ip(
                wire.there(),
                "neigh",
                "replace",
                "fd00::7",
                "lladdr",
                "02:00:00:00:00:99",
                "dev",
                "right",
                "nud",
                "stale");

        new NdpProbe(wire.here(), wire.left(), HASTY).announce(address("fd00::7"));

        await().atMost(Duration.ofSeconds(30))
                .until(() -> NetworkNamespaces.ip(wire.there(), "neigh", "show", "fd00::7")
                        .contains(wire.left().mac().toString()));
    }

    private static void give(Netlink netlink, Link link, Address address) {
        netlink.addresses().add(LinkAddress.within(link.index(), address, 64).with(LinkAddress.Flag.NO_DAD));
    }
}
