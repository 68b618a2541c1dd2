package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.linux.VethEnd;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Nat;
import io.cadastre.wire.calico.endpoint.CalicoEndpoint.Port;
import io.cadastre.wire.cni.CniAnswer;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniResult;
import io.cadastre.wire.cni.CniVerb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pods of Kubernetes.
class PodLinkTest {

    private static final String LINK = "cali7b07e5871ca";

    @AutoClose
    private final NetNode node = NetNode.found();

    private final NetNode.House house = node.house();
    private final Sandbox x = Sandbox.of("x", house.path()).ofPod("test", "web-0");

    PodLinkTest() {
        node.withPool("four", "10.65.0.0/24", 26).withNamespace("test", "").withPod("test", "web-0", "");
    }

    private static String annotation(String name, String list) {
        return "\"cni.projectcalico.org/%s\":\"%s\"".formatted(name, list.replace("\"", "\\\""));
    }

    private static String network(String ipam, String members) {
        return """
            {"cniVersion":"1.1.0","name":"net1","type":"cadastre-net","nodename":"node-1",
            "nodename_file_optional":true,"policy":{"type":"k8s"},"ipam":%s%s}\
            """.formatted(ipam, members);
    }

    private static final String CALICO = network("{\"type\":\"calico-ipam\"}", "");

    private String hostLocal(String ipam, String members) {
        return network(node.hostLocal(ipam), members);
    }

    @Test
    void m07PodIsAttachedWithWhatKubernetesKnows() {
        var result = node.add(x, CALICO);

        assertThat(node.hostLink(LINK)).isPresent();
        assertThat(result.interfaces()).extracting(found -> found.name()).containsExactly(LINK, "eth0");
        assertThat(result.ips()).singleElement().satisfies(ip -> {
            assertThat(ip.address().length()).isEqualTo(32);
            assertThat(ip.gateway()).isEmpty();
            assertThat(ip.interfaceIndex()).hasValue(1);
        });
        var address = result.ips().getFirst().address().ip();
        assertThat(house.addresses("eth0")).containsExactly(address + "/32");
        assertThat(node.routed(address.toString(), LINK)).isTrue();
        assertThat(node.endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.name()).hasToString("node--1-k8s-web--0-eth0");
            assertThat(endpoint.namespace()).isEqualTo("test");
            assertThat(endpoint.labels())
                    .containsEntry("app", "web")
                    .containsEntry("projectcalico.org/namespace", "test")
                    .containsEntry("projectcalico.org/orchestrator", "k8s")
                    .containsEntry("projectcalico.org/serviceaccount", "default");
            assertThat(endpoint.rules().profiles()).containsExactly("kns.test", "ksa.test.default");
            assertThat(endpoint.rules().ports()).containsExactly(new Port("http", "TCP", 80, 0, ""));
        });
        assertThat(node.store().get("/calico/resources/v3/projectcalico.org/profiles/net1"))
                .isEmpty();
    }

    @Test
    void aPodIsAnnotatedWithItsAddressAsLongAsItIsAttached() {
        var address = node.add(x, CALICO).ips().getFirst().address();
        var attached = podOfX();

        node.del(x, CALICO);

        assertThat(attached)
                .contains("\"cni.projectcalico.org/podIP\":\"%s\"".formatted(address))
                .contains("\"cni.projectcalico.org/containerID\":\"x\"");
        assertThat(podOfX()).contains("\"cni.projectcalico.org/podIP\":\"\"");
    }

    @Test
    void aPodWhoseNewSandboxIsAttachedStaysAnnotatedWhenTheOldOneGoes() {
        node.add(x, CALICO);
        var newer = x.withContainer("y").withNetns(node.house().path());
        var address = node.add(newer, CALICO).ips().getFirst().address();

        node.del(x, CALICO);

        assertThat(podOfX())
                .contains("\"cni.projectcalico.org/podIP\":\"%s\"".formatted(address))
                .contains("\"cni.projectcalico.org/containerID\":\"y\"");
    }

    @Test
    void anAddReadsThePodAndADelNothingThatKubernetesKnows() {
        var ofUid = x.withArgs(x.args() + ";K8S_POD_UID=u-1");
        node.ready(true).store().forgetReads();

        node.add(ofUid, CALICO);
        var add = readsOfKubernetes();
        node.store().forgetReads();
        node.del(ofUid, CALICO);

        assertThat(add).containsExactly(StoredPods.PODS + "test/web-0");
        assertThat(readsOfKubernetes()).isEmpty();
    }

    /// Beside the documents of addresses and endpoints.
    private List<String> readsOfKubernetes() {
        return node.store().reads().stream()
                .filter(key -> key.startsWith("/cadastre/api/") || key.contains("/clusterinformations/"))
                .toList();
    }

    private String podOfX() {
        return node.store()
                .get(StoredPods.PODS + "test/web-0")
                .orElseThrow()
                .value()
                .utf8();
    }

    @Test
    void m09PodKeepsTheAddressThatItAsksForInTheNodesPrefix() {
        node.withNodeCidr("10.0.0.0/24").withPod("test", "other", "");
        var config = hostLocal("\"subnet\":\"usePodCidr\"", "");
        var other = Sandbox.of("y", node.house().path()).ofPod("test", "other");

        var first = node.add(x.asking("10.0.0.42"), config);
        node.del(x.asking("10.0.0.42"), config);
        var second = node.add(other.asking("10.0.0.42"), config);

        assertThat(List.of(first, second))
                .allSatisfy(
                        result -> assertThat(result.ips().getFirst().address()).hasToString("10.0.0.42/32"));
    }

    @Test
    void m10BothFamiliesHaveTheirGatewayAndNothingIsTentative() {
        node.add(x, hostLocal("\"ranges\":[[{\"subnet\":\"10.0.0.0/24\"}],[{\"subnet\":\"fd10::/64\"}]]", ""));

        assertThat(house.addresses("eth0")).containsExactlyInAnyOrder("10.0.0.2/32", "fd10::2/128");
        assertThat(house.routes("eth0"))
                .containsExactlyInAnyOrder(
                        "169.254.1.1/32", "0.0.0.0/0 via 169.254.1.1", "::/0 via fe80::ecee:eeff:feee:eeee");
        assertThat(house.setting("net/ipv6/conf/eth0/accept_dad")).isEqualTo("0");
        assertThat(house.netlink()
                        .addresses()
                        .ofLink(house.link("eth0").orElseThrow().index()))
                .filteredOn(found -> !NetNode.isOfTheKernel(found))
                .noneMatch(address -> address.tentative());
        assertThat(node.routed("fd10::2", LINK)).isTrue();
        assertThat(node.hostSetting("net/ipv6/conf/%s/proxy_ndp".formatted(LINK)))
                .isEqualTo("1");
        assertThat(node.hostSetting("net/ipv6/conf/%s/accept_ra".formatted(LINK)))
                .isEqualTo("0");
        assertThat(house.setting("net/ipv6/conf/all/forwarding")).isEqualTo("0");
    }

    private static final String ROUTED = """
        "ranges":[[{"subnet":"10.0.0.0/24"}],[{"subnet":"fd10::/64"}]],
        "routes":[{"dst":"10.123.0.0/16","gw":"10.123.0.1"},{"dst":"10.124.0.0/16"},
        {"dst":"dead:beef::/96"}]\
        """;

    @Test
    void m11ConfiguredRoutesReplaceTheDefaultOnes() {
        node.add(x, hostLocal(ROUTED, ""));

        assertThat(house.routes("eth0"))
                .containsExactlyInAnyOrder(
                        "169.254.1.1/32",
                        "10.123.0.0/16 via 169.254.1.1",
                        "10.124.0.0/16 via 169.254.1.1",
                        "dead:beef::/96 via fe80::ecee:eeff:feee:eeee");
    }

    @Test
    void m11DefaultRoutesStandBesideThemWhereThatIsAskedFor() {
        node.add(x, hostLocal(ROUTED, ",\"include_default_routes\":true"));

        assertThat(house.routes("eth0"))
                .contains(
                        "0.0.0.0/0 via 169.254.1.1",
                        "::/0 via fe80::ecee:eeff:feee:eeee",
                        "10.123.0.0/16 via 169.254.1.1");
    }

    @Test
    void m12PodsPoolCountsBeforeItsNamespaces() {
        node.withPool("a", "10.71.0.0/24", 26)
                .withPool("b", "10.72.0.0/24", 26)
                .withNamespace("test", annotation("ipv4pools", "[\"10.71.0.0/24\"]"))
                .withPod("test", "web-0", annotation("ipv4pools", "[\"b\"]"));

        node.add(x, CALICO);

        assertThat(house.addresses("eth0").getFirst()).startsWith("10.72.0.");
    }

    @Test
    void m13FullPoolFailsAndASecondOneHelps() {
        node.withPool("tiny", "10.71.0.0/32", 32)
                .withPool("spare", "10.72.0.0/24", 26)
                .withNamespace("test", annotation("ipv4pools", "[\"tiny\"]"))
                .withPod("test", "other", "");
        var other = Sandbox.of("y", node.house().path()).ofPod("test", "other");
        node.add(x, CALICO);

        var full = node.fail(CniVerb.ADD, other, CALICO);
        node.withNamespace("test", annotation("ipv4pools", "[\"tiny\",\"spare\"]"));
        var result = node.add(other, CALICO);

        assertThat(full.msg()).contains("Assigned 0 out of 1 requested IPv4 addresses");
        assertThat(result.ips().getFirst().address().ip().toString()).startsWith("10.72.0.");
    }

    @Test
    void m14FloatingAddressLeadsToThePod() {
        node.withPod("test", "web-0", annotation("floatingIPs", "[\"192.0.2.7\"]"));

        var result = node.add(x, withFeature("floating_ips"));

        assertThat(node.endpoints().getFirst().wire().nats())
                .containsExactly(new Nat(result.ips().getFirst().address().ip(), Address.parse("192.0.2.7")));
    }

    @Test
    void m14FloatingAddressThatIsNotEnabledFailsAndNothingIsHeld() {
        node.withPod("test", "web-0", annotation("floatingIPs", "[\"192.0.2.7\"]"));

        var error = node.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg()).isEqualTo("requested feature is not enabled: floating_ips");
        assertThat(node.handles()).isEmpty();
        assertThat(node.hostLink(LINK)).isEmpty();
    }

    private static String withFeature(String name) {
        return network("{\"type\":\"calico-ipam\"}", ",\"feature_control\":{\"%s\":true}".formatted(name));
    }

    @Test
    void m15ImposedAddressIsNotTakenFromIpam() {
        node.withPod("test", "web-0", annotation("ipAddrsNoIpam", "[\"10.0.0.1\"]"));

        node.add(x, withFeature("ip_addrs_no_ipam"));

        assertThat(house.addresses("eth0")).containsExactly("10.0.0.1/32");
        assertThat(node.routed("10.0.0.1", LINK)).isTrue();
        assertThat(node.handles()).isEmpty();
    }

    @Test
    void m15ImposedAddressMustBeEnabledAndBeOne() {
        node.withPod("test", "web-0", annotation("ipAddrsNoIpam", "[\"10.0.0.1\"]"))
                .withPod("test", "two", annotation("ipAddrsNoIpam", "[\"10.0.0.1\",\"10.0.0.2\"]"));
        var two = Sandbox.of("y", house.path()).ofPod("test", "two");

        var disabled = node.fail(CniVerb.ADD, x, CALICO);
        var several = node.fail(CniVerb.ADD, two, withFeature("ip_addrs_no_ipam"));

        assertThat(disabled.msg()).isEqualTo("requested feature is not enabled: ip_addrs_no_ipam");
        assertThat(several.msg()).startsWith("cannot have more than one IPv4 address");
    }

    @Test
    void m16RequestedAddressIsThePods() {
        node.withPool("twenty", "20.0.0.0/24", 26).withPod("test", "web-0", annotation("ipAddrs", "[\"20.0.0.111\"]"));

        node.add(x, CALICO);

        assertThat(house.addresses("eth0")).containsExactly("20.0.0.111/32");
        assertThat(node.routed("20.0.0.111", LINK)).isTrue();
        assertThat(node.handles()).containsExactly("net1.x");
    }

    @Test
    void requestedAddressMovesToTheNextSandboxOfThePod() {
        node.withPool("twenty", "20.0.0.0/24", 26).withPod("test", "web-0", annotation("ipAddrs", "[\"20.0.0.111\"]"));
        var y = Sandbox.of("y", node.house().path()).ofPod("test", "web-0");
        node.add(x, CALICO);

        var second = node.add(y, CALICO);

        assertThat(second.ips().getFirst().address()).hasToString("20.0.0.111/32");
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.handles()).containsExactly("net1.y");
    }

    @Test
    void m17FloatingAddressesLeadToThePodsAddressOfTheirFamily() {
        node.withPool("six", "fd65::/112", 122)
                .withPod("test", "web-0", annotation("floatingIPs", "[\"192.0.2.7\",\"2001:db8::7\"]"));
        var config = network(
                "{\"type\":\"calico-ipam\",\"assign_ipv6\":\"true\"}", ",\"feature_control\":{\"floating_ips\":true}");

        var result = node.add(x, config);

        assertThat(node.endpoints().getFirst().wire().nats())
                .containsExactly(
                        new Nat(result.ips().get(0).address().ip(), Address.parse("192.0.2.7")),
                        new Nat(result.ips().get(1).address().ip(), Address.parse("2001:db8::7")));
    }

    @Test
    void m18LateDelLeavesTheNextSandboxAlone() {
        var other = node.house();
        var y = Sandbox.of("y", other.path()).ofPod("test", "web-0");
        node.add(x, CALICO);
        node.del(x, CALICO);
        node.add(y, CALICO);

        node.del(x, CALICO);

        assertThat(node.endpoints().getFirst().holder().containerId()).isEqualTo("y");
        assertThat(other.link("eth0")).isPresent();
        assertThat(node.handles()).containsExactly("net1.y");
    }

    @Test
    void m19EachDelGivesBackWhatItsSandboxHad() {
        var y = Sandbox.of("y", node.house().path()).ofPod("test", "web-0");
        node.add(x, CALICO);
        node.add(y, CALICO);
        assertThat(node.handles()).containsExactly("net1.x", "net1.y");

        node.del(x, CALICO);

        assertThat(node.handles()).containsExactly("net1.y");
        assertThat(node.endpoints().getFirst().holder().containerId()).isEqualTo("y");
        node.del(y, CALICO);
        assertThat(node.handles()).isEmpty();
        assertThat(node.endpoints()).isEmpty();
        assertThat(node.hostLink(LINK)).isEmpty();
    }

    @Test
    void m20NextSandboxInTheSameNamespaceGetsANewAddressAndANewLink() {
        var y = x.withContainer("y");
        node.add(x, CALICO);
        var mac = house.link("eth0").orElseThrow().mac();
        var address = house.addresses("eth0");

        node.add(y, CALICO);

        assertThat(house.link("eth0").orElseThrow().mac()).isNotEqualTo(mac);
        assertThat(house.addresses("eth0")).isNotEqualTo(address);
        assertThat(node.handles()).containsExactly("net1.x", "net1.y");
    }

    @Test
    void lateDelInTheSameNamespaceLeavesTheNextSandboxesInterface() {
        var y = x.withContainer("y");
        node.add(x, CALICO);
        node.add(y, CALICO);
        var address = house.addresses("eth0");

        node.del(x, CALICO);

        assertThat(house.addresses("eth0")).isEqualTo(address);
        assertThat(node.handles()).containsExactly("net1.y");
    }

    @Test
    void m21FailedAddOfTheNextSandboxKeepsTheAddressOfTheFirst() {
        var rigged = node.house();
        rigged.netlink().links().createVeth(VethEnd.named("eth0"), VethEnd.named("x"), node.namespace());
        var y = Sandbox.of("y", rigged.path()).ofPod("test", "web-0");
        node.add(x, CALICO);

        var error = node.fail(CniVerb.ADD, y, CALICO);

        assertThat(error.msg()).contains("file exists");
        assertThat(node.handles()).containsExactly("net1.x");
        assertThat(node.endpoints().getFirst().holder().containerId()).isEqualTo("x");
    }

    /// The last one has the link and the endpoint, and both ADDs succeed.
    @Test
    void twoSandboxesOfOnePodAtOnceTakeTheLinkOneAfterTheOther() throws Exception {
        for (int round = 0; round < 10; round++) {
            var one = node.house();
            var other = node.house();
            var first = Sandbox.of("a" + round, one.path()).ofPod("test", "web-0");
            var second = Sandbox.of("b" + round, other.path()).ofPod("test", "web-0");
            var adding = CompletableFuture.supplyAsync(() -> node.call(CniVerb.ADD, first, CALICO));

            var answer = node.call(CniVerb.ADD, second, CALICO);

            assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
            assertThat(adding.get().exitCode()).as(adding.get().stdout().utf8()).isZero();
            var endpoint = node.endpoints().getFirst();
            boolean firstHasIt = endpoint.holder().containerId().equals(first.containerId());
            var winner = firstHasIt ? one : other;
            var loser = firstHasIt ? other : one;
            assertThat(winner.link("eth0")).isPresent();
            assertThat(winner.link("eth0").orElseThrow().mac())
                    .hasToString(endpoint.wire().mac());
            assertThat(loser.link("eth0")).isEmpty();
            assertThat(node.hostLink(LINK)).isPresent();
            assertThat(node.routed(endpoint.wire().addresses().getFirst().toString(), LINK))
                    .isTrue();
            node.del(first, CALICO);
            node.del(second, CALICO);
            assertThat(node.hostLink(LINK)).isEmpty();
            assertThat(node.handles()).isEmpty();
        }
    }

    /// The agent of another process has made the link of a newer sandbox, under the same name.
    @Test
    void failedRepeatedAddDoesNotRemoveTheLinkOfANewerSandbox() {
        node.add(x, CALICO);
        house.netlink().links().delete(house.link("eth0").orElseThrow().index());
        var newer = node.house();
        node.store().make(FailingEndpointStore.Trouble.REFUSED);
        node.store().before(() -> replaceHostLink(newer));

        node.fail(CniVerb.ADD, x, CALICO);

        assertThat(node.hostLink(LINK)).isPresent();
        assertThat(newer.link("eth0")).isPresent();
    }

    private void replaceHostLink(NetNode.House newer) {
        if (newer.link("eth0").isEmpty()) {
            node.hostLink(LINK).ifPresent(link -> node.onHost().links().delete(link.index()));
            newer.netlink().links().createVeth(VethEnd.named("eth0"), VethEnd.named(LINK), node.host());
        }
    }

    /// It fails after it was given the addresses again and before it makes a link.
    @Test
    void failedRepeatedAddRemovesTheLinkThatHasTheSameAddresses() {
        var config = network("{\"type\":\"calico-ipam\"}", ",\"feature_control\":{\"floating_ips\":true}");
        node.add(x, config);
        node.withPod("test", "web-0", annotation("floatingIPs", "[\"fd00::1\"]"));

        var error = node.fail(CniVerb.ADD, x, config);

        assertThat(error.msg()).isEqualTo("floating IP fd00::1 has no IPv6 address to lead to");
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.handles()).isEmpty();
        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void deviceThatTheKernelDoesNotHaveIsAVeth() {
        node.add(x, network("{\"type\":\"calico-ipam\"}", ",\"device_type\":\"netkit\""));

        var kind = node.hostLink(LINK).orElseThrow().kind();
        if (kind.equals("netkit")) {
            assertThat(node.log()).isEmpty();
        } else {
            assertThat(kind).isEqualTo("veth");
            assertThat(node.log()).contains("the kernel does not support netkit, so %s is a veth".formatted(LINK));
        }
        assertThat(house.reaches("192.0.2.1")).isTrue();
    }

    @Test
    void m22OtherInterfaceOfTheSamePodIsRecordedAsBefore() {
        node.add(x, CALICO);

        node.add(x.withIfname("eth1"), CALICO);

        assertThat(house.link("eth1")).isPresent();
        assertThat(node.endpoints())
                .singleElement()
                .satisfies(endpoint -> assertThat(endpoint.name()).hasToString("node--1-k8s-web--0-eth0"));
    }

    @Test
    void m23PodsWhoseNamesBeginAlikeAreTwo() {
        node.withPod("test", "p", "").withPod("test", "p-1", "");
        var longer = Sandbox.of("y", node.house().path()).ofPod("test", "p-1");
        var shorter = Sandbox.of("z", node.house().path()).ofPod("test", "p");

        node.add(longer, CALICO);
        node.add(shorter, CALICO);

        assertThat(node.endpoints())
                .extracting(endpoint -> endpoint.holder().containerId())
                .containsExactlyInAnyOrder("y", "z");
    }

    @Test
    void m24PodHasTheMacThatItAsksFor() {
        node.withPod("test", "web-0", annotation("hwAddr", "02:00:5e:00:53:01"));

        var result = node.add(x, CALICO);

        assertThat(house.link("eth0").orElseThrow().mac()).hasToString("02:00:5e:00:53:01");
        assertThat(result.interfaces().getLast().mac()).isEqualTo("02:00:5e:00:53:01");
        assertThat(node.endpoints().getFirst().wire().mac()).isEqualTo("02:00:5e:00:53:01");
    }

    @Test
    void m24InvalidMacFailsAndNothingIsLeft() {
        node.withPod("test", "web-0", annotation("hwAddr", "here"));

        var error = node.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg())
                .startsWith("failed to parse MAC address here provided via" + " cni.projectcalico.org/hwAddr: ");
        assertThat(node.handles()).isEmpty();
        assertThat(node.hostLink(LINK)).isEmpty();
    }

    /// The kernel refuses the address of a group only when it is set.
    @Test
    void row20MacThatTheKernelRefusesLeavesNeitherLinkNorAddress() {
        node.withPod("test", "web-0", annotation("hwAddr", "01:00:5e:00:53:01"));

        var error = node.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.msg()).contains("cannot assign requested address");
        assertThat(node.handles()).isEmpty();
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void m25DelOfAnUnknownPodSucceeds() {
        var unknown = x.ofPod("nowhere", "unknown");

        node.del(unknown, CALICO);
        node.del(unknown.withNetns(""), CALICO);

        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void podThatKubernetesDoesNotKnowIsNotAttached() {
        var unknown = x.ofPod("test", "unknown");

        assertThat(node.fail(CniVerb.ADD, unknown, CALICO).msg()).isEqualTo("pods \"unknown\" not found");
        assertThat(node.handles()).isEmpty();
    }

    @Test
    void podOfWhichNothingIsAskedHasTheNetworksProfile() {
        var config = CALICO.replace("\"policy\":{\"type\":\"k8s\"},", "");

        node.add(x.ofPod("test", "unknown"), config);

        assertThat(node.endpoints().getFirst().rules().profiles()).containsExactly("net1");
        assertThat(node.store()
                        .get("/calico/resources/v3/projectcalico.org/profiles/net1")
                        .orElseThrow()
                        .value()
                        .utf8())
                .doesNotContain("has(net1)");
    }

    @Test
    void repeatedAddOfTheSameSandboxGivesTheSameAddress() {
        var first = node.add(x, CALICO);

        var second = node.add(x, CALICO);

        assertThat(second.ips()).isEqualTo(first.ips());
        assertThat(node.handles()).containsExactly("net1.x");
        assertThat(node.routed(first.ips().getFirst().address().ip().toString(), LINK))
                .isTrue();
    }

    @Test
    void repeatedAddThatFailsTakesTheInterfaceBeforeTheAddressIsGivenBack() {
        node.add(x, CALICO);
        node.withPod("test", "web-0", annotation("hwAddr", "01:00:5e:00:53:01"));

        node.fail(CniVerb.ADD, x, CALICO);

        assertThat(node.handles()).isEmpty();
        assertThat(house.link("eth0")).isEmpty();
        assertThat(node.endpoints()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        ipAddrsNoIpam | ["10.0.0.1"]
        ipAddrs       | ["fd65::9"]
        ipFamilies    | ["IPv6"]
        ipv4pools     | ["four"]
        """)
    void checkAsksForWhatThePodAskedFor(String name, String list) {
        node.withPool("six", "fd65::/112", 122).withPod("test", "web-0", annotation(name, list));
        var config = withFeature("ip_addrs_no_ipam");
        var printed = node.call(CniVerb.ADD, x, config).stdout().utf8();
        var checked = network(
                "{\"type\":\"calico-ipam\"}",
                ",\"feature_control\":{\"ip_addrs_no_ipam\":true},\"prevResult\":" + printed);

        node.succeed(CniVerb.CHECK, x, checked);

        var eth0 = house.link("eth0").orElseThrow().index();
        house.netlink().links().setDown(eth0);
        assertThat(node.fail(CniVerb.CHECK, x, checked).msg()).isEqualTo("missing interface eth0 in the pod, set up");
    }

    @Test
    void ourOwnPluginForAddressesSpeaksAsCalicosDoes() {
        node.withPod("test", "web-0", annotation("ipAddrs", "[\"10.65.0.99\"]"));

        node.add(x, CALICO.replace("calico-ipam", "cadastre-ipam"));

        assertThat(house.addresses("eth0")).containsExactly("10.65.0.99/32");
        assertThat(node.handles()).containsExactly("net1.x");
    }

    @Test
    void storeThatFailsAtTheEndLeavesNeitherLinkNorAddress() {
        node.store().make(FailingEndpointStore.Trouble.REFUSED);

        var error = node.fail(CniVerb.ADD, x, CALICO);

        assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(node.hostLink(LINK)).isEmpty();
        assertThat(node.handles()).isEmpty();
        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void endpointWhoseRecordingIsNotAnsweredIsRecordedOnce() {
        node.store().make(FailingEndpointStore.Trouble.UNANSWERED);

        node.add(x, CALICO);

        assertThat(node.endpoints()).hasSize(1);
        node.store().make(FailingEndpointStore.Trouble.NONE);
        node.del(x, CALICO);
        assertThat(node.endpoints()).isEmpty();
    }

    @Test
    void delThatCannotReadTheEndpointTouchesNothing() {
        node.add(x, CALICO);
        node.store().make(FailingEndpointStore.Trouble.REFUSED);

        var error = node.fail(CniVerb.DEL, x, CALICO);

        assertThat(error.is(CniCode.TRY_AGAIN_LATER)).isTrue();
        assertThat(node.hostLink(LINK)).isPresent();
        assertThat(node.handles()).containsExactly("net1.x");
    }

    @Test
    void podsAreAttachedAtTheSameTime() throws InterruptedException {
        int count = 8;
        var answers = new ConcurrentSkipListMap<String, CniAnswer>();
        var threads = new ArrayList<Thread>();
        for (int index = 0; index < count; index++) {
            var name = "pod-" + index;
            node.withPod("test", name, "");
            var sandbox = Sandbox.of("c" + index, node.house().path()).ofPod("test", name);
            threads.add(Thread.ofVirtual().unstarted(() -> answers.put(name, node.call(CniVerb.ADD, sandbox, CALICO))));
        }

        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(answers.values())
                .hasSize(count)
                .allSatisfy(answer -> assertThat(answer.exitCode()).isZero())
                .extracting(answer -> CniResult.parse(answer.stdout())
                        .ips()
                        .getFirst()
                        .address()
                        .ip())
                .doesNotHaveDuplicates();
    }
}
