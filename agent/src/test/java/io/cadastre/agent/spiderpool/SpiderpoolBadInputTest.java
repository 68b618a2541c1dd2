package io.cadastre.agent.spiderpool;

import static io.cadastre.agent.spiderpool.PoolAgentFixture.add;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What users write of pods and namespaces that cannot be done: each is refused by name, and nothing is written.
class SpiderpoolBadInputTest {

    private static final String IPAM = "ipam.spidernet.io/";

    private final PoolAgentFixture cluster = new PoolAgentFixture();

    @BeforeEach
    void pools() {
        cluster.pool("p4", "{\"subnet\":\"172.18.40.0/24\",\"ips\":[\"172.18.40.40-172.18.40.44\"]}");
        cluster.pool("p6", "{\"subnet\":\"fd00:40::/64\",\"ips\":[\"fd00:40::10-fd00:40::14\"]}");
    }

    private String refusal(PoolAgent agent) {
        var words = new StringBuilder();
        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> agent.allocate(add("a", "u1", "eth0")))
                .satisfies(failed -> words.append(failed.words()));
        assertThat(cluster.records("p4")).isEmpty();
        assertThat(cluster.hasEndpoint("a")).isFalse();
        return words.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ippool|{'foo':['p4']}|no IPPool available",
                "ippool|{}|no IPPool available",
                "ippool|{|ipam.spidernet.io/ippool",
                "ippool|{'ipv4':'p4'}|ipam.spidernet.io/ippool",
                "ippool|{'ipv4':['unknown']}|failed to get original IPPool unknown",
                "ippool|{'ipv4':['p4','p4']}|wrong input, duplicate IPPool p4 specified for NIC eth0",
                "ippool|{'ipv4':['p6']}|expect an IPv4 IPPool, but the version of the IPPool p6 is IPv6",
                "ippool|{'ipv4':['[a']}|failed to get original IPPool [a",
                "ippool|{'ipv4':['[ippool][']}|failed to match wildcard: IPv4 PoolName pattern '[ippool]['",
                "ippool|{'ipv4':['none-*']}|no IPPool available",
                "ippools|[]|value requires at least one item",
                "ippools|[{'interface':'eth0','ipv4':['p4']},{'ipv4':['p4']}]|NIC should be either all specified or"
                        + " all unspecified",
                "ippools|[{'interface':'eth0','ipv4':['p4']},{'interface':'eth0','ipv4':['p4']}]|duplicate interface"
                        + " eth0",
                "ippools|[{'interface':'net1','ipv4':['p4']}]|interface eth0 must be specified",
                "ippools|{'interface':'eth0'}|ipam.spidernet.io/ippools",
                "routes|[{'dst':'10.0.0.0/16','gw':'fd00:40::1'}]|wrong input, invalid format of Pod annotation"
                        + " 'ipam.spidernet.io/routes': invalid route format 'dst: 10.0.0.0/16, gw: fd00:40::1'",
                "routes|[{'dst':'10.0.0.0/33','gw':'10.0.0.1'}]|invalid route format",
                "routes|{|wrong input, invalid format of Pod annotation 'ipam.spidernet.io/routes'",
            })
    void annotationOfAPodThatCannotBeMetIsRefused(String annotation, String value, String words) {
        cluster.pod("a", "u1", "p4");
        cluster.annotate("a", IPAM + annotation, value.replace("'", "\""));

        assertThat(refusal(cluster.agent())).contains(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"p4\"|default-ipv4-ippool",
                "[|default-ipv4-ippool",
                "[\"unknown\"]|failed to get original IPPool unknown",
            })
    void annotationOfANamespaceThatCannotBeMetIsRefused(String value, String words) {
        cluster.put(
                CoreKeys.PODS + "ns1/a",
                "{\"metadata\":{\"name\":\"a\",\"namespace\":\"ns1\",\"uid\":\"u1\"},\"spec\":{\"nodeName\":\"n1\"}}");
        cluster.put(
                CoreKeys.NAMESPACES + "ns1",
                "{\"metadata\":{\"name\":\"ns1\",\"annotations\":{\"ipam.spidernet.io/default-ipv4-ippool\":\"%s\"}}}"
                        .formatted(value.replace("\"", "\\\"")));

        assertThat(refusal(cluster.agent())).contains(words);
    }

    @Test
    void poolWithRecordsThatCannotBeReadGivesNothing() {
        cluster.pod("a", "u1", "p4");
        cluster.put(SpiderKeys.pool("p4"), """
            {"kind":"SpiderIPPool","apiVersion":"spiderpool.spidernet.io/v2beta1","metadata":{"name":"p4"},
             "spec":{"subnet":"172.18.40.0/24","ipVersion":4,"ips":["172.18.40.40"]},
             "status":{"allocatedIPs":"garbage","allocatedIPCount":1}}
            """);

        assertThatExceptionOfType(SpiderpoolAgentException.class)
                .isThrownBy(() -> cluster.agent().allocate(add("a", "u1", "eth0")))
                .withMessageContaining("p4");
        assertThat(cluster.records("p4")).isEqualTo("garbage");
    }

    @Test
    void clusterNetworkWithoutANamespaceIsOfTheHomeNamespace() {
        cluster.pool("m", """
            {"subnet":"172.18.41.0/24","ips":["172.18.41.40"],"multusName":["kube-system/mac1"]}
            """);
        cluster.pod("a", "u1", "m");
        var settings = PoolAgentSettings.of(Map.of("MULTUS_CLUSTER_NETWORK", "mac1"));

        assertThat(PoolAgentFixture.given(cluster.agent(settings), "a", "u1")).containsExactly("172.18.41.40/24");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[|failed to parse pod network annotation",
                "A_b|failed to parse pod network annotation",
                "a/b/c|failed to parse pod network annotation"
            })
    void defaultNetworkThatCannotBeReadIsRefusedWhereAPoolAsksForIt(String value, String words) {
        cluster.pool("m", """
            {"subnet":"172.18.41.0/24","ips":["172.18.41.40"],"multusName":["kube-system/mac1"]}
            """);
        cluster.pod("a", "u1", "m");
        cluster.annotate("a", "v1.multus-cni.io/default-network", value);

        assertThat(refusal(cluster.agent())).contains(words);
    }
}
