package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LinksTest {

    private static final int MISSING = 4_711;

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final Namespace host = namespaces.namespace();
    private final Namespace pod = namespaces.namespace();
    private final Links onHost = namespaces.netlink(host).links();
    private final Links inPod = namespaces.netlink(pod).links();

    @Test
    void newNamespaceHasNothingButLoopback() {
        var links = inPod.list();

        assertThat(links)
                .filteredOn(link -> link.name().equals("lo"))
                .singleElement()
                .satisfies(loopback -> {
                    assertThat(loopback.up()).isFalse();
                    assertThat(loopback.mtu()).isEqualTo(65_536);
                    assertThat(loopback.kind()).isEmpty();
                    assertThat(loopback.mac()).isEqualTo(MacAddress.NONE);
                    assertThat(loopback.counterpart()).isEqualTo(new Link.Counterpart.None());
                });
    }

    /// As sysfs shows it of the namespace of this process.
    @Test
    void linkSaysOfWhichDeviceItIs() throws Exception {
        try (var own = Namespace.current();
                var netlink = Netlink.open(own)) {
            for (var link : netlink.links().list()) {
                var device = Path.of("/sys/class/net", link.name(), "device");
                var expected =
                        Files.exists(device) ? device.toRealPath().getFileName().toString() : "";

                assertThat(link.device()).as(link.name()).isEqualTo(expected);
            }
        }
    }

    @Test
    void missingLinkIsNotFound() {
        assertThat(inPod.find("eth0")).isEmpty();
        assertThat(inPod.find(MISSING)).isEmpty();
    }

    @Test
    void vethPairReachesAcrossNamespacesWithItsMtuAndQueues() {
        inPod.createVeth(
                VethEnd.named("eth0").withMtu(1440).withQueues(2, 3),
                VethEnd.named("cali.1").withMtu(1440).withQueues(2, 3),
                host);

        var end = onHost.find("cali.1").orElseThrow();
        var eth0 = inPod.find("eth0").orElseThrow();
        assertThat(eth0.kind()).isEqualTo("veth");
        assertThat(eth0.mtu()).isEqualTo(1440);
        assertThat(eth0.transmitQueues()).isEqualTo(2);
        assertThat(eth0.receiveQueues()).isEqualTo(3);
        assertThat(eth0.up()).isFalse();
        assertThat(end.mtu()).isEqualTo(1440);
        assertThat(end.transmitQueues()).isEqualTo(2);
        assertThat(end.receiveQueues()).isEqualTo(3);
        assertThat(eth0.counterpart())
                .isInstanceOfSatisfying(
                        Link.Counterpart.Elsewhere.class,
                        far -> assertThat(far.index()).isEqualTo(end.index()));
        assertThat(inPod.find(eth0.index())).contains(eth0);
    }

    @Test
    void numberOfTheOtherNamespaceIsTheSameForEveryLinkThatLeadsThere() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);
        inPod.createVeth(VethEnd.named("eth1"), VethEnd.named("cali1"), host);

        var first =
                (Link.Counterpart.Elsewhere) inPod.find("eth0").orElseThrow().counterpart();
        var second =
                (Link.Counterpart.Elsewhere) inPod.find("eth1").orElseThrow().counterpart();

        assertThat(first.namespaceId()).isEqualTo(second.namespaceId()).isNotNegative();
    }

    @Test
    void pairInsideOneNamespaceKnowsItsCounterpartHere() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("eth1"), pod);

        var eth0 = inPod.find("eth0").orElseThrow();
        var eth1 = inPod.find("eth1").orElseThrow();

        assertThat(eth0.counterpart()).isEqualTo(new Link.Counterpart.Here(eth1.index()));
        assertThat(eth1.counterpart()).isEqualTo(new Link.Counterpart.Here(eth0.index()));
    }

    @Test
    void hardwareAddressesGivenForBothEndsAreKept() {
        inPod.createVeth(
                VethEnd.named("eth0").withMac(mac("02:00:00:00:00:01")),
                VethEnd.named("cali0").withMac(mac("ee:ee:ee:ee:ee:ee")),
                host);

        assertThat(inPod.find("eth0").orElseThrow().mac()).isEqualTo(mac("02:00:00:00:00:01"));
        assertThat(onHost.find("cali0").orElseThrow().mac()).isEqualTo(mac("ee:ee:ee:ee:ee:ee"));
    }

    @Test
    void nameTakenOnEitherSideIsRefusedAndNothingIsCreated() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);

        var here = refusal(() -> inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("x"), host));
        var there = refusal(() -> inPod.createVeth(VethEnd.named("x"), VethEnd.named("cali0"), host));

        assertThat(here.errno()).isEqualTo(Errno.EEXIST);
        assertThat(there.errno()).isEqualTo(Errno.EEXIST);
        assertThat(inPod.find("x")).isEmpty();
        assertThat(onHost.find("x")).isEmpty();
    }

    @Test
    void nameOfSixteenBytesIsOutOfRange() {
        var refused = refusal(() -> inPod.createVeth(VethEnd.named("abcdefghijklmnop"), VethEnd.named("cali0"), host));

        assertThat(refused.errno()).isEqualTo(Errno.ERANGE);
        assertThat(refused.operation()).contains("abcdefghijklmnop");
    }

    @Test
    void linkIsUpWithCarrierWhenBothEndsAreUp() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);
        var eth0 = inPod.find("eth0").orElseThrow();
        var cali0 = onHost.find("cali0").orElseThrow();

        inPod.setUp(eth0.index());
        var alone = inPod.find("eth0").orElseThrow();
        onHost.setUp(cali0.index());
        var both = inPod.find("eth0").orElseThrow();
        inPod.setDown(eth0.index());
        var down = inPod.find("eth0").orElseThrow();

        assertThat(alone.up()).isTrue();
        assertThat(alone.carrier()).isFalse();
        assertThat(both.carrier()).isTrue();
        assertThat(down.up()).isFalse();
    }

    @Test
    void macMtuAndNameAreChanged() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);
        int index = inPod.find("eth0").orElseThrow().index();

        inPod.setMac(index, mac("02:00:00:00:00:07"));
        inPod.setMtu(index, 1300);
        inPod.rename(index, "net1.100");

        var changed = inPod.find(index).orElseThrow();
        assertThat(changed.name()).isEqualTo("net1.100");
        assertThat(changed.mac()).isEqualTo(mac("02:00:00:00:00:07"));
        assertThat(changed.mtu()).isEqualTo(1300);
        assertThat(inPod.find("eth0")).isEmpty();
    }

    @Test
    void groupAddressIsRefusedAsAHardwareAddress() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);
        int index = inPod.find("eth0").orElseThrow().index();

        var refused = refusal(() -> inPod.setMac(index, mac("01:00:5e:00:00:01")));

        assertThat(refused.errno()).isEqualTo(Errno.EADDRNOTAVAIL);
    }

    @Test
    void linkMovesToAnotherNamespace() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("eth1"), pod);

        inPod.move(inPod.find("eth1").orElseThrow().index(), host);

        assertThat(inPod.find("eth1")).isEmpty();
        assertThat(onHost.find("eth1")).isPresent();
    }

    @Test
    void oneEndTakesTheOtherWithIt() {
        inPod.createVeth(VethEnd.named("eth0"), VethEnd.named("cali0"), host);

        onHost.delete(onHost.find("cali0").orElseThrow().index());

        assertThat(inPod.find("eth0")).isEmpty();
    }

    @Test
    void changeOfAMissingLinkNamesTheErrno() {
        assertThat(refusal(() -> inPod.delete(MISSING)).errno()).isEqualTo(Errno.ENODEV);
        assertThat(refusal(() -> inPod.setUp(MISSING)).errno()).isEqualTo(Errno.ENODEV);
        assertThat(refusal(() -> inPod.rename(MISSING, "x"))).hasMessage("rename link 4711 to \"x\": no such device");
    }

    private static LinuxException refusal(Runnable change) {
        return catchThrowableOfType(LinuxException.class, change::run);
    }

    /// Not every kernel has them, and then it says so and makes nothing.
    @Test
    void netkitPairIsMadeOrRefusedAsUnknown() {
        var refused = catchThrowableOfType(
                LinuxException.class, () -> onHost.createNetkit(VethEnd.named("cali1"), VethEnd.named("eth0"), pod));

        if (refused == null) {
            assertThat(onHost.find("cali1").orElseThrow().kind()).isEqualTo("netkit");
            assertThat(inPod.find("eth0").orElseThrow().kind()).isEqualTo("netkit");
        } else {
            assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
            assertThat(onHost.find("cali1")).isEmpty();
            assertThat(inPod.find("eth0")).isEmpty();
        }
    }
}
