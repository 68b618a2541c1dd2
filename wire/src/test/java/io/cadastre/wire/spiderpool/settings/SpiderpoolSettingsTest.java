package io.cadastre.wire.spiderpool.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Family;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpiderpoolSettingsTest {

    private static SpiderpoolSettings conf(String json) {
        return SpiderpoolSettings.of("conf.yml", Json.readObject("conf.yml", Bytes.ofUtf8(json)), Map.of());
    }

    @Test
    void nothingSetIsAsTheChartSetsIt() {
        var settings = SpiderpoolSettings.of(Map.of());

        assertThat(settings.families()).containsExactly(Family.IPV4, Family.IPV6);
        assertThat(settings.on())
                .containsExactlyInAnyOrder(
                        SpiderpoolSwitch.IPV4,
                        SpiderpoolSwitch.IPV6,
                        SpiderpoolSwitch.STATEFUL_SET,
                        SpiderpoolSwitch.KUBEVIRT_STATIC_IP,
                        SpiderpoolSwitch.SPIDER_SUBNET,
                        SpiderpoolSwitch.AUTO_POOL);
        assertThat(settings.redundantAddresses()).isZero();
        assertThat(settings.socket()).isEqualTo("/var/run/spidernet/spiderpool.sock");
        assertThat(Arrays.stream(AgentVariable.values())
                        .map(variable -> variable.variable() + "=" + settings.text(variable)))
                .containsExactly(
                        "SPIDERPOOL_POD_NAMESPACE=kube-system",
                        "SPIDERPOOL_POD_NAME=",
                        "SPIDERPOOL_NODE_NAME=",
                        "SPIDERPOOL_HEALTH_PORT=5710",
                        "SPIDERPOOL_METRIC_HTTP_PORT=5711",
                        "SPIDERPOOL_GOPS_LISTEN_PORT=5712",
                        "SPIDERPOOL_LOG_LEVEL=info",
                        "SPIDERPOOL_ENABLED_METRIC=false",
                        "SPIDERPOOL_ENABLED_DEBUG_METRIC=false",
                        "SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS=true",
                        "SPIDERPOOL_IPPOOL_MAX_ALLOCATED_IPS=5000",
                        "SPIDERPOOL_WAIT_SUBNET_POOL_TIME_IN_SECOND=2",
                        "SPIDERPOOL_WAIT_SUBNET_POOL_MAX_RETRIES=25",
                        "MULTUS_CLUSTER_NETWORK=");
    }

    @Test
    void everyKeyOfTheFileCounts() {
        for (var one : SpiderpoolSwitch.values()) {
            assertThat(conf("{\"%s\":true}".formatted(one.key())).has(one)).isTrue();
            assertThat(conf("{\"%s\":false}".formatted(one.key())).has(one)).isFalse();
            assertThat(conf("{\"%s\":null}".formatted(one.key())).has(one)).isEqualTo(one.initial());
        }
        assertThat(conf("{\"ipamUnixSocketPath\":\"/run/s.sock\"}").socket()).isEqualTo("/run/s.sock");
        assertThat(conf("{\"enableIPv6\":false}").families()).containsExactly(Family.IPV4);
    }

    @Test
    void redundancyIsReadByEitherKeyAndByTheDocumentedOneFirst() {
        assertThat(conf("{\"clusterSubnetDefaultFlexibleIPNumber\":1}").redundantAddresses())
                .isEqualTo(1);
        assertThat(
                        conf("{\"clusterSubnetDefaultFlexibleIPNumber\":1,\"clusterSubnetAutoPoolDefaultRedundantIPNumber\":3}")
                                .redundantAddresses())
                .isEqualTo(3);
    }

    @Test
    void keysForOtherPartsOfSpiderpoolArePassedOver() {
        var settings = conf("{\"tuneSysctlConfig\":true,\"podResourceInject\":{\"enabled\":true},"
                + "\"agent\":{\"any\":1},\"iaasNetworkProvider\":{}}");

        assertThat(settings).isEqualTo(SpiderpoolSettings.of(Map.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"enableIPV6":false} | conf.yml: unknown key 'enableIPV6'; did you mean enableIPv6?
        {"enableStatefulset":false} | conf.yml: unknown key 'enableStatefulset'; did you mean enableStatefulSet?
        {"zzz":1} | conf.yml: unknown key 'zzz'
        {"enableIPv4":"yes"} | conf.yml: its enableIPv4 is not true or false
        {"clusterSubnetAutoPoolDefaultRedundantIPNumber":-1} | conf.yml: its clusterSubnetAutoPoolDefaultRedundantIPNumber is not a whole number from 0 on
        {"clusterSubnetDefaultFlexibleIPNumber":"many"} | conf.yml: its clusterSubnetDefaultFlexibleIPNumber is not a whole number of 32 bits
        {"ipamUnixSocketPath":"run/s.sock"} | conf.yml: its ipamUnixSocketPath is not a path that begins with '/'
        {"enableIPv4":false,"enableIPv6":false} | enableIPv4 and enableIPv6 are both false; one of them must be true
        """)
    void impossibleFilesAreRefused(String json, String words) {
        assertThatThrownBy(() -> conf(json))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "f", "F", "false", "FALSE", "False"})
    void flagIsOffByEachTextOfGo(String text) {
        var settings = SpiderpoolSettings.of(Map.of("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", text));

        assertThat(settings.flag(AgentVariable.RELEASE_CONFLICT_IPS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "t", "T", "true", "TRUE", "True", ""})
    void flagIsOnByEachTextOfGoAndWhenItIsEmpty(String text) {
        var settings = SpiderpoolSettings.of(Map.of("SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS", text));

        assertThat(settings.flag(AgentVariable.RELEASE_CONFLICT_IPS)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SPIDERPOOL_POD_NAMESPACE | Kube_System | a namespace: lower case letters, digits and '-', at most 63
        SPIDERPOOL_POD_NAME | a b | a name: lower case letters, digits, '-' and '.'
        SPIDERPOOL_NODE_NAME | -a | a name: lower case letters, digits, '-' and '.'
        SPIDERPOOL_HEALTH_PORT | 0 | a port from 1 to 65535
        SPIDERPOOL_METRIC_HTTP_PORT | 65536 | a port from 1 to 65535
        SPIDERPOOL_GOPS_LISTEN_PORT | x | a port from 1 to 65535
        SPIDERPOOL_LOG_LEVEL | loud | one of debug, info, warn, error, fatal, panic
        SPIDERPOOL_ENABLED_METRIC | yes | one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False
        SPIDERPOOL_ENABLED_DEBUG_METRIC | tRUE | one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False
        SPIDERPOOL_ENABLED_RELEASE_CONFLICT_IPS | no | one of 1, t, T, true, TRUE, True, 0, f, F, false, FALSE, False
        SPIDERPOOL_IPPOOL_MAX_ALLOCATED_IPS | 0 | a whole number from 1 to 2147483647
        SPIDERPOOL_WAIT_SUBNET_POOL_TIME_IN_SECOND | 2s | a whole number from 1 to 2147483647
        SPIDERPOOL_WAIT_SUBNET_POOL_MAX_RETRIES | -1 | a whole number from 1 to 2147483647
        MULTUS_CLUSTER_NETWORK | a/b/c | a network as NAME or NAMESPACE/NAME
        """)
    void impossibleVariableIsNamedWithItsValueAndItsRule(String variable, String value, String rule) {
        assertThatThrownBy(() -> SpiderpoolSettings.of(Map.of(variable, value)))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("%s is '%s'; it must be %s".formatted(variable, value, rule));
    }

    @Test
    void everyVariableHasARuleThatSomeValueBreaks() {
        for (var variable : AgentVariable.values()) {
            assertThatThrownBy(() -> SpiderpoolSettings.of(Map.of(variable.variable(), "!")))
                    .hasMessageContaining(variable.variable());
        }
        assertThat(List.of(AgentVariable.values())).hasSize(14);
    }
}
