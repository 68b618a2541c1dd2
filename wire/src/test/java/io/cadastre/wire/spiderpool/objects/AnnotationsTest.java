package io.cadastre.wire.spiderpool.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Networks.First;
import io.cadastre.engine.pool.Networks.Further;
import io.cadastre.engine.pool.Networks.Network;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodRoute;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.wire.spiderpool.workload.SpiderAnnotations;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnotationsTest {

    private static SortedMap<String, String> annotations(String... keysAndValues) {
        var annotations = new TreeMap<String, String>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            annotations.put(keysAndValues[at], keysAndValues[at + 1]);
        }
        return annotations;
    }

    private static SortedMap<String, String> golden(String id) {
        return SpiderpoolGolden.read(SpiderpoolGolden.ANNOTATIONS)
                .path("annotations")
                .valueStream()
                .filter(entry -> entry.path("id").asText().equals(id))
                .map(entry -> annotations(
                        entry.path("key").asText(), entry.path("value").asText()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("SG-41, SG-42: a subnet is wished for")
    void subnetsAreSeen() {
        assertThat(SpiderAnnotations.ofPod(golden("SG-41")))
                .isEqualTo(new PoolPreference.OfSubnet("ipam.spidernet.io/subnet"));
        assertThat(SpiderAnnotations.ofPod(golden("SG-42")))
                .isEqualTo(new PoolPreference.OfSubnet("ipam.spidernet.io/subnets"));
    }

    @Test
    @DisplayName("SG-43: pools for one interface")
    void poolsForOneInterfaceAreRead() {
        assertThat(SpiderAnnotations.ofPod(golden("SG-43")))
                .isEqualTo(new PoolPreference.Single(new PoolNames(List.of("p1", "p2"), List.of("p3"))));
    }

    @Test
    @DisplayName("SG-44: pools for several interfaces")
    void poolsForSeveralInterfacesAreRead() {
        assertThat(SpiderAnnotations.ofPod(golden("SG-44")))
                .isEqualTo(new PoolPreference.Several(
                        List.of(new PoolPreference.Item("eth0", PoolNames.NONE, GatewayUse.DEFAULT_ROUTE))));
    }

    @Test
    @DisplayName("C31: several interfaces hide one")
    void severalInterfacesHideOne() {
        var preference = SpiderAnnotations.ofPod(annotations(
                "ipam.spidernet.io/ippool", "{\"ipv4\":[\"b\"]}",
                "ipam.spidernet.io/ippools", "[{\"ipv4\":[\"a\"]}]"));

        assertThat(preference)
                .isEqualTo(new PoolPreference.Several(List.of(new PoolPreference.Item(
                        "", new PoolNames(List.of("a"), List.of()), GatewayUse.DEFAULT_ROUTE))));
    }

    @Test
    void namesMatchInAnyCaseAndTheLastCounts() {
        var preference = SpiderAnnotations.ofPod(
                annotations(
                        "ipam.spidernet.io/ippools",
                        "[{\"Interface\":\"eth0\",\"ipv4\":[\"a\"],\"IPV4\":[\"b\"],\"ipv6\":null,\"cleanGateway\":true,\"more\":1}]"));

        assertThat(preference)
                .isEqualTo(new PoolPreference.Several(List.of(
                        new PoolPreference.Item("eth0", new PoolNames(List.of("b"), List.of()), GatewayUse.CLEAN))));
    }

    @Test
    void unknownNamesNameNothing() {
        assertThat(SpiderAnnotations.ofPod(annotations("ipam.spidernet.io/ippool", "{\"foo\":[\"p\"]}")))
                .isEqualTo(new PoolPreference.Single(PoolNames.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "\"p\"", "{\"ipv4\":\"p\"}", "{\"ipv4\":[7]}"})
    void brokenAnnotationIsWrongInput(String value) {
        var preference = SpiderAnnotations.ofPod(annotations("ipam.spidernet.io/ippool", value));

        assertThat(preference)
                .isInstanceOfSatisfying(
                        PoolPreference.Broken.class,
                        broken -> assertThat(broken.sentence())
                                .startsWith("wrong input, invalid format of Pod annotation"
                                        + " 'ipam.spidernet.io/ippool'"));
    }

    @Test
    void faultOfAnAnnotationIsNamedInPlainWords() {
        var preference = SpiderAnnotations.ofPod(annotations("ipam.spidernet.io/ippool", "{\"IPV4\":\"p\"}"));

        assertThat(preference)
                .isEqualTo(new PoolPreference.Broken("wrong input, invalid format of Pod annotation"
                        + " 'ipam.spidernet.io/ippool': its ipv4 is not an array"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"ipv4\":[\"a\"],\"IPV4\":[\"b\"],\"ipv4\":[\"c\"]}",
                "{\"IPV4\":[\"a\"],\"ipv4\":[\"b\"],\"IPV4\":[\"c\"]}"
            })
    void lastOfSeveralSpellingsCounts(String value) {
        assertThat(SpiderAnnotations.ofPod(annotations("ipam.spidernet.io/ippool", value)))
                .isEqualTo(new PoolPreference.Single(new PoolNames(List.of("c"), List.of())));
    }

    @Test
    void faultOfANamespaceNamesTheAnnotation() {
        var preference = SpiderAnnotations.ofNamespace(annotations(
                "ipam.spidernet.io/default-ipv4-ippool", "[\"p\"]",
                "ipam.spidernet.io/default-ipv6-ippool", "[\"p\"] []"));

        assertThat(preference)
                .isEqualTo(new PoolPreference.Broken("failed to parse Namespace annotation"
                        + " 'ipam.spidernet.io/default-ipv6-ippool': something follows the JSON value"));
    }

    @Test
    void podThatSaysNothingIsSilent() {
        assertThat(SpiderAnnotations.ofPod(annotations("app", "a"))).isEqualTo(new PoolPreference.Silent());
    }

    @Test
    void namespaceNamesPools() {
        var preference = SpiderAnnotations.ofNamespace(annotations(
                "ipam.spidernet.io/default-ipv4-ippool", "[\"a\",\"b-*\"]",
                "ipam.spidernet.io/default-ipv6-ippool", "[\"c\"]"));

        assertThat(preference).isEqualTo(new PoolPreference.Single(new PoolNames(List.of("a", "b-*"), List.of("c"))));
    }

    @Test
    void namespaceWhoseAnnotationIsNotAListIsBroken() {
        var preference = SpiderAnnotations.ofNamespace(annotations("ipam.spidernet.io/default-ipv4-ippool", "\"p1\""));

        assertThat(preference).isInstanceOf(PoolPreference.Broken.class);
    }

    @Test
    @DisplayName("SG-45: routes are read")
    void routesAreRead() {
        assertThat(SpiderAnnotations.routes(golden("SG-45")))
                .isEqualTo(new RequestedRoutes.Listed(List.of(new PodRoute("10.0.0.0/16", "192.168.1.1"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"dst\":\"10.0.0.0/16\",\"gw\":\"fd00::1\"}]",
                "[{\"dst\":\"10.0.0.0\",\"gw\":\"10.1.0.1\"}]",
                "[{\"dst\":\"10.0.0.0/16\"}]",
                "{}"
            })
    void routesOfAnotherFormAreWrongInput(String value) {
        assertThat(SpiderAnnotations.routes(annotations("ipam.spidernet.io/routes", value)))
                .isInstanceOfSatisfying(
                        RequestedRoutes.Broken.class,
                        broken -> assertThat(broken.sentence())
                                .startsWith("wrong input, invalid format of Pod annotation"
                                        + " 'ipam.spidernet.io/routes'"));
    }

    @Test
    void defaultRoutesAreAllowed() {
        assertThat(SpiderAnnotations.routes(
                        annotations("ipam.spidernet.io/routes", "[{\"dst\":\"::/0\",\"gw\":\"fd00::1\"}]")))
                .isEqualTo(new RequestedRoutes.Listed(List.of(new PodRoute("::/0", "fd00::1"))));
    }

    @Test
    @DisplayName("C41: networks are read from JSON over several lines")
    void networksAreReadFromJson() {
        var networks = SpiderAnnotations.networks(
                annotations("k8s.v1.cni.cncf.io/networks", """
                    [
                      {"name": "mac2", "namespace": "kube-system",
                       "interface": "net1"},
                      {"name": "mac3"}
                    ]
                    """), "ns1", "kube-system/mac1", "kube-system");

        assertThat(networks)
                .isEqualTo(new Networks(
                        new First.Named("kube-system/mac1"),
                        new Further.Listed(
                                List.of(new Network("kube-system/mac2", "net1"), new Network("ns1/mac3", ""))),
                        "kube-system"));
    }

    @Test
    void networksAreReadFromNames() {
        var networks = SpiderAnnotations.networks(
                annotations(
                        "v1.multus-cni.io/default-network", "mac1",
                        "k8s.v1.cni.cncf.io/networks", "other/mac2@net5, mac3"),
                "ns1",
                "kube-system/mac9",
                "kube-system");

        assertThat(networks)
                .isEqualTo(new Networks(
                        new First.Named("kube-system/mac1"),
                        new Further.Listed(List.of(new Network("other/mac2", "net5"), new Network("ns1/mac3", ""))),
                        "kube-system"));
    }

    @Test
    void podWithoutNetworksHasNoneThatCanBeRead() {
        var networks = SpiderAnnotations.networks(annotations(), "ns1", "", "kube-system");

        assertThat(networks.first()).isEqualTo(new First.Unnamed());
        assertThat(networks.further()).isInstanceOf(Further.Unreadable.class);
    }

    private static Networks.First first(String clusterNetwork, String... annotations) {
        return SpiderAnnotations.networks(annotations(annotations), "ns1", clusterNetwork, "kube-system")
                .first();
    }

    @Test
    void networkOfTheClusterWithoutANamespaceIsInThatOfTheInstallation() {
        assertThat(first("mac1")).isEqualTo(new First.Named("kube-system/mac1"));
        assertThat(first("other/mac1")).isEqualTo(new First.Named("other/mac1"));
        assertThat(first("mac1", "v1.multus-cni.io/default-network", ""))
                .isEqualTo(new First.Named("kube-system/mac1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\"",
                "[7]",
                "{\"name\":7}",
                "a/b/c",
                "mac1@a@b",
                "a/",
                "[{\"namespace\":\"a\"}]",
                "two words"
            })
    void brokenDefaultNetworkIsReported(String value) {
        assertThat(first("kube-system/mac1", "v1.multus-cni.io/default-network", value))
                .isInstanceOfSatisfying(
                        Further.Unreadable.class,
                        unreadable -> assertThat(unreadable.fault()).contains("v1.multus-cni.io/default-network"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,", "a/b/c", "[{\"name\":\"a/b\"}]", "[{}]"})
    void brokenNetworksAreReported(String value) {
        var networks = SpiderAnnotations.networks(
                annotations("k8s.v1.cni.cncf.io/networks", value), "ns1", "kube-system/mac1", "kube-system");

        assertThat(networks.further())
                .isInstanceOfSatisfying(
                        Further.Unreadable.class,
                        unreadable -> assertThat(unreadable.fault()).contains("k8s.v1.cni.cncf.io/networks"));
    }
}
