package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static io.cadastre.linux.NetworkNamespaces.prefix;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.linux.probe.ArpProbe;
import io.cadastre.linux.probe.ProbeTiming;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pod's interface in the manner of Calico, from two empty namespaces to answered pings.
class PodInterfaceTest {

    private static final MacAddress HOST_MAC = mac("ee:ee:ee:ee:ee:ee");
    private static final String HOST_END = "cali12345678901";
    private static final Address GATEWAY = address("169.254.1.1");
    private static final Address POD = address("10.65.0.2");
    private static final Address POD_SIX = address("fd65::2");

    @AutoClose
    private final NetworkNamespaces namespaces = NetworkNamespaces.open();

    private final Namespace host = namespaces.namespace();
    private final Namespace pod = namespaces.namespace();
    private final Netlink onHost = namespaces.netlink(host);
    private final Netlink inPod = namespaces.netlink(pod);

    /// Proxy ARP answers for what the host would route elsewhere, so it needs an elsewhere.
    @BeforeEach
    void giveTheHostADefaultRouteAndAddresses() {
        var fabric = namespaces.namespace();
        onHost.links().createVeth(VethEnd.named("uplink"), VethEnd.named("host"), fabric);
        int uplink = onHost.links().find("uplink").orElseThrow().index();
        onHost.links().setUp(uplink);
        onHost.addresses().add(LinkAddress.within(uplink, address("192.0.2.1"), 24));
        onHost.routes().add(Route.via(prefix("0.0.0.0/0"), address("192.0.2.254"), uplink));
        int loopback = onHost.links().find("lo").orElseThrow().index();
        onHost.links().setUp(loopback);
        onHost.addresses().add(LinkAddress.alone(loopback, address("10.99.0.1")));
        onHost.addresses().add(LinkAddress.alone(loopback, address("fd99::1")));
    }

    @Test
    void d01PodPingsTheHostAndItsInterfaceGoesWithTheHostsEnd() {
        attach();

        assertThat(reachable("10.99.0.1")).isTrue();
        assertThat(reachable("fd99::1")).isTrue();
        onHost.links().delete(onHost.links().find(HOST_END).orElseThrow().index());

        assertThat(inPod.links().find("eth0")).isEmpty();
    }

    @Test
    void d02GatewayAnswersThePodWithTheFixedMac() {
        attach();
        var eth0 = inPod.links().find("eth0").orElseThrow();
        var probe = new ArpProbe(pod, eth0, new ProbeTiming(10, Duration.ofSeconds(1)));

        var gateway = probe.findGateway(POD, GATEWAY);

        assertThat(gateway).contains(HOST_MAC);
    }

    /// A probe claims no address, and proxy ARP answers only who does.
    @Test
    void gatewayDoesNotAnswerAProbe() {
        attach();
        var eth0 = inPod.links().find("eth0").orElseThrow();
        var probe = new ArpProbe(pod, eth0, ProbeTiming.DEFAULT);

        var holder = probe.findHolder(GATEWAY);

        assertThat(holder).isEmpty();
    }

    /// The kernel gives the address as soon as both ends are up, which it notices on its own time.
    @Test
    void fixedMacGivesItsLinkLocalAddressThatIsNeverTentative() {
        attach();
        int end = onHost.links().find(HOST_END).orElseThrow().index();

        var addresses = await().atMost(Duration.ofSeconds(10))
                .until(() -> onHost.addresses().ofLink(end), found -> !found.isEmpty());

        assertThat(addresses).singleElement().satisfies(found -> {
            assertThat(found.address()).isEqualTo(address("fe80::ecee:eeff:feee:eeee"));
            assertThat(found.tentative()).isFalse();
        });
    }

    private void attach() {
        inPod.links()
                .createVeth(
                        VethEnd.named("eth0").withMtu(1440).withQueues(1, 1),
                        VethEnd.named(HOST_END).withMtu(1440).withQueues(1, 1),
                        host);
        int end = onHost.links().find(HOST_END).orElseThrow().index();
        int eth0 = inPod.links().find("eth0").orElseThrow().index();
        onHost.links().setMac(end, HOST_MAC);
        new Sysctl(pod).write("net/ipv6/conf/eth0/accept_dad", "0");
        new Sysctl(host).writeAll(hostSettings());
        onHost.links().setUp(end);
        inPod.links().setUp(eth0);
        inPod.routes().add(Route.direct(new Prefix(GATEWAY, 32), eth0));
        inPod.routes().add(Route.via(prefix("0.0.0.0/0"), GATEWAY, eth0));
        inPod.routes().add(Route.via(prefix("::/0"), HOST_MAC.linkLocal(), eth0));
        inPod.addresses().add(LinkAddress.alone(eth0, POD));
        inPod.addresses().add(LinkAddress.alone(eth0, POD_SIX));
        onHost.routes().add(Route.direct(new Prefix(POD, 32), end));
        onHost.routes().add(Route.direct(new Prefix(POD_SIX, 128), end));
    }

    private static SequencedMap<String, String> hostSettings() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("net/ipv4/conf/%s/route_localnet".formatted(HOST_END), "1");
        settings.put("net/ipv4/neigh/%s/proxy_delay".formatted(HOST_END), "0");
        settings.put("net/ipv4/conf/%s/proxy_arp".formatted(HOST_END), "1");
        settings.put("net/ipv4/conf/%s/forwarding".formatted(HOST_END), "1");
        settings.put("net/ipv6/conf/%s/accept_dad".formatted(HOST_END), "0");
        settings.put("net/ipv6/conf/%s/disable_ipv6".formatted(HOST_END), "0");
        settings.put("net/ipv6/conf/%s/proxy_ndp".formatted(HOST_END), "1");
        settings.put("net/ipv6/conf/%s/forwarding".formatted(HOST_END), "1");
        settings.put("net/ipv6/conf/%s/accept_ra".formatted(HOST_END), "0");
        return settings;
    }

    /// Sends echo requests from inside the pod.
    private boolean reachable(String target) {
        return pod.inside(() -> {
            try {
                return InetAddress.getByAddress(AddressBytes.of(address(target)))
                        .isReachable(5_000);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }
}
