package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.linux.MacAddress;
import io.cadastre.linux.Route;
import io.cadastre.linux.Sysctl;
import io.cadastre.linux.VethEnd;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniInterface;
import io.cadastre.wire.cni.CniVerb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Containers that are of no pod.
class ContainerLinkTest {

    private static final String LINK = "caliabc123";

    @AutoClose
    private final NetNode node = NetNode.found();

    private final NetNode.House house = node.house();
    private final Sandbox sandbox = Sandbox.of("abc123", house.path());

    @TempDir
    private Path folder = Path.of("");

    private String config(String members) {
        return """
            {"cniVersion":"1.1.0","name":"net1","type":"cadastre-net","nodename":"node-1",
            "nodename_file_optional":true,"ipam":%s%s}\
            """.formatted(node.hostLocal("\"subnet\":\"10.0.0.0/8\""), members);
    }

    private final String plain = config("");

    @Test
    void m01ContainerIsAttachedInTheMannerOfCalico() {
        var result = node.add(sandbox, plain);

        var outside = node.hostLink(LINK).orElseThrow();
        assertThat(outside.up()).isTrue();
        assertThat(outside.mtu()).isEqualTo(1500);
        assertThat(outside.mac()).isEqualTo(PodLink.HOST_MAC);
        assertThat(house.addresses("eth0")).containsExactly("10.0.0.2/32");
        assertThat(house.routes("eth0")).containsExactlyInAnyOrder("0.0.0.0/0 via 169.254.1.1", "169.254.1.1/32");
        assertThat(node.onHost().routes().ofLink(outside.index()))
                .filteredOn(route -> route.protocol().equals(Route.Protocol.BOOT))
                .singleElement()
                .satisfies(route -> {
                    assertThat(route.destination()).hasToString("10.0.0.2/32");
                    assertThat(route.scope()).isEqualTo(Route.Scope.LINK);
                });
        assertThat(node.hostSetting("net/ipv4/conf/%s/proxy_arp".formatted(LINK)))
                .isEqualTo("1");
        assertThat(node.hostSetting("net/ipv4/conf/%s/route_localnet".formatted(LINK)))
                .isEqualTo("1");
        assertThat(node.hostSetting("net/ipv4/conf/%s/forwarding".formatted(LINK)))
                .isEqualTo("1");
        assertThat(node.hostSetting("net/ipv4/neigh/%s/proxy_delay".formatted(LINK)))
                .isEqualTo("0");
        assertThat(house.setting("net/ipv4/ip_forward")).isEqualTo("0");
        assertThat(node.store().get("/calico/resources/v3/projectcalico.org/profiles/net1"))
                .get()
                .satisfies(profile -> assertThat(profile.value().utf8()).contains("\"selector\":\"has(net1)\""));
        assertThat(result.ips()).singleElement().satisfies(ip -> {
            assertThat(ip.address()).hasToString("10.0.0.2/32");
            assertThat(ip.gateway()).isEmpty();
            assertThat(ip.interfaceIndex()).hasValue(1);
        });
        assertThat(result.interfaces())
                .containsExactly(
                        CniInterface.named(LINK),
                        CniInterface.named("eth0")
                                .withMac(house.link("eth0").orElseThrow().mac().toString())
                                .inSandbox(house.path()));
        assertThat(node.log()).isEmpty();
    }

    @Test
    void m01EndpointIsRecorded() {
        node.add(sandbox, plain);

        assertThat(node.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.namespace()).isEqualTo("default");
            assertThat(endpoint.name()).hasToString("node--1-cni-abc123-eth0");
            assertThat(endpoint.holder().containerId()).isEqualTo("abc123");
            assertThat(endpoint.wire().hostLink()).isEqualTo(LINK);
            assertThat(endpoint.wire().mac())
                    .isEqualTo(house.link("eth0").orElseThrow().mac().toString());
            assertThat(endpoint.wire().addresses()).containsExactly(Address.parse("10.0.0.2"));
            assertThat(endpoint.rules().profiles()).containsExactly("net1");
        });
    }

    @Test
    void m02DelLeavesNothingBehindAndMayBeRepeated() {
        node.add(sandbox, plain);

        node.del(sandbox, plain);
        node.del(sandbox, plain);

        assertThat(node.endpoints()).isEmpty();
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.leases("abc123")).isEmpty();
    }

    @Test
    void m03StrayLinkOfTheSameNameIsReplaced() {
        var elsewhere = node.namespace();
        node.onHost().links().createVeth(VethEnd.named(LINK), VethEnd.named("x"), elsewhere);
        int stray = node.hostLink(LINK).orElseThrow().index();

        node.add(sandbox, plain);

        assertThat(node.hostLink(LINK).orElseThrow().index()).isNotEqualTo(stray);
        assertThat(house.addresses("eth0")).containsExactly("10.0.0.2/32");
    }

    @Test
    void m04NothingIsDoneWhileTheDatastoreIsNotReady() {
        node.add(sandbox, plain);
        node.ready(false);

        var add = node.fail(CniVerb.ADD, sandbox.withContainer("other"), plain);
        var del = node.fail(CniVerb.DEL, sandbox, plain);

        assertThat(List.of(add, del)).allSatisfy(error -> {
            assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
            assertThat(error.msg()).isEqualTo("Calico is currently not ready to process requests");
        });
        assertThat(node.hostLink(LINK)).isPresent();
        assertThat(node.leases("other")).isEmpty();
    }

    /// `cadastre cni upgrade` closes the datastore to keep host-local out, so a watch that is behind must not matter.
    @Test
    void whetherHostLocalMayGiveAnAddressIsReadFromTheStoreAndNotFromAWatch() {
        node.store().forgetReads();

        node.add(sandbox, plain);

        assertThat(node.store().reads()).contains(NetNode.CLUSTER);
    }

    @Test
    void m05ForwardingIsAllowedWhereItIsAskedFor() {
        node.add(sandbox, config(",\"container_settings\":{\"allow_ip_forwarding\":true}"));

        assertThat(house.setting("net/ipv4/ip_forward")).isEqualTo("1");
    }

    @Test
    void m06NodeIsNamedByHostnameUnlessItHasANodename() {
        var byHostname = plain.replace("\"nodename\"", "\"hostname\"").replace("node-1", "old");

        node.add(sandbox, byHostname);
        node.add(Sandbox.of("def456", node.house().path()), config(",\"hostname\":\"old\""));

        assertThat(node.endpoints())
                .extracting(endpoint -> endpoint.name().node())
                .containsExactly("node-1", "old");
    }

    @Test
    void m08SizeOfPacketsComesFromTheFileUnlessTheConfigurationSaysIt() {
        node.withFile("/var/lib/calico/mtu", "3000\n");
        var other = node.house();

        var result = node.add(sandbox, plain);
        node.add(Sandbox.of("def456", other.path()), config(",\"mtu\":4000"));

        assertThat(node.hostLink(LINK).orElseThrow().mtu()).isEqualTo(3000);
        assertThat(house.link("eth0").orElseThrow().mtu()).isEqualTo(3000);
        assertThat(result.interfaces().getLast().mtu()).isEqualTo(3000);
        assertThat(node.hostLink("calidef456").orElseThrow().mtu()).isEqualTo(4000);
        assertThat(other.link("eth0").orElseThrow().mtu()).isEqualTo(4000);
    }

    @Test
    void m22OtherInterfaceOfTheSameContainerIsNotMadeButAnsweredWithWhatThereIs() {
        node.add(sandbox, plain);
        var mac = house.link("eth0").orElseThrow().mac();

        var again = node.add(sandbox.withIfname("eth1"), plain.replace("\"name\":\"net1\"", "\"name\":\"net2\""));

        assertThat(again.ips().getFirst().address()).hasToString("10.0.0.2/32");
        assertThat(house.link("eth0").orElseThrow().mac()).isEqualTo(mac);
        assertThat(house.link("eth1")).isEmpty();
        assertThat(node.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.name().ifname()).isEqualTo("eth0");
            assertThat(endpoint.rules().profiles()).containsExactly("net1", "net2");
        });
    }

    @Test
    void m25DelOfWhatWasNeverAddedSucceeds() {
        node.del(sandbox, plain);
        node.del(sandbox.withNetns(""), plain);
        node.del(sandbox.withNetns("/run/netns/missing"), plain);

        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void m27GateThatAnswersIsOpen() throws IOException {
        var gate = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gate.createContext("/", exchange -> exchange.sendResponseHeaders(200, -1));
        gate.start();
        try {
            var address = "http://127.0.0.1:%d/".formatted(gate.getAddress().getPort());

            node.add(sandbox, config(",\"readiness_gates\":[\"%s\"]".formatted(address)));

            assertThat(node.hostLink(LINK)).isPresent();
        } finally {
            gate.stop(0);
        }
    }

    @Test
    void m27BogusDataplaneOrGateIsRefused() {
        var bogus = node.fail(CniVerb.ADD, sandbox, config(",\"dataplane_options\":{\"type\":\"bogus\"}"));
        var gate = node.fail(CniVerb.ADD, sandbox, config(",\"readiness_gates\":[\"not there\"]"));

        assertThat(bogus.msg()).isEqualTo("invalid dataplane type: bogus");
        assertThat(gate.msg()).startsWith("invalid URL set for ReadinessGates:not there");
    }

    @Test
    void row21PathThatIsNotANamespaceIsRefused() throws IOException {
        var file = Files.createFile(folder.resolve("file"));
        var wrong = sandbox.withNetns(file.toString());

        var add = node.fail(CniVerb.ADD, wrong, plain);
        var del = node.fail(CniVerb.DEL, wrong, plain);
        var missing = node.fail(CniVerb.ADD, sandbox.withNetns("/nowhere/ns"), plain);

        assertThat(add.msg()).startsWith("failed to open netns \"%s\": unknown FS magic on ".formatted(file));
        assertThat(del.msg()).startsWith("unknown FS magic on \"%s\": ".formatted(file));
        assertThat(missing.msg())
                .isEqualTo("failed to open netns \"/nowhere/ns\": failed to Statfs \"/nowhere/ns\": no"
                        + " such file or directory");
        assertThat(node.leases("abc123")).isEmpty();
    }

    @Test
    void row27InterfaceThatIsThereAlreadyIsLeftAloneAndTheAddressGivenBack() {
        house.netlink().links().createVeth(VethEnd.named("eth0"), VethEnd.named("x"), node.namespace());
        int theirs = house.link("eth0").orElseThrow().index();

        var error = node.fail(CniVerb.ADD, sandbox, plain);

        assertThat(error.msg()).contains("file exists");
        assertThat(house.link("eth0").orElseThrow().index()).isEqualTo(theirs);
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(node.leases("abc123")).isEmpty();
        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void routeOfAnotherInterfaceFailsTheAddAndNothingIsLeft() {
        int uplink = node.hostLink("uplink").orElseThrow().index();
        node.onHost().routes().add(Route.direct(Prefix.parse("10.0.0.2/32"), uplink));

        var error = node.fail(CniVerb.ADD, sandbox, plain);

        assertThat(error.msg())
                .matches("route \\(Ifindex: \\d+, Dst: 10.0.0.2/32, Scope: link\\) already exists"
                        + " for an interface other than 'caliabc123': route \\(Ifindex: %d,".formatted(uplink)
                        + " Dst: 10.0.0.2/32, Scope: link, Iface: uplink\\)");
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.leases("abc123")).isEmpty();
    }

    @Test
    void undeliveredAnswerIsUndone() {
        node.addInVain(sandbox, plain);

        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(node.endpoints()).isEmpty();
        assertThat(node.leases("abc123")).isEmpty();
    }

    @Test
    void undeliveredAnswerOfTheSecondAddLeavesTheWorkOfTheFirst() {
        node.add(sandbox, plain);

        node.addInVain(sandbox, plain);

        assertThat(house.addresses("eth0")).containsExactly("10.0.0.2/32");
        assertThat(node.leases("abc123")).containsExactly("10.0.0.2");
    }

    @Test
    void pluginForAddressesThatIsNowhereIsNamed() {
        var config = plain.replace("\"type\":\"host-local\"", "\"type\":\"dhcp\"");

        assertThat(node.fail(CniVerb.ADD, sandbox, config).msg())
                .isEqualTo("failed to find plugin \"dhcp\" in path [/nowhere]");
        assertThat(node.hostLink(LINK)).isEmpty();
    }

    @Test
    void containersPingEachOtherOverTheHost() {
        var other = node.house();
        node.add(sandbox, plain);
        node.add(Sandbox.of("def456", other.path()), plain);

        assertThat(house.reaches("10.0.0.3")).isTrue();
        assertThat(other.reaches("10.0.0.2")).isTrue();
    }

    @Test
    void containersPingEachOtherByIpv6OverAHostThatForwardedNothing() {
        var other = node.house();
        var six = plain.replace("10.0.0.0/8", "fd10::/64");
        assertThat(node.hostSetting("net/ipv6/conf/all/forwarding")).isEqualTo("0");

        node.add(sandbox, six);
        node.add(Sandbox.of("def456", other.path()), six);

        assertThat(house.reaches("fd10::3")).isTrue();
        assertThat(other.reaches("fd10::2")).isTrue();
    }

    @Test
    void containersAndOtherNodesPingEachOtherByIpv6OverAHostThatForwardedNothing() {
        var otherNode = node.elsewhere("fd10::/64");
        assertThat(node.hostSetting("net/ipv6/conf/all/forwarding")).isEqualTo("0");

        node.add(sandbox, plain.replace("10.0.0.0/8", "fd10::/64"));

        assertThat(house.reaches("fd20::2")).isTrue();
        assertThat(otherNode.reaches("fd10::2")).isTrue();
    }

    @Test
    void linksOfTheHostTakeRouterAdvertisementsAsBefore() {
        new Sysctl(node.host()).write("net/ipv6/conf/lo/accept_ra", "0");

        node.add(sandbox, plain.replace("10.0.0.0/8", "fd10::/64"));

        assertThat(node.hostSetting("net/ipv6/conf/uplink/accept_ra")).isEqualTo("2");
        assertThat(node.hostSetting("net/ipv6/conf/lo/accept_ra")).isEqualTo("0");
        assertThat(node.hostSetting("net/ipv6/conf/%s/accept_ra".formatted(LINK)))
                .isEqualTo("0");
    }

    @Test
    void containersPingEachOtherOverAHostWithoutADefaultRoute() {
        node.cutOff();
        var other = node.house();
        node.add(sandbox, plain);
        node.add(Sandbox.of("def456", other.path()), plain);

        assertThat(house.reaches("10.0.0.3")).isTrue();
        assertThat(other.reaches("10.0.0.2")).isTrue();
    }

    @Test
    void containersWhoseIdsBeginAlikeHaveTwoLinks() {
        var first = Sandbox.of("cnitool-7738", house.path());
        var second = Sandbox.of("cnitool-7739", node.house().path());
        node.add(first, plain);

        var result = node.add(second, plain);

        assertThat(house.addresses("eth0")).containsExactly("10.0.0.2/32");
        assertThat(node.hostLink("calicnitool-773")).isPresent();
        assertThat(node.hostLink(result.interfaces().getFirst().name())).isPresent();
        node.del(second, plain);
        assertThat(house.link("eth0")).isPresent();
    }

    @Test
    void everyVersionIsAnswered() {
        for (var version : List.of("0.1.0", "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0")) {
            var asked = plain.replace("1.1.0", version);

            var result = node.add(sandbox, asked);

            assertThat(result.cniVersion()).isEqualTo(version);
            assertThat(result.ips().getFirst().address().length()).isEqualTo(32);
            assertThat(house.addresses("eth0"))
                    .containsExactly(result.ips().getFirst().address().toString());
            node.del(sandbox, asked);
        }
    }

    // ---- CHECK, GC, STATUS ----

    @Test
    void checkFindsEverythingInItsPlaceAfterAnAdd() {
        var checked = withResult();

        node.succeed(CniVerb.CHECK, sandbox, checked);

        assertThat(node.hostLink(LINK)).isPresent();
    }

    private String withResult() {
        var printed = node.call(CniVerb.ADD, sandbox, plain).stdout().utf8();
        return config(",\"prevResult\":" + printed);
    }

    @Test
    void checkMissesAnAddress() {
        var checked = withResult();
        var eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().addresses().ofLink(eth0).stream()
                .filter(address -> address.prefixLength() == 32)
                .forEach(house.netlink().addresses()::delete);

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("missing address 10.0.0.2 on interface eth0");
    }

    @Test
    void checkMissesARouteInThePod() {
        var checked = withResult();
        var eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().routes().delete(Route.via(Prefix.parse("0.0.0.0/0"), Address.parse("169.254.1.1"), eth0));

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg()).isEqualTo("missing route to 0.0.0.0/0 in the pod");
    }

    @Test
    void checkMissesARouteOnTheHost() {
        var checked = withResult();
        int index = node.hostLink(LINK).orElseThrow().index();
        node.onHost().routes().delete(Route.direct(Prefix.parse("10.0.0.2/32"), index));

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("missing route to 10.0.0.2 by caliabc123");
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy_arp", "forwarding"})
    void checkMissesWhatTheHostNeedsToCarryPackets(String name) {
        var checked = withResult();
        var setting = "net/ipv4/conf/%s/%s".formatted(LINK, name);
        new Sysctl(node.host()).write(setting, "0");

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("the host does not forward packets of the pod: %s is not 1".formatted(setting));
    }

    @Test
    void checkMissesForwardingOfIpv6() {
        var six = plain.replace("10.0.0.0/8", "fd10::/64");
        var printed = node.call(CniVerb.ADD, sandbox, six).stdout().utf8();
        var checked = config(",\"prevResult\":" + printed).replace("10.0.0.0/8", "fd10::/64");
        node.succeed(CniVerb.CHECK, sandbox, checked);
        new Sysctl(node.host()).write("net/ipv6/conf/all/forwarding", "0");

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("the host does not forward packets of the pod: net/ipv6/conf/all/forwarding is not 1");
    }

    @Test
    void checkMissesTheWayToTheGateway() {
        var checked = withResult();
        int eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().neighbours().delete(eth0, Address.parse("169.254.1.1"));
        node.succeed(CniVerb.CHECK, sandbox, checked);
        node.cutOff();

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .startsWith("missing neighbour 169.254.1.1 in the pod, and no route on the host");
    }

    @Test
    void checkMissesTheInterfaceAndItsMac() {
        var checked = withResult();
        int eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().links().setMac(eth0, MacAddress.parse("02:00:00:00:00:07"));

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .endsWith("of interface eth0, which has 02:00:00:00:00:07");
        house.netlink().links().delete(eth0);
        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("missing interface eth0 in the pod, set up");
    }

    @Test
    void checkMissesTheEndpointAndTheReservation() {
        var checked = withResult();
        node.put(
                "/calico/resources/v3/projectcalico.org/workloadendpoints/default/node--1-cni-abc123-eth0",
                "{\"spec\":{\"containerID\":\"abc123\"}}");

        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("endpoint node--1-cni-abc123-eth0 does not have 10.0.0.2");
        node.del(sandbox, plain);
        assertThat(node.fail(CniVerb.CHECK, sandbox, checked).msg())
                .isEqualTo("host-local: Failed to find address added by container abc123");
    }

    @Test
    void checkNeedsAResultToCompareWith() {
        node.add(sandbox, plain);

        assertThat(node.fail(CniVerb.CHECK, sandbox, plain).msg()).isEqualTo("required prevResult missing");
    }

    @Test
    void collectingRemovesUnlistedAttachments() {
        var other = Sandbox.of("def456", node.house().path());
        node.add(sandbox, plain);
        node.add(other, plain);

        node.succeed(
                CniVerb.GC,
                sandbox,
                config(",\"cni.dev/valid-attachments\":[{\"containerID\":\"def456\",\"ifname\":\"eth0\"}]"));

        assertThat(node.endpoints())
                .extracting(endpoint -> endpoint.holder().containerId())
                .containsExactly("def456");
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(node.hostLink("calidef456")).isPresent();
        assertThat(node.leases("abc123")).isEmpty();
        assertThat(node.leases("def456")).containsExactly("10.0.0.3");
    }

    @Test
    void collectingWithoutAListTakesNothing() {
        node.add(sandbox, plain);

        node.succeed(CniVerb.GC, sandbox, plain);

        assertThat(node.hostLink(LINK)).isPresent();
    }

    @Test
    void statusTellsThatTheDatastoreIsNotReady() {
        node.succeed(CniVerb.STATUS, sandbox, plain);
        node.ready(false);

        assertThat(node.fail(CniVerb.STATUS, sandbox, plain).is(CniCode.PLUGIN_NOT_AVAILABLE))
                .isTrue();
    }

    @Test
    void idThatNoStoreTakesIsRefusedBeforeAnythingIsDoneAndDeletedInPeace() {
        var oversized = Sandbox.of("x".repeat(1100), house.path());

        var failure = node.fail(CniVerb.ADD, oversized, plain);

        assertThat(failure.is(CniCode.INVALID_ENVIRONMENT)).isTrue();
        assertThat(failure.msg()).contains("at most 1024 bytes");
        assertThat(house.link("eth0")).isEmpty();
        node.del(oversized, plain);
        node.add(sandbox, plain);
        assertThat(node.endpoints()).hasSize(1);
    }
}
