package io.cadastre.agent.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.agent.Undelivered;
import io.cadastre.agent.Withdrawal;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniVerb;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What calico-ipam does, on any store. The ids are those of the conformance scenarios.
abstract class CalicoIpamContract {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    private static final String BOTH = "{\"assign_ipv4\": \"true\", \"assign_ipv6\": \"true\"}";
    private static final String ONLY_IPV6 = "{\"assign_ipv4\": \"false\", \"assign_ipv6\": \"true\"}";

    private Datastore store = new MemoryDatastore();
    private CalicoIpamNode cluster = CalicoIpamNode.on(store);

    /// A store in which there is nothing.
    abstract Datastore open() throws IOException;

    @BeforeEach
    void begin() throws IOException {
        end();
        store = open();
        cluster = CalicoIpamNode.on(store).withPool("four", "192.168.0.0/16", 26);
    }

    @AfterEach
    void end() {
        cluster.close();
        store.close();
    }

    private CalicoIpamNode withIpv6() {
        return cluster.withPool("six", "fd80:24e2:f998:72d6::/64", 122);
    }

    @Test
    void i01OneIpv4WithThePrefixOfItsBlockAndARouteForIt() {
        withIpv6();

        var result = cluster.pod("c1").add();

        assertThat(result.ips()).singleElement().satisfies(ip -> {
            assertThat(ip.address().toString()).startsWith("192.168.").endsWith("/26");
            assertThat(ip.gateway()).isEmpty();
            assertThat(ip.interfaceIndex()).isEmpty();
        });
        assertThat(result.routes()).singleElement().satisfies(route -> {
            assertThat(route.destination()).isEqualTo(result.ips().getFirst().address());
            assertThat(route.gateway()).isEmpty();
        });
        assertThat(result.interfaces()).isEmpty();
    }

    @Test
    void i02OnlyIpv6() {
        withIpv6();

        var addresses = cluster.pod("c1").ipam(ONLY_IPV6).addresses();

        assertThat(addresses).singleElement().asString().startsWith("fd80:").endsWith("/122");
    }

    @Test
    void i03Ipv4AndThenIpv6WithTwoRoutes() {
        withIpv6();

        var result = cluster.pod("c1").ipam(BOTH).add();

        assertThat(result.ips())
                .extracting(ip -> ip.address().family().toString())
                .containsExactly("IPv4", "IPv6");
        assertThat(result.routes()).hasSize(2);
    }

    /// The bridge plugin of the CNI project would try to add the route, and fail.
    @Test
    void underItsOwnNameItTellsNoRoutes() {
        var result = cluster.pod("c1").ipam("{\"type\": \"cadastre-ipam\"}").add();

        assertThat(result.ips()).hasSize(1);
        assertThat(result.routes()).isEmpty();
    }

    @Test
    void configuredGatewaysAreInTheResult() {
        var result = cluster.pod("c1")
                .ipam("{\"gateways\": [\"fe80::1\", \"169.254.1.1\"]}")
                .add();

        assertThat(result.ips().getFirst().gateway()).contains(Address.parse("169.254.1.1"));
    }

    @Test
    void gatewayThatIsNotAnAddressIsRefusedAndNothingIsHeld() {
        var failure = cluster.pod("c1").ipam("{\"gateways\": [\"here\"]}").failure(CniVerb.ADD);

        assertThat(failure.is(CniCode.INVALID_NETWORK_CONFIG)).isTrue();
        assertThat(failure.msg()).isEqualTo("ipam.gateways: 'here' is not an address");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void i04WithoutAnIpv6PoolNoIpv4IsHeldEither() {
        var failure = cluster.pod("c1").ipam(BOTH).failure(CniVerb.ADD);

        assertThat(failure.is(CniCode.INTERNAL)).isTrue();
        assertThat(failure.msg()).isEqualTo("cannot find a qualified ippool");
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void i04AnIpv6PoolThatIsFullLeavesNoIpv4Held() {
        cluster.withPool("six", "fd80::/127", 127);
        cluster.pod("c1").ipam(ONLY_IPV6).addresses();
        cluster.pod("c2").ipam(ONLY_IPV6).addresses();

        var failure = cluster.pod("c3").ipam(BOTH).failure(CniVerb.ADD);

        assertThat(failure.msg())
                .startsWith("failed to request IPv6 addresses: Assigned 0 out of 1 requested IPv6" + " addresses; ");
        assertThat(cluster.held()).hasSize(2);
        assertThat(cluster.handles()).isEqualTo(2);
    }

    @Test
    void i05PoolsAreNamedByCidrOrByName() {
        cluster.withPool("other", "10.1.0.0/24", 26).withPool("third", "10.2.0.0/24", 26);

        var byCidr =
                cluster.pod("c1").ipam("{\"ipv4_pools\": [\"10.1.0.0/24\"]}").addresses();
        var byName = cluster.pod("c2").ipam("{\"ipv4_pools\": [\"third\"]}").addresses();
        var byBoth = cluster.pod("c3")
                .ipam("{\"ipv4_pools\": [\"third\", \"10.1.0.0/24\"]}")
                .addresses();

        assertThat(byCidr).singleElement().asString().startsWith("10.1.0.");
        assertThat(byName).singleElement().asString().startsWith("10.2.0.");
        assertThat(byBoth).singleElement().asString().matches("10\\.[12]\\.0\\..*");
    }

    @Test
    void i06AnUnknownCidrIsRefusedAsAPool() {
        var failure = cluster.pod("c1")
                .ipam("{\"ipv4_pools\": [\"192.168.0.0/16\", \"10.9.0.0/24\"]}")
                .failure(CniVerb.ADD);

        assertThat(failure.msg()).isEqualTo("the given pool (10.9.0.0/24) does not exist, or is not enabled");
    }

    @Test
    void invalidPoolsAreRefusedInCalicosWords() {
        var unknown = cluster.pod("c1").ipam("{\"ipv4_pools\": [\"unknown\"]}");
        var family = cluster.pod("c1").ipam("{\"ipv4_pools\": [\"fd80::/64\"]}");
        var type = cluster.pod("c1").ipam("{\"assign_ipv4\": true}");

        assertThat(unknown.failure(CniVerb.ADD).msg())
                .isEqualTo("error parsing pool \"unknown\": invalid CIDR address: unknown");
        assertThat(family.failure(CniVerb.ADD).msg()).isEqualTo("\"fd80::\" isn't a IPv4 address");
        assertThat(type.failure(CniVerb.ADD).msg()).startsWith("failed to load netconf: ");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void i07ADisabledPoolGivesNothingNew() {
        cluster.pod("first").addresses();

        cluster.withPool("four", "192.168.0.0/16", 26, ",\"disabled\":true");
        var next = new int[] {0};
        await().atMost(AMPLE)
                .until(() -> cluster.pod("c" + next[0]++).answer(CniVerb.ADD).exitCode() == 1);

        var failure = cluster.pod("last").failure(CniVerb.ADD);
        assertThat(failure.msg()).isEqualTo("cannot find a qualified ippool");
    }

    @Test
    void i08TheAddressThatIsAskedForStandsAlone() {
        var pod = cluster.pod("c1").args("IP=192.168.123.123");

        var first = pod.addresses();
        pod.del();
        var second = pod.addresses();

        assertThat(first).containsExactly("192.168.123.123/32");
        assertThat(second).isEqualTo(first);
    }

    @Test
    void i09AnAddressThatIsHeldIsNotGivenToAnother() {
        cluster.pod("c1").args("IP=192.168.123.123").add();

        var failure = cluster.pod("c2").args("IP=192.168.123.123").failure(CniVerb.ADD);

        assertThat(failure.msg())
                .isEqualTo(
                        "resource already exists: 192.168.123.123 with error: Address already" + " assigned in block");
    }

    @Test
    void i10AnAddressOfAPoolForTunnelsIsRefused() {
        cluster.withPool("tunnels", "10.8.0.0/24", 26, ",\"allowedUses\":[\"Tunnel\"]");

        var failure = cluster.pod("c1").args("IP=10.8.0.1").failure(CniVerb.ADD);

        assertThat(failure.msg())
                .isEqualTo("IP address 10.8.0.1 is in IP pool \"tunnels\", which is not allowed for"
                        + " use \"Workload\" (allowedUses: [Tunnel])");
    }

    @Test
    void anAddressOfNoPoolIsRefused() {
        var failure = cluster.pod("c1").args("IP=172.16.0.1").failure(CniVerb.ADD);

        assertThat(failure.msg()).isEqualTo("The provided IP address is not in a configured pool\n");
    }

    @Test
    void i11DelOfNothingSucceeds() {
        cluster.pod("unknown").del();
        cluster.pod("unknown").del();

        assertThat(cluster.handles()).isZero();
    }

    @Test
    void i12WhatWasGivenByALegacyHandleIsReleasedToo() {
        var args = "IgnoreUnknown=1;K8S_POD_NAMESPACE=prod;K8S_POD_NAME=web-0";
        cluster.giveBeside("192.168.1.1", "prod.web-0");
        cluster.giveBeside("192.168.1.2", "c2");
        var pod = cluster.pod("c1").args(args);
        pod.add();

        pod.del();
        cluster.pod("c2").del();

        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void i13TwentyAtOnceGetTwentyAddresses() {
        var addresses = manyAtOnce(20, pod -> cluster.pod("c" + pod).addresses());

        assertThat(addresses).hasSize(20).doesNotHaveDuplicates();
        assertThat(cluster.held()).hasSize(20);
    }

    @Test
    void i14ALockFileThatCannotBeUsedDoesNotMatter() {
        var config = """
            {"cniVersion": "1.1.0", "name": "net", "ipam_lock_file": "/proc/none/lock",
             "ipam": {"type": "calico-ipam"}}\
            """;

        var answer = cluster.answer(CniVerb.ADD, "c1", "eth0", "", config, new Withdrawal());

        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void aRepeatedAddGivesTheSameAnswerAndChangesNothing() {
        withIpv6();
        var pod = cluster.pod("c1").ipam(BOTH);
        var single = cluster.pod("c2").args("IP=192.168.123.123");
        var first = pod.add();
        var firstSingle = single.add();
        var before = cluster.held();

        var second = pod.add();
        var secondSingle = single.add();

        assertThat(second).isEqualTo(first);
        assertThat(secondSingle).isEqualTo(firstSingle);
        assertThat(cluster.held()).isEqualTo(before);
    }

    @Test
    void twoOfTheSameAtOnceGetTheSame() {
        var results = manyAtOnce(8, _ -> cluster.pod("c1").addresses());

        assertThat(results).hasSize(8).containsOnly(results.getFirst());
        assertThat(cluster.held()).hasSize(1);
    }

    @Test
    void manyThatAreRepeatedAtOnceGetWhatTheyHave() {
        var first = manyAtOnce(100, pod -> cluster.pod("c" + pod).addresses());

        var second = manyAtOnce(150, pod -> cluster.pod("c" + pod).addresses());
        manyAtOnce(200, pod -> {
            cluster.pod("c" + pod).del();
            return List.of();
        });

        assertThat(second).startsWith(first.toArray(String[]::new)).doesNotHaveDuplicates();
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    private static List<String> manyAtOnce(int count, IntFunction<List<String>> work) {
        return IntStream.range(0, count)
                .mapToObj(number -> CompletableFuture.supplyAsync(() -> work.apply(number), Thread::startVirtualThread))
                .toList()
                .stream()
                .flatMap(result -> result.join().stream())
                .toList();
    }

    @Test
    void missingAddressIsAddedToTheOneHeld() {
        withIpv6();
        var four = cluster.pod("c1").addresses();

        var both = cluster.pod("c1").ipam(BOTH).addresses();

        assertThat(both).hasSize(2).startsWith(four.getFirst());
        assertThat(cluster.held()).hasSize(2);
    }

    @Test
    void anotherInterfaceGetsAnotherAddressAndEachIsReleasedByItself() {
        var first = cluster.pod("c1").addresses();
        var second = cluster.pod("c1").ifname("net1").addresses();

        cluster.pod("c1").ifname("net1").del();

        assertThat(second).isNotEqualTo(first);
        assertThat(cluster.heldAddresses().getFirst() + "/26").isEqualTo(first.getFirst());
        assertThat(cluster.held()).hasSize(1);
        cluster.pod("c1").del();
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isZero();
    }

    @Test
    void aLateDelOfAnOldSandboxDoesNotHarmTheNewOne() {
        var args = "IgnoreUnknown=1;K8S_POD_NAMESPACE=prod;K8S_POD_NAME=web-0";
        cluster.pod("old").args(args).add();
        var current = cluster.pod("new").args(args).addresses();

        cluster.pod("old").args(args).del();
        cluster.pod("old").args(args).del();

        assertThat(cluster.heldAddresses())
                .singleElement()
                .isEqualTo(current.getFirst().replace("/26", ""));
    }

    @Test
    void attributesAreCalicosAndOneOfOurs() {
        cluster.pod("c1")
                .args("IgnoreUnknown=1;K8S_POD_NAMESPACE=prod;K8S_POD_NAME=web-0")
                .add();
        cluster.pod("c2").add();

        var held = cluster.held();

        assertThat(held).extracting(address -> address.held().handle()).containsExactlyInAnyOrder("net.c1", "net.c2");
        assertThat(held)
                .extracting(address -> Map.copyOf(address.held().owner()))
                .containsExactlyInAnyOrder(
                        Map.of(
                                "node", "node-1",
                                "timestamp", "2026-01-02 03:04:05.6 +0000 UTC",
                                "pod", "web-0",
                                "namespace", "prod",
                                "cadastre-attachment", "net/c1/eth0"),
                        Map.of(
                                "node", "node-1",
                                "timestamp", "2026-01-02 03:04:05.6 +0000 UTC",
                                "cadastre-attachment", "net/c2/eth0"));
    }

    @Test
    void aFullMaskIsGivenOnRequest() {
        var addresses = cluster.pod("c1").ipam("{\"full_mask\": true}").addresses();

        assertThat(addresses).singleElement().asString().endsWith("/32");
    }

    @Test
    void checkAsksWhetherTheAddressIsStillReserved() {
        var pod = cluster.pod("c1");
        var result = pod.add();
        var shown = ", \"prevResult\": " + result.print("1.1.0");
        var other = shown.replace("192.168.", "192.169.");

        assertThat(pod.answer(CniVerb.CHECK).exitCode()).isZero();
        assertThat(pod.answer(CniVerb.CHECK, shown, new Withdrawal()).exitCode())
                .isZero();
        assertThat(pod.failure(CniVerb.CHECK, other).msg()).contains("reserved for interface eth0");
        assertThat(pod.ifname("net1").failure(CniVerb.CHECK).msg()).contains("interface net1");
        pod.del();
        assertThat(pod.failure(CniVerb.CHECK).msg()).contains("container c1");
    }

    @Test
    void gcReleasesUnlistedAttachments() {
        cluster.pod("kept").add();
        cluster.pod("kept").ifname("net1").add();
        cluster.pod("gone").add();
        cluster.giveBeside("192.168.1.1", "net.beside");
        var valid = "[{\"containerID\": \"kept\", \"ifname\": \"eth0\"}]";

        collect("net", valid);

        assertThat(cluster.held())
                .extracting(held -> held.held().owner().getOrDefault("cadastre-attachment", "?"))
                .containsExactlyInAnyOrder("net/kept/eth0", "?");
    }

    @Test
    void gcWithoutAListReleasesNothingAndWithNullAll() {
        cluster.pod("c1").add();

        collect("net", "absent");
        var afterNothing = cluster.held().size();
        collect("net", "null");

        assertThat(afterNothing).isEqualTo(1);
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void gcLeavesOtherNetworksAndOtherNodesAlone() {
        cluster.withNode("node-2");
        add("a", "b.c", "");
        add("a.b", "c", "");
        add("a", "on-two", ", \"nodename\": \"node-2\"");

        collect("a.b", "[]");
        var afterFirst = attachments();
        collect("a", "[]");

        assertThat(afterFirst).containsExactlyInAnyOrder("a/b.c/eth0", "a/on-two/eth0");
        assertThat(attachments()).containsExactly("a/on-two/eth0");
    }

    private List<String> attachments() {
        return cluster.held().stream()
                .map(held -> held.held().owner().getOrDefault("cadastre-attachment", "?"))
                .toList();
    }

    private void add(String network, String container, String more) {
        var config = "{\"cniVersion\": \"1.1.0\", \"name\": \"%s\", \"ipam\": {}%s}".formatted(network, more);
        var answer = cluster.answer(CniVerb.ADD, container, "eth0", "", config, new Withdrawal());
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
    }

    private void collect(String network, String valid) {
        var list = valid.equals("absent") ? "" : ", \"cni.dev/valid-attachments\": %s".formatted(valid);
        var config = "{\"cniVersion\": \"1.1.0\", \"name\": \"%s\", \"ipam\": {}%s}".formatted(network, list);
        var answer = cluster.answer(CniVerb.GC, "", "", "", config, new Withdrawal());
        assertThat(answer.exitCode()).as(answer.stdout().utf8()).isZero();
    }

    @Test
    void aClusterThatIsNotReadyIsLeftAlone() {
        var pod = cluster.pod("c1");
        pod.add();
        cluster.ready(false);

        await().atMost(AMPLE).until(() -> cluster.pod("c2").answer(CniVerb.ADD).exitCode() == 1);

        for (var verb : List.of(CniVerb.ADD, CniVerb.DEL)) {
            var failure = pod.failure(verb);
            assertThat(failure.is(CniCode.TRY_AGAIN_LATER)).isTrue();
            assertThat(failure.msg()).isEqualTo("Calico is currently not ready to process requests");
        }
        assertThat(pod.failure(CniVerb.STATUS).is(CniCode.PLUGIN_NOT_AVAILABLE)).isTrue();
        cluster.ready(true);
        await().atMost(AMPLE).until(() -> pod.answer(CniVerb.STATUS).exitCode() == 0);
        pod.del();
    }

    @Test
    void undeliveredAddressesAreTakenBackUnlessHeldBefore() {
        withIpv6();
        cluster.pod("c1").addresses();
        var withdrawal = new Withdrawal();
        cluster.pod("c1").ipam(BOTH).answer(CniVerb.ADD, "", withdrawal);
        var both = cluster.held().size();

        Undelivered.of(withdrawal);

        assertThat(both).isEqualTo(2);
        assertThat(cluster.heldAddresses()).singleElement().asString().startsWith("192.168.");
    }

    @Test
    void everyVersionIsSpoken() {
        var versions = List.of("0.1.0", "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0");

        for (var version : versions) {
            var config = "{\"cniVersion\": \"%s\", \"name\": \"net\", \"ipam\": {}}".formatted(version);
            var answer = cluster.answer(CniVerb.ADD, "c" + version, "eth0", "", config, new Withdrawal());
            assertThat(answer.stdout().utf8()).contains(version).contains("192.168.");
        }
    }

    @Test
    void idThatNoStoreTakesIsRefusedBeforeAnythingIsDoneAndDeletedInPeace() {
        var pod = cluster.pod("x".repeat(1100));

        var failure = pod.failure(CniVerb.ADD);

        assertThat(failure.is(CniCode.INVALID_ENVIRONMENT)).isTrue();
        assertThat(failure.msg())
                .contains("CNI_CONTAINERID has 1100 characters")
                .contains("at most 1024 bytes");
        assertThat(cluster.held()).isEmpty();
        assertThat(pod.failure(CniVerb.CHECK).msg()).startsWith("no IPv4 address of the result");
        pod.del();
        cluster.pod("c1").add();
        cluster.pod("c1").del();
    }

    @Test
    void longestIdThatTheStoreTakesIsServed() {
        var pod = cluster.pod("x".repeat(997));

        pod.add();
        assertThat(cluster.held()).hasSize(1);
        pod.del();

        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.pod("x".repeat(998)).failure(CniVerb.ADD).is(CniCode.INVALID_ENVIRONMENT))
                .isTrue();
    }
}
