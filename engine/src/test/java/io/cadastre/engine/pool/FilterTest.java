package io.cadastre.engine.pool;

import static io.cadastre.engine.pool.PoolBuilder.aPool;
import static io.cadastre.engine.pool.PoolBuilder.labelled;
import static io.cadastre.engine.pool.PoolBuilder.labels;
import static io.cadastre.engine.pool.RequestBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.pool.LabelSelector.Operator;
import io.cadastre.engine.pool.LabelSelector.Requirement;
import io.cadastre.engine.pool.Networks.First;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.Networks.Network;
import io.cadastre.engine.pool.PoolFault.Rule;
import io.cadastre.engine.pool.PoolRefusal.FilteredOut;
import io.cadastre.engine.pool.select.PoolOrder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which pools fit a pod, and which of them comes first.
class FilterTest {

    private static Rule rule(PoolCluster cluster, RequestBuilder asker) {
        return switch (cluster.refusal(asker)) {
            case FilteredOut filtered -> filtered.faults().getFirst().rule();
            case PoolRefusal other -> throw new AssertionError(other.sentence());
        };
    }

    private static PoolBuilder pool() {
        return aPool("p", "172.18.40.0/24", "172.18.40.40-172.18.40.44");
    }

    @Test
    @DisplayName("C34: a disabled pool gives nothing")
    void disabledPoolGivesNothing() {
        var cluster = PoolCluster.of(pool().disabled());

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p"));

        assertThat(refusal)
                .isEqualTo(new FilteredOut(
                        Family.IPV4,
                        "eth0",
                        List.of("p"),
                        List.of(new PoolFault("p", Rule.DISABLED, "disabled IPPool p"))));
        assertThat(refusal.sentence())
                .endsWith("no IPPool available, all IPv4 IPPools [p] of eth0 filtered out: disabled" + " IPPool p");
    }

    @Test
    void terminatingPoolGivesNothing() {
        var cluster = PoolCluster.of(pool().disabled().terminating());

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p"));

        assertThat(refusal.sentence()).endsWith("terminating IPPool p");
    }

    @Test
    void poolOfTheOtherFamilyDoesNotFit() {
        var cluster = PoolCluster.of(aPool("six", "fd00::/64", "fd00::1"));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("six"));

        assertThat(refusal.sentence()).endsWith("expect an IPv4 IPPool, but the version of the IPPool six is IPv6");
    }

    @Test
    @DisplayName("C35: names of nodes hide a selector of nodes")
    void nodeNamesHideTheNodeSelector() {
        var cluster = PoolCluster.of(pool().onNodes("n1").onNodes(labelled("zone", "z")));

        var refused = rule(cluster, aPod("x", "u1").wanting("p").on("n2", "zone", "z"));
        var given = cluster.given(aPod("x", "u1").wanting("p").on("n1"));

        assertThat(refused).isEqualTo(Rule.NODE_NAME);
        assertThat(given).hasSize(1);
    }

    @Test
    void nodeSelectorSelectsByLabels() {
        var cluster = PoolCluster.of(pool().onNodes(labelled("zone", "z")));

        var refused = rule(cluster, aPod("x", "u1").wanting("p").on("n1", "zone", "y"));
        var given = cluster.given(aPod("x", "u1").wanting("p").on("n2", "zone", "z"));

        assertThat(refused).isEqualTo(Rule.NODE_AFFINITY);
        assertThat(given).hasSize(1);
    }

    @Test
    @DisplayName("C36: names of namespaces hide a selector of namespaces")
    void namespaceNamesHideTheNamespaceSelector() {
        var cluster = PoolCluster.of(pool().inNamespaces("ns1").inNamespaces(labelled("team", "t")));

        var refused = rule(cluster, aPod("ns2", "x", "u1").wanting("p").namespaceLabelled("team", "t"));
        var given = cluster.given(aPod("ns1", "x", "u1").wanting("p"));

        assertThat(refused).isEqualTo(Rule.NAMESPACE_NAME);
        assertThat(given).hasSize(1);
    }

    @Test
    void namespaceSelectorSelectsByLabels() {
        var cluster = PoolCluster.of(pool().inNamespaces(labelled("team", "t")));

        var refused = rule(cluster, aPod("x", "u1").wanting("p"));
        var given = cluster.given(aPod("x", "u1").wanting("p").namespaceLabelled("team", "t"));

        assertThat(refused).isEqualTo(Rule.NAMESPACE_AFFINITY);
        assertThat(given).hasSize(1);
    }

    @Test
    @DisplayName("C37: a pod without the labels is refused")
    void podSelectorSelectsByLabels() {
        var cluster = PoolCluster.of(pool().forPods(labelled("app", "a")));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p").labelled("app", "b"));
        var given = cluster.given(aPod("x", "u1").wanting("p").labelled("app", "a"));

        assertThat(refusal.sentence()).endsWith("unmatched Pod affinity of IPPool p");
        assertThat(given).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "IN,a,true",
        "IN,c,false",
        "IN,'',false",
        "NOT_IN,a,false",
        "NOT_IN,c,true",
        "NOT_IN,'',true",
        "EXISTS,c,true",
        "EXISTS,'',false",
        "DOES_NOT_EXIST,c,false",
        "DOES_NOT_EXIST,'',true"
    })
    void selectorsAskForLabels(Operator operator, String app, boolean fits) {
        var values = operator == Operator.IN || operator == Operator.NOT_IN ? List.of("a", "b") : List.<String>of();
        var selector = new LabelSelector(labels(), List.of(new Requirement("app", operator, values)));

        assertThat(selector.fits(app.isEmpty() ? labels() : labels("app", app))).isEqualTo(fits);
    }

    @Test
    @DisplayName("C38: a pod gets an address of the pool for its node")
    void eachNodeHasItsPool() {
        var cluster = PoolCluster.of(
                aPool("a", "10.6.0.0/16", "10.6.168.60-10.6.168.69").onNodes("n1"),
                aPool("b", "10.7.0.0/16", "10.7.168.60-10.7.168.69").onNodes("n2"));

        var one = cluster.given(aPod("x", "u1").wanting("a", "b").on("n1"));
        var two = cluster.given(aPod("y", "u2").wanting("a", "b").on("n2"));

        assertThat(one).containsExactly("10.6.168.60/16");
        assertThat(two).containsExactly("10.7.168.60/16");
    }

    private static Networks networks(String first, Network... further) {
        return new Networks(new First.Named(first), new Further.Listed(List.of(further)), "kube-system");
    }

    @Test
    @DisplayName("C39: a pool for another network is refused")
    void poolForAnotherNetworkDoesNotFit() {
        var cluster = PoolCluster.of(pool().onNetworks("kube-system/mac1"));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p").networks(networks("kube-system/mac2")));

        assertThat(refusal.sentence()).contains("spec.multusName", "is not matched with the multusCR kube-system/mac2");
    }

    @Test
    void networkWithoutANamespaceIsOfTheHomeNamespace() {
        var cluster = PoolCluster.of(pool().onNetworks("mac1"));

        var given = cluster.given(aPod("x", "u1").wanting("p").networks(networks("kube-system/mac1")));

        assertThat(given).hasSize(1);
    }

    @Test
    @DisplayName("C40: each interface gets an address of the pool for its network")
    void eachInterfaceHasItsPool() {
        var cluster = PoolCluster.of(
                aPool("x", "10.1.0.0/16", "10.1.0.1").isDefault().onNetworks("kube-system/mac1"),
                aPool("y", "10.2.0.0/16", "10.2.0.1").isDefault().onNetworks("kube-system/mac2"));
        var networks = networks("kube-system/mac1", new Network("kube-system/mac2", ""));

        var eth0 = cluster.given(aPod("pod", "u1").networks(networks));
        var net1 = cluster.given(aPod("pod", "u1").networks(networks).forNic("net1"));

        assertThat(eth0).containsExactly("10.1.0.1/16");
        assertThat(net1).containsExactly("10.2.0.1/16");
    }

    @Test
    @DisplayName("C41: the network of an interface is found by the interface's name")
    void networkIsFoundByTheNameOfTheInterface() {
        var cluster = PoolCluster.of(pool().onNetworks("kube-system/mac2"));
        var networks = networks(
                "kube-system/mac1", new Network("kube-system/mac9", "net9"), new Network("kube-system/mac2", "net1"));

        var given =
                cluster.given(aPod("x", "u1").wanting("p").networks(networks).forNic("net1"));

        assertThat(given).hasSize(1);
    }

    @Test
    void interfaceWithoutANetworkDoesNotFit() {
        var cluster = PoolCluster.of(pool().onNetworks("kube-system/mac2"));

        var refusal = cluster.refusal(aPod("x", "u1")
                .wanting("p")
                .networks(networks("kube-system/mac2"))
                .forNic("net1"));

        assertThat(refusal.sentence()).contains("unknown: no matched multus object for NIC 'net1'");
    }

    @Test
    void withoutAClusterNetworkAPoolForNetworksDoesNotFit() {
        var cluster = PoolCluster.of(pool().onNetworks("kube-system/mac2"));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p").networks(Networks.unknown("kube-system")));

        assertThat(refusal.sentence())
                .contains("cluster-network multus isn't set, the IPPool p specified multusName"
                        + " [kube-system/mac2] unmatched");
    }

    @Test
    void networksThatCannotBeReadMatterOnlyToPoolsForNetworks() {
        var cluster =
                PoolCluster.of(pool(), aPool("q", "10.1.0.0/16", "10.1.0.1").onNetworks("n"));
        var asker = aPod("x", "u1").networks(Networks.unknown("kube-system")).forNic("net1");

        var refusal = cluster.refusal(asker.wanting("q"));
        var given = cluster.given(asker.wanting("p"));

        assertThat(refusal.sentence()).contains("failed to parse pod network annotation");
        assertThat(given).hasSize(1);
    }

    @Test
    void defaultNetworkThatCannotBeReadFitsNoPoolForNetworks() {
        var cluster =
                PoolCluster.of(pool(), aPool("q", "10.1.0.0/16", "10.1.0.1").onNetworks("n"));
        var broken = new Further.Unreadable("it is broken");
        var asker = aPod("x", "u1").networks(new Networks(broken, broken, "kube-system"));

        var refusal = cluster.refusal(asker.wanting("q"));
        var given = cluster.given(asker.wanting("p"));

        assertThat(refusal.sentence()).contains("failed to parse pod network annotation: it is broken");
        assertThat(given).hasSize(1);
    }

    @Test
    @DisplayName("C95: a pool made for an application gives to no other")
    void poolOfAnApplicationIsOnlyForItsPods() {
        var selector = labelled(
                "ipam.spidernet.io/app-api-group", "apps",
                "ipam.spidernet.io/app-api-version", "v1",
                "ipam.spidernet.io/app-kind", "Deployment",
                "ipam.spidernet.io/app-namespace", "default",
                "ipam.spidernet.io/app-name", "web");
        var cluster = PoolCluster.of(pool().forApplication(selector).onNetworks("none"));

        var refusal = cluster.refusal(aPod("x", "u1").wanting("p"));
        var given =
                cluster.given(aPod("web-1", "u2").wanting("p").of(new TopController("apps/v1", "Deployment", "web")));

        assertThat(refusal.sentence()).contains("unmatched Pod annifity of auto-created IPool p");
        assertThat(given).hasSize(1);
    }

    @Test
    void reasonsOfAllPoolsAreReported() {
        var cluster = PoolCluster.of(
                pool().disabled(), aPool("q", "10.1.0.0/16", "10.1.0.1").onNodes("n9"));

        var decision = cluster.allocate(aPod("x", "u1").wanting("p", "q"));

        assertThat(decision.because())
                .contains(
                        new PoolFault("p", Rule.DISABLED, "disabled IPPool p"),
                        new PoolReason.NameUnlisted("q", "nodeName", List.of("n9"), "n1"));
        assertThat(((PoolAllocation.Refused) decision.outcome()).refusal().sentence())
                .endsWith("[disabled IPPool p, unmatched Node name of IPPool q]");
    }

    @Test
    void orderOfThePoolsThatFitAndThoseThatWereTriedInVainAreReasons() {
        var cluster = PoolCluster.of(
                aPool("a", "10.1.0.0/16", "10.1.0.1"),
                aPool("b", "10.2.0.0/16", "10.2.0.1").onNodes("n1").holding("10.2.0.1", "default/z", "u9"),
                aPool("c", "10.3.0.0/16", "10.3.0.1").disabled());

        var decision = cluster.allocate(aPod("x", "u1").wanting("a", "b", "c"));

        assertThat(decision.because())
                .containsExactly(
                        new PoolReason.ToldBy("the Pod's annotation", List.of("a", "b", "c"), "eth0"),
                        new PoolFault("c", Rule.DISABLED, "disabled IPPool c"),
                        new PoolReason.Ordered(List.of("b", "a"), "eth0"),
                        new PoolReason.TriedInVain("b", "all IP addresses used out"),
                        new PoolReason.Chose(Address.parse("10.1.0.1"), "a", "eth0"));
    }

    private static List<String> order(PoolBuilder... pools) {
        return PoolOrder.sorted(Stream.of(pools).map(PoolBuilder::build).toList()).stream()
                .map(AddressPool::name)
                .toList();
    }

    private static PoolBuilder any(String name) {
        return aPool(name, "10.1.0.0/16");
    }

    @Test
    @DisplayName("C42: pods count more than nodes, nodes more than namespaces")
    void particularPoolsComeFirst() {
        var sorted = order(
                any("p1").forPods(labelled("a", "b")),
                any("p2").onNodes("n"),
                any("p3").onNodes("n").inNamespaces("ns"),
                any("p4").inNamespaces("ns").onNetworks("m"));

        assertThat(sorted).containsExactly("p1", "p3", "p2", "p4");
    }

    @Test
    @DisplayName("C43: nodes count more than namespaces and networks together")
    void earlierTraitsCountMoreThanManyLaterOnes() {
        var sorted = order(
                any("p1").forPods(labelled("a", "b")).inNamespaces("ns").onNetworks("m"),
                any("p2").forPods(labelled("a", "b")).onNodes("n"));

        assertThat(sorted).containsExactly("p2", "p1");
    }

    @Test
    void equalPoolsKeepTheirOrder() {
        var sorted = order(any("z"), any("a").onNodes("n"), any("y"), any("b").onNodes("n"));

        assertThat(sorted).containsExactly("a", "b", "z", "y");
    }

    @Test
    void selectorsCountLessThanNamesOfTheSameThing() {
        var sorted = order(
                any("p1").inNamespaces(labelled("a", "b")),
                any("p2").inNamespaces("ns"),
                any("p3").onNodes(labelled("a", "b")),
                any("p4").onNodes("n"));

        assertThat(sorted).containsExactly("p4", "p3", "p2", "p1");
    }

    @Test
    void poolOfASubnetOfTheMasterFitsAndOthersDoNot() {
        var cluster = PoolCluster.of(aPool("near", "172.18.40.0/24", "172.18.40.40-172.18.40.44"));
        var inside = new MasterSubnets.Known("ens1f0", List.of(Address.parse("172.18.40.1")));
        var outside = new MasterSubnets.Known("ens1f0", List.of(Address.parse("172.18.41.1")));

        var refused = cluster.refusal(aPod("x", "u1").wanting("near").within(outside));
        var unknown = cluster.refusal(aPod("x", "u1").wanting("near").within(new MasterSubnets.Unknown("no idea")));
        var given = cluster.given(aPod("x", "u1").wanting("near").within(inside));

        assertThat(refused.sentence())
                .contains("filterPoolCandidatesByPfSubnet: the ippool's subnet \"172.18.40.0/24\" not found on pod's PF"
                        + " \"ens1f0\"");
        assertThat(unknown.sentence()).contains("filterPoolCandidatesByPfSubnet: no idea");
        assertThat(given).containsExactly("172.18.40.40/24");
    }

    @Test
    void poolForTheNetworkOfTheInterfaceNeedsNoSubnetOfTheMaster() {
        var cluster = PoolCluster.of(pool().onNetworks("kube-system/mac1"));

        var given = cluster.given(aPod("x", "u1")
                .wanting("p")
                .networks(networks("kube-system/mac1"))
                .within(new MasterSubnets.Unknown("no idea")));

        assertThat(given).hasSize(1);
    }
}
