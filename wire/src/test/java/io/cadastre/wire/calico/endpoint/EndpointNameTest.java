package io.cadastre.wire.calico.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointNameTest {

    private static final EndpointName WEB_0 = new EndpointName("node-1", "k8s", "web-0", "eth0");

    @Test
    void dashesWithinAPartAreDoubled() {
        assertThat(WEB_0.text()).isEqualTo("node--1-k8s-web--0-eth0");
        assertThat(WEB_0.prefix()).isEqualTo("node--1-k8s-web--0-");
    }

    @Test
    void nameIsReadAsItWasWritten() {
        var name = new EndpointName("a-b--c", "cni", "x", "net-1");

        assertThat(EndpointName.find(name.text())).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node-k8s-web",
                "node-k8s-web-0-eth0",
                "node-k8s-web-",
                "-k8s-web-eth0",
                "node--k8s--web--eth0"
            })
    void nameWithoutFourPartsIsNotParsed(String text) {
        assertThat(EndpointName.find(text)).isEmpty();
    }

    @Test
    void otherInterfaceIsOfTheSameWorkload() {
        assertThat(WEB_0.sameWorkload(WEB_0.withIfname("eth1"))).isTrue();
    }

    /// The names of one begin with the prefix of the other.
    @Test
    void podWhoseNameBeginsAnothersIsAnother() {
        var web = new EndpointName("node-1", "k8s", "web", "eth0");

        assertThat(WEB_0.text()).startsWith(web.prefix());
        assertThat(web.sameWorkload(WEB_0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-web", "web-", "a/b"})
    void ambiguousPartIsRefused(String workload) {
        assertThatThrownBy(() -> new EndpointName("node", "k8s", workload, "eth0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("workload");
    }

    @ParameterizedTest
    @CsvSource({"default,nginx,calic440f455693", "test,web-0,cali7b07e5871ca"})
    void podsLinkIsNamedByItsHash(String namespace, String pod, String link) {
        assertThat(HostLinkName.ofPod(HostLinkName.PREFIX, namespace, pod)).isEqualTo(link);
    }

    @ParameterizedTest
    @CsvSource({"abc123,caliabc123", "0123456789abcdef,cali0123456789a"})
    void containersLinkIsNamedByItsId(String container, String link) {
        assertThat(HostLinkName.ofContainer(container)).isEqualTo(link);
    }

    @ParameterizedTest
    @CsvSource({"'',cali", "'eni',eni", "'tap,cali',tap"})
    void firstPrefixOfTheSettingCounts(String setting, String prefix) {
        assertThat(HostLinkName.firstPrefix(setting)).isEqualTo(prefix);
    }
}
