package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.linux.VethEnd;
import io.cadastre.wire.calico.endpoint.Endpoint.Nat;
import io.cadastre.wire.calico.endpoint.Endpoint.Port;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/// Pods of Kubernetes.
class PodLinkTest {

    private static final String LINK = "cali7b07e5871ca";

    @AutoClose private final Village village = Village.found();

    private final Village.House house = village.house();
    private final Sandbox x = Sandbox.of("x", house.path()).ofPod("test", "web-0");

    PodLinkTest() {
        village.withPool("four", "10.65.0.0/24", 26)
                .withNamespace("test", "")
                .withPod("test", "web-0", "");
    }

    private static String annotation(String name, String list) {
        return "\"cni.projectcalico.org/%s\":\"%s\"".formatted(name, list.replace("\"", "\\\""));
    }

    private static String network(String ipam, String members) {
        return """
        {"cniVersion":"1.1.0","name":"net1","type":"cadastre-net","nodename":"node-1",
        "nodename_file_optional":true,"policy":{"type":"k8s"},"ipam":%s%s}\
        """
                .formatted(ipam, members);
    }

    private static final String CALICO = network("{\"type\":\"calico-ipam\"}", "");

    private String hostLocal(String ipam, String members) {
        return network(village.hostLocal(ipam), members);
    }

    @Test
    void m07PodIsAttachedWithWhatKubernetesKnows() {
        var result = village.add(x, CALICO);

        assertThat(village.hostLink(LINK)).isPresent();
        assertThat(result.interfaces())
                .extracting(found -> found.name())
                .containsExactly(LINK, "eth0");
        assertThat(result.ips())
                .singleElement()
                .satisfies(
                        ip -> {
                            assertThat(ip.address().length()).isEqualTo(32);
                            assertThat(ip.gateway()).isEmpty();
                            assertThat(ip.interfaceIndex()).hasValue(1);
                        });
        var address = result.ips().getFirst().address().ip();
        assertThat(house.addresses("eth0")).containsExactly(address + "/32");
        assertThat(village.routed(address.toString(), LINK)).isTrue();
        assertThat(village.endpoints())
                .singleElement()
                .satisfies(
                        endpoint -> {
                            assertThat(endpoint.name()).hasToString("node--1-k8s-web--0-eth0");
                            assertThat(endpoint.namespace()).isEqualTo("test");
                            assertThat(endpoint.labels())
                                    .containsEntry("app", "web")
                                    .containsEntry("projectcalico.org/namespace", "test")
                                    .containsEntry("projectcalico.org/orchestrator", "k8s")
                                    .containsEntry("projectcalico.org/serviceaccount", "default");
                            assertThat(endpoint.rules().profiles())
                                    .containsExactly("kns.test", "ksa.test.default");
                            assertThat(endpoint.rules().ports())
                                    .containsExactly(new Port("http", "TCP", 80, 0, ""));
                        });
        assertThat(village.store().get("/calico/resources/v3/projectcalico.org/profiles/net1"))
                .isEmpty();
    }

    @Test
    void aPodIsAnnotatedWithItsAddressAsLongAsItIsAttached() {
        var address = village.add(x, CALICO).ips().getFirst().address();
        var attached = podOfX();

        village.del(x, CALICO);

        assertThat(attached)
                .contains("\"cni.projectcalico.org/podIP\":\"%s\"".formatted(address))
                .contains("\"cni.projectcalico.org/containerID\":\"x\"");
        assertThat(podOfX()).contains("\"cni.projectcalico.org/podIP\":\"\"");
    }

    @Test
    void aPodWhoseNewSandboxIsAttachedStaysAnnotatedWhenTheOldOneGoes() {
        village.add(x, CALICO);
        var newer = x.withContainer("y").withNetns(village.house().path());
        var address = village.add(newer, CALICO).ips().getFirst().address();

        village.del(x, CALICO);

        assertThat(podOfX())
                .contains("\"cni.projectcalico.org/podIP\":\"%s\"".formatted(address))
                .contains("\"cni.projectcalico.org/containerID\":\"y\"");
    }

    private String podOfX() {
        return village.store().get(StoredPods.PODS + "test/web-0").orElseThrow().value().utf8();
    }

    @Test
    void m09PodKeepsTheAddressThatItAsksForInTheNodesPrefix() {
        village.withNodeCidr("10.0.0.0/24").withPod("test", "other", "");
        var config = hostLocal("\"subnet\":\"usePodCidr\"", "");
        var other = Sandbox.of("y", village.house().path()).ofPod("test", "other");

        var first = village.add(x.asking("10.0.0.42"), config);
        village.del(x.asking("10.0.0.42"), config);
        var second = village.add(other.asking("10.0.0.42"), config);

        assertThat(List.of(first, second))
                .allSatisfy(
                        result ->
                                assertThat(result.ips().getFirst().address())
                                        .hasToString("10.0.0.42/32"));
    }

    @Test
    void m10BothFamiliesHaveTheirGatewayAndNothingIsTentative() {
        village.add(
                x,
                hostLocal(
                        "\"ranges\":[[{\"subnet\":\"10.0.0.0/24\"}],[{\"subnet\":\"fd10::/64\"}]]",
                        ""));

        assertThat(house.addresses("eth0")).containsExactlyInAnyOrder("10.0.0.2/32", "fd10::2/128");
        assertThat(house.routes("eth0"))
                .containsExactlyInAnyOrder(
                        "169.254.1.1/32",
                        "0.0.0.0/0 via 169.254.1.1",
                        "::/0 via fe80::ecee:eeff:feee:eeee");
        assertThat(house.setting("net/ipv6/conf/eth0/accept_dad")).isEqualTo("0");
        assertThat(house.netlink().addresses().ofLink(house.link("eth0").orElseThrow().index()))
                .filteredOn(found -> !Village.isOfTheKernel(found))
                .noneMatch(address -> address.tentative());
        assertThat(village.routed("fd10::2", LINK)).isTrue();
        assertThat(village.hostSetting("net/ipv6/conf/%s/proxy_ndp".formatted(LINK)))
                .isEqualTo("1");
        assertThat(village.hostSetting("net/ipv6/conf/%s/accept_ra".formatted(LINK)))
                .isEqualTo("0");
        assertThat(house.setting("net/ipv6/conf/all/forwarding")).isEqualTo("0");
    }

    private static final String ROUTED =
            """
            "ranges":[[{"subnet":"10.0.0.0/24"}],[{"subnet":"fd10::/64"}]],
            "routes":[{"dst":"10.123.0.0/16","gw":"10.123.0.1"},{"dst":"10.124.0.0/16"},
            {"dst":"dead:beef::/96"}]\
            """;

    @Test
    void m11ConfiguredRoutesReplaceTheDefaultOnes() {
        village.add(x, hostLocal(ROUTED, ""));

        assertThat(house.routes("eth0"))
                .containsExactlyInAnyOrder(
                        "169.254.1.1/32",
                        "10.123.0.0/16 via 169.254.1.1",
                        "10.124.0.0/16 via 169.254.1.1",
                        "dead:beef::/96 via fe80::ecee:eeff:feee:eeee");
    }

    @Test
    void m11DefaultRoutesStandBesideThemWhereThatIsAskedFor() {
        village.add(x, hostLocal(ROUTED, ",\"include_default_routes\":true"));

        assertThat(house.routes("eth0"))
                .contains(
                        "0.0.0.0/0 via 169.254.1.1",
                        "::/0 via fe80::ecee:eeff:feee:eeee",
                        "10.123.0.0/16 via 169.254.1.1");
    }

    @Test
    void m12PodsPoolCountsBeforeItsNamespaces() {
        village.withPool("a", "10.71.0.0/24", 26)
                .withPool("b", "10.72.0.0/24", 26)
                .withNamespace("test", annotation("ipv4pools", "[\"10.71.0.0/24\"]"))
                .withPod("test", "web-0", annotation("ipv4pools", "[\"b\"]"));

        village.add(x, CALICO);

        assertThat(house.addresses("eth0").getFirst()).startsWith("10.72.0.");
    }

    @Test
    void m13FullPoolFailsAndASecondOneHelps() {
        village.withPool("tiny", "10.71.0.0/32", 32)
                .withPool("spare", "10.72.0.0/24", 26)
                .withNamespace("test", annotation("ipv4pools", "[\"tiny\"]"))
                .withPod("test", "other", "");
        var other = Sandbox.of("y", village.house().path()).ofPod("test", "other");
        village.add(x, CALICO);

        var full = village.fail(CniVerb.ADD, other, CALICO);
        village.withNamespace("test", annotation("ipv4pools", "[\"tiny\",\"spare\"]"));
        var result = village.add(other, CALICO);

        assertThat(full.msg()).contains("Assigned 0 out of 1 requested IPv4 addresses");
        assertThat(result.ips().getFirst().address().ip().toString()).startsWith("10.72.0.");
    }

    @Test
    void m14FloatingAddressLeadsToThePod() {
        village.withPod("test", "web-0", annotation("floatingIPs", "[\"192.0.2.7\"]"));

        var result = village.add(x, withFeature("floating_ips"));

        assertThat(village.endpoints().getFirst().wire().nats())
                .containsExactly(
                        new Nat(
                                result.ips().getFirst().address().ip(),
                                Address.parse("192.0.2.7")));
    }

    @Test
    void m14FloatingAddressThatIsNotEnabledFailsAndNothingIsHeld() {
        village.withPod("test", "web-0", annotation("floatingIPs", "[\"192.0.2.7\"]"));

        var error = village.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg()).isEqualTo("requested feature is not enabled: floating_ips");
        assertThat(village.handles()).isEmpty();
        assertThat(village.hostLink(LINK)).isEmpty();
    }

    private static String withFeature(String name) {
        return network(
                "{\"type\":\"calico-ipam\"}", ",\"feature_control\":{\"%s\":true}".formatted(name));
    }

    @Test
    void m15ImposedAddressIsAskedOfNobody() {
        village.withPod("test", "web-0", annotation("ipAddrsNoIpam", "[\"10.0.0.1\"]"));

        village.add(x, withFeature("ip_addrs_no_ipam"));

        assertThat(house.addresses("eth0")).containsExactly("10.0.0.1/32");
        assertThat(village.routed("10.0.0.1", LINK)).isTrue();
        assertThat(village.handles()).isEmpty();
    }

    @Test
    void m15ImposedAddressMustBeEnabledAndBeOne() {
        village.withPod("test", "web-0", annotation("ipAddrsNoIpam", "[\"10.0.0.1\"]"))
                .withPod("test", "two", annotation("ipAddrsNoIpam", "[\"10.0.0.1\",\"10.0.0.2\"]"));
        var two = Sandbox.of("y", house.path()).ofPod("test", "two");

        var disabled = village.fail(CniVerb.ADD, x, CALICO);
        var several = village.fail(CniVerb.ADD, two, withFeature("ip_addrs_no_ipam"));

        assertThat(disabled.msg()).isEqualTo("requested feature is not enabled: ip_addrs_no_ipam");
        assertThat(several.msg()).startsWith("cannot have more than one IPv4 address");
    }

    @Test
    void m16RequestedAddressIsThePods() {
        village.withPool("twenty", "20.0.0.0/24", 26)
                .withPod("test", "web-0", annotation("ipAddrs", "[\"20.0.0.111\"]"));

        village.add(x, CALICO);

        assertThat(house.addresses("eth0")).containsExactly("20.0.0.111/32");
        assertThat(village.routed("20.0.0.111", LINK)).isTrue();
        assertThat(village.handles()).containsExactly("net1.x");
    }

    @Test
    void requestedAddressMovesToTheNextSandboxOfThePod() {
        village.withPool("twenty", "20.0.0.0/24", 26)
                .withPod("test", "web-0", annotation("ipAddrs", "[\"20.0.0.111\"]"));
        var y = Sandbox.of("y", village.house().path()).ofPod("test", "web-0");
        village.add(x, CALICO);

        var second = village.add(y, CALICO);

        assertThat(second.ips().getFirst().address()).hasToString("20.0.0.111/32");
        assertThat(house.link("eth0")).isEmpty();
        assertThat(village.handles()).containsExactly("net1.y");
    }

    @Test
    void m17FloatingAddressesLeadToThePodsAddressOfTheirFamily() {
        village.withPool("six", "fd65::/112", 122)
                .withPod(
                        "test",
                        "web-0",
                        annotation("floatingIPs", "[\"192.0.2.7\",\"2001:db8::7\"]"));
        var config =
                network(
                        "{\"type\":\"calico-ipam\",\"assign_ipv6\":\"true\"}",
                        ",\"feature_control\":{\"floating_ips\":true}");

        var result = village.add(x, config);

        assertThat(village.endpoints().getFirst().wire().nats())
                .containsExactly(
                        new Nat(result.ips().get(0).address().ip(), Address.parse("192.0.2.7")),
                        new Nat(result.ips().get(1).address().ip(), Address.parse("2001:db8::7")));
    }

    @Test
    void m18LateDelLeavesTheNextSandboxAlone() {
        var other = village.house();
        var y = Sandbox.of("y", other.path()).ofPod("test", "web-0");
        village.add(x, CALICO);
        village.del(x, CALICO);
        village.add(y, CALICO);

        village.del(x, CALICO);

        assertThat(village.endpoints().getFirst().holder().containerId()).isEqualTo("y");
        assertThat(other.link("eth0")).isPresent();
        assertThat(village.handles()).containsExactly("net1.y");
    }

    @Test
    void m19EachDelGivesBackWhatItsSandboxHad() {
        var y = Sandbox.of("y", village.house().path()).ofPod("test", "web-0");
        village.add(x, CALICO);
        village.add(y, CALICO);
        assertThat(village.handles()).containsExactly("net1.x", "net1.y");

        village.del(x, CALICO);

        assertThat(village.handles()).containsExactly("net1.y");
        assertThat(village.endpoints().getFirst().holder().containerId()).isEqualTo("y");
        village.del(y, CALICO);
        assertThat(village.handles()).isEmpty();
        assertThat(village.endpoints()).isEmpty();
        assertThat(village.hostLink(LINK)).isEmpty();
    }

    @Test
    void m20NextSandboxInTheSameNamespaceGetsANewAddressAndANewLink() {
        var y = x.withContainer("y");
        village.add(x, CALICO);
        var mac = house.link("eth0").orElseThrow().mac();
        var address = house.addresses("eth0");

        village.add(y, CALICO);

        assertThat(house.link("eth0").orElseThrow().mac()).isNotEqualTo(mac);
        assertThat(house.addresses("eth0")).isNotEqualTo(address);
        assertThat(village.handles()).containsExactly("net1.x", "net1.y");
    }

    @Test
    void lateDelInTheSameNamespaceLeavesTheNextSandboxesInterface() {
        var y = x.withContainer("y");
        village.add(x, CALICO);
        village.add(y, CALICO);
        var address = house.addresses("eth0");

        village.del(x, CALICO);

        assertThat(house.addresses("eth0")).isEqualTo(address);
        assertThat(village.handles()).containsExactly("net1.y");
    }

    @Test
    void m21FailedAddOfTheNextSandboxKeepsTheAddressOfTheFirst() {
        var rigged = village.house();
        rigged.netlink()
                .links()
                .createVeth(VethEnd.named("eth0"), VethEnd.named("x"), village.namespace());
        var y = Sandbox.of("y", rigged.path()).ofPod("test", "web-0");
        village.add(x, CALICO);

        var error = village.fail(CniVerb.ADD, y, CALICO);

        assertThat(error.msg()).contains("file exists");
        assertThat(village.handles()).containsExactly("net1.x");
        assertThat(village.endpoints().getFirst().holder().containerId()).isEqualTo("x");
    }

    /// Whoever comes last has the link and the endpoint, and nobody fails.
    @Test
    void twoSandboxesOfOnePodAtOnceTakeTheLinkOneAfterTheOther() throws Exception {
        for (int round = 0; round < 10; round++) {
            var one = village.house();
            var other = village.house();
            var first = Sandbox.of("a" + round, one.path()).ofPod("test", "web-0");
            var second = Sandbox.of("b" + round, other.path()).ofPod("test", "web-0");
            var adding =
                    CompletableFuture.supplyAsync(() -> village.call(CniVerb.ADD, first, CALICO));

            var answer = village.call(CniVerb.ADD, second, CALICO);

            assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
            assertThat(adding.get().exitCode()).as(adding.get().stdout().utf8()).isZero();
            var endpoint = village.endpoints().getFirst();
            boolean firstHasIt = endpoint.holder().containerId().equals(first.containerId());
            var winner = firstHasIt ? one : other;
            var loser = firstHasIt ? other : one;
            assertThat(winner.link("eth0")).isPresent();
            assertThat(winner.link("eth0").orElseThrow().mac()).hasToString(endpoint.wire().mac());
            assertThat(loser.link("eth0")).isEmpty();
            assertThat(village.hostLink(LINK)).isPresent();
            assertThat(village.routed(endpoint.wire().addresses().getFirst().toString(), LINK))
                    .isTrue();
            village.del(first, CALICO);
            village.del(second, CALICO);
            assertThat(village.hostLink(LINK)).isEmpty();
            assertThat(village.handles()).isEmpty();
        }
    }

    /// The agent of another process has made the link of a newer sandbox, under the same name.
    @Test
    void failedRepeatedAddDoesNotRemoveTheLinkOfANewerSandbox() {
        village.add(x, CALICO);
        house.netlink().links().delete(house.link("eth0").orElseThrow().index());
        var newer = village.house();
        village.store().make(TrialStore.Trouble.REFUSED);
        village.store().before(() -> replaceHostLink(newer));

        village.fail(CniVerb.ADD, x, CALICO);

        assertThat(village.hostLink(LINK)).isPresent();
        assertThat(newer.link("eth0")).isPresent();
    }

    private void replaceHostLink(Village.House newer) {
        if (newer.link("eth0").isEmpty()) {
            village.hostLink(LINK).ifPresent(link -> village.onHost().links().delete(link.index()));
            newer.netlink()
                    .links()
                    .createVeth(VethEnd.named("eth0"), VethEnd.named(LINK), village.host());
        }
    }

    /// It fails after it was given the addresses again and before it makes a link.
    @Test
    void failedRepeatedAddRemovesTheLinkThatHasTheSameAddresses() {
        var config =
                network(
                        "{\"type\":\"calico-ipam\"}",
                        ",\"feature_control\":{\"floating_ips\":true}");
        village.add(x, config);
        village.withPod("test", "web-0", annotation("floatingIPs", "[\"fd00::1\"]"));

        var error = village.fail(CniVerb.ADD, x, config);

        assertThat(error.msg()).isEqualTo("floating IP fd00::1 has no IPv6 address to lead to");
        assertThat(village.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(village.handles()).isEmpty();
        assertThat(village.endpoints()).isEmpty();
    }

    @Test
    void deviceThatTheKernelDoesNotHaveIsAVeth() {
        village.add(x, network("{\"type\":\"calico-ipam\"}", ",\"device_type\":\"netkit\""));

        var kind = village.hostLink(LINK).orElseThrow().kind();
        if (kind.equals("netkit")) {
            assertThat(village.log()).isEmpty();
        } else {
            assertThat(kind).isEqualTo("veth");
            assertThat(village.log())
                    .contains("the kernel has no netkit, so %s is a veth".formatted(LINK));
        }
        assertThat(house.reaches("192.0.2.1")).isTrue();
    }

    @Test
    void m22OtherInterfaceOfTheSamePodIsRecordedAsBefore() {
        village.add(x, CALICO);

        village.add(x.withIfname("eth1"), CALICO);

        assertThat(house.link("eth1")).isPresent();
        assertThat(village.endpoints())
                .singleElement()
                .satisfies(
                        endpoint ->
                                assertThat(endpoint.name()).hasToString("node--1-k8s-web--0-eth0"));
    }

    @Test
    void m23PodsWhoseNamesBeginAlikeAreTwo() {
        village.withPod("test", "p", "").withPod("test", "p-1", "");
        var longer = Sandbox.of("y", village.house().path()).ofPod("test", "p-1");
        var shorter = Sandbox.of("z", village.house().path()).ofPod("test", "p");

        village.add(longer, CALICO);
        village.add(shorter, CALICO);

        assertThat(village.endpoints())
                .extracting(endpoint -> endpoint.holder().containerId())
                .containsExactlyInAnyOrder("y", "z");
    }

    @Test
    void m24PodHasTheMacThatItAsksFor() {
        village.withPod("test", "web-0", annotation("hwAddr", "02:00:5e:00:53:01"));

        var result = village.add(x, CALICO);

        assertThat(house.link("eth0").orElseThrow().mac()).hasToString("02:00:5e:00:53:01");
        assertThat(result.interfaces().getLast().mac()).isEqualTo("02:00:5e:00:53:01");
        assertThat(village.endpoints().getFirst().wire().mac()).isEqualTo("02:00:5e:00:53:01");
    }

    @Test
    void m24MacThatIsNoneFailsAndNothingIsLeft() {
        village.withPod("test", "web-0", annotation("hwAddr", "here"));

        var error = village.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg())
                .startsWith(
                        "failed to parse MAC address here provided via"
                                + " cni.projectcalico.org/hwAddr: ");
        assertThat(village.handles()).isEmpty();
        assertThat(village.hostLink(LINK)).isEmpty();
    }

    /// The kernel refuses the address of a group only when it is set.
    @Test
    void row20MacThatTheKernelRefusesLeavesNeitherLinkNorAddress() {
        village.withPod("test", "web-0", annotation("hwAddr", "01:00:5e:00:53:01"));

        var error = village.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg()).contains("cannot assign requested address");
        assertThat(village.handles()).isEmpty();
        assertThat(village.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(village.endpoints()).isEmpty();
    }

    @Test
    void m25DelOfAPodThatNobodyKnowsSucceeds() {
        var unknown = x.ofPod("nowhere", "nobody");

        village.del(unknown, CALICO);
        village.del(unknown.withNetns(""), CALICO);

        assertThat(village.endpoints()).isEmpty();
    }

    @Test
    void podThatKubernetesDoesNotKnowIsNotAttached() {
        var unknown = x.ofPod("test", "nobody");

        assertThat(village.fail(CniVerb.ADD, unknown, CALICO).msg())
                .isEqualTo("pods \"nobody\" not found");
        assertThat(village.handles()).isEmpty();
    }

    @Test
    void podOfWhichNothingIsAskedHasTheNetworksProfile() {
        var config = CALICO.replace("\"policy\":{\"type\":\"k8s\"},", "");

        village.add(x.ofPod("test", "nobody"), config);

        assertThat(village.endpoints().getFirst().rules().profiles()).containsExactly("net1");
        assertThat(
                        village.store()
                                .get("/calico/resources/v3/projectcalico.org/profiles/net1")
                                .orElseThrow()
                                .value()
                                .utf8())
                .doesNotContain("has(net1)");
    }

    @Test
    void repeatedAddOfTheSameSandboxGivesTheSameAddress() {
        var first = village.add(x, CALICO);

        var second = village.add(x, CALICO);

        assertThat(second.ips()).isEqualTo(first.ips());
        assertThat(village.handles()).containsExactly("net1.x");
        assertThat(village.routed(first.ips().getFirst().address().ip().toString(), LINK)).isTrue();
    }

    @Test
    void repeatedAddThatFailsTakesTheInterfaceBeforeTheAddressIsGivenBack() {
        village.add(x, CALICO);
        village.withPod("test", "web-0", annotation("hwAddr", "01:00:5e:00:53:01"));

        village.fail(CniVerb.ADD, x, CALICO);

        assertThat(village.handles()).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(village.endpoints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    ipAddrsNoIpam | ["10.0.0.1"]
                    ipAddrs       | ["fd65::9"]
                    ipFamilies    | ["IPv6"]
                    ipv4pools     | ["four"]
                    """)
    void checkAsksForWhatThePodAskedFor(String name, String list) {
        village.withPool("six", "fd65::/112", 122).withPod("test", "web-0", annotation(name, list));
        var config = withFeature("ip_addrs_no_ipam");
        var printed = village.call(CniVerb.ADD, x, config).stdout().utf8();
        var checked =
                network(
                        "{\"type\":\"calico-ipam\"}",
                        ",\"feature_control\":{\"ip_addrs_no_ipam\":true},\"prevResult\":"
                                + printed);

        village.succeed(CniVerb.CHECK, x, checked);

        var eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().links().setDown(eth0);
        assertThat(village.fail(CniVerb.CHECK, x, checked).msg())
                .isEqualTo("there is no interface eth0 in the pod, set up");
    }

    @Test
    void ourOwnPluginForAddressesSpeaksAsCalicosDoes() {
        village.withPod("test", "web-0", annotation("ipAddrs", "[\"10.65.0.99\"]"));

        village.add(x, CALICO.replace("calico-ipam", "cadastre-ipam"));

        assertThat(house.addresses("eth0")).containsExactly("10.65.0.99/32");
        assertThat(village.handles()).containsExactly("net1.x");
    }

    @Test
    void storeThatFailsAtTheEndLeavesNeitherLinkNorAddress() {
        village.store().make(TrialStore.Trouble.REFUSED);

        var error = village.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(village.hostLink(LINK)).isEmpty();
        assertThat(village.handles()).isEmpty();
        assertThat(village.endpoints()).isEmpty();
    }

    @Test
    void endpointWhoseRecordingIsNotAnsweredIsRecordedOnce() {
        village.store().make(TrialStore.Trouble.UNANSWERED);

        village.add(x, CALICO);

        assertThat(village.endpoints()).hasSize(1);
        village.store().make(TrialStore.Trouble.NONE);
        village.del(x, CALICO);
        assertThat(village.endpoints()).isEmpty();
    }

    @Test
    void delThatCannotReadTheEndpointTouchesNothing() {
        village.add(x, CALICO);
        village.store().make(TrialStore.Trouble.REFUSED);

        var error = village.fail(CniVerb.DEL, x, CALICO);

        assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(village.hostLink(LINK)).isPresent();
        assertThat(village.handles()).containsExactly("net1.x");
    }

    @Test
    void podsAreAttachedAtTheSameTime() throws InterruptedException {
        int count = 8;
        var answers = new ConcurrentSkipListMap<String, CniAnswer>();
        var threads = new ArrayList<Thread>();
        for (int index = 0; index < count; index++) {
            var name = "pod-" + index;
            village.withPod("test", name, "");
            var sandbox = Sandbox.of("c" + index, village.house().path()).ofPod("test", name);
            threads.add(
                    Thread.ofVirtual()
                            .unstarted(
                                    () ->
                                            answers.put(
                                                    name,
                                                    village.call(CniVerb.ADD, sandbox, CALICO))));
        }

        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(answers.values())
                .hasSize(count)
                .allSatisfy(answer -> assertThat(answer.exitCode()).isZero())
                .extracting(
                        answer -> CniResult.parse(answer.stdout()).ips().getFirst().address().ip())
                .doesNotHaveDuplicates();
    }
}
