package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CalicoAnnotations.Choice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalicoAnnotationsTest {

    private static final String OURS = "cni.projectcalico.org/";
    private static final String ALL_ENABLED = """
        {"name":"n","ipam":{"type":"calico-ipam","Assign_IPv4":"true"},
        "feature_control":{"ip_addrs_no_ipam":true,"floating_ips":true}}\
        """;

    @Test
    void podsPoolsHideThoseOfItsNamespace() {
        var annotations = CalicoAnnotations.of(
                Map.of(
                        OURS + "ipv4pools", "[\"a\"]",
                        OURS + "ipv6pools", "[\"six\"]"),
                Map.of(OURS + "ipv4pools", "[\"b\",\"c\"]"));

        var applied = CalicoIpamConfig.read(annotations.applyTo(network(ALL_ENABLED)), "");

        assertThat(applied.ipv4Pools()).containsExactly("b", "c");
        assertThat(applied.ipv6Pools()).containsExactly("six");
    }

    @Test
    void familiesDecideWhichAddressesAreAssigned() {
        var annotations = ofPod("ipFamilies", "[\"IPv6\"]");

        var applied = CalicoIpamConfig.read(annotations.applyTo(network(ALL_ENABLED)), "");

        assertThat(applied.assignIpv4()).isFalse();
        assertThat(applied.assignIpv6()).isTrue();
    }

    @Test
    void configurationThatNothingIsAskedOfStaysAsItIs() {
        var network = network(ALL_ENABLED);

        assertThat(CalicoAnnotations.NONE.applyTo(network)).isSameAs(network);
    }

    @Test
    void unknownFamilyIsNamed() {
        assertThatThrownBy(() -> ofPod("ipFamilies", "[\"IPv5\"]").applyTo(network(ALL_ENABLED)))
                .isInstanceOf(CniException.class)
                .hasMessage("error parsing ipFamilies: [\"IPv5\"]");
    }

    @Test
    void podMayAskForOneAddressOfEachFamily() {
        var choice = ofPod("ipAddrs", "[\"10.0.0.1\",\"fd00::1\"]").choice(config(ALL_ENABLED));

        assertThat(choice)
                .isEqualTo(new Choice.Requested(List.of(Address.parse("10.0.0.1"), Address.parse("fd00::1"))));
    }

    @Test
    void podMayImposeAnAddress() {
        var choice = ofPod("ipAddrsNoIpam", "[\"10.0.0.1\"]").choice(config(ALL_ENABLED));

        assertThat(choice).isEqualTo(new Choice.Imposed(List.of(Address.parse("10.0.0.1"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        ipAddrs       | 10.0.0.1                   | failed to parse IPs 10.0.0.1 for annotation "cni.projectcalico.org/ipAddrs": failed to parse '10.0.0.1' as JSON:
        ipAddrs       | []                         | annotation "cni.projectcalico.org/ipAddrs" specified but empty
        ipAddrs       | ["10.0.0.0.1"]             | invalid IP format: 10.0.0.0.1
        ipAddrs       | ["10.0.0.1","10.0.0.2"]    | cannot have more than one IPv4 address for "cni.projectcalico.org/ipAddrs" annotation
        ipAddrs       | ["fd00::1","fd00::2"]      | cannot have more than one IPv6 address for "cni.projectcalico.org/ipAddrs" annotation
        ipAddrsNoIpam | ["10.0.0.1","10.0.0.2"]    | cannot have more than one IPv4 address for "cni.projectcalico.org/ipAddrsNoIpam" annotation
        """)
    void row19UnusableListIsReportedWithItsAnnotation(String name, String raw, String words) {
        var annotations = ofPod(name, raw);

        assertThatThrownBy(() -> annotations.choice(config(ALL_ENABLED)))
                .isInstanceOf(CniException.class)
                .hasMessageStartingWith(words);
    }

    @Test
    void row19BothKindsAtOnceAreRefused() {
        var annotations = CalicoAnnotations.of(
                Map.of(),
                Map.of(
                        OURS + "ipAddrs", "[\"10.0.0.1\"]",
                        OURS + "ipAddrsNoIpam", "[\"10.0.0.1\"]"));

        assertThatThrownBy(() -> annotations.choice(config(ALL_ENABLED)))
                .hasMessage("can't have both annotations: 'ipAddrs' and 'ipAddrsNoIpam' in use at the" + " same time");
    }

    @Test
    void addressesAreChosenOfCalicosOnly() {
        var hostLocal = "{\"name\":\"n\",\"ipam\":{\"type\":\"host-local\"}}";

        assertThatThrownBy(() -> ofPod("ipAddrs", "[\"10.0.0.1\"]").choice(config(hostLocal)))
                .hasMessage("ipAddrs is not compatible with configured IPAM: host-local");
    }

    @Test
    void featuresMustBeEnabled() {
        var plain = config("{\"name\":\"n\",\"ipam\":{\"type\":\"calico-ipam\"}}");

        assertThatThrownBy(() -> ofPod("ipAddrsNoIpam", "[\"10.0.0.1\"]").choice(plain))
                .hasMessage("requested feature is not enabled: ip_addrs_no_ipam");
        assertThatThrownBy(() -> ofPod("floatingIPs", "[\"10.0.0.1\"]").floatingIps(plain))
                .hasMessage("requested feature is not enabled: floating_ips");
    }

    @Test
    void floatingAddressesMayBeMany() {
        var annotations = ofPod("floatingIPs", "[\"10.0.0.1\",\"10.0.0.2\"]");

        assertThat(annotations.floatingIps(config(ALL_ENABLED)))
                .containsExactly(Address.parse("10.0.0.1"), Address.parse("10.0.0.2"));
    }

    @Test
    void allowedSourcesLoseTheBitsBeyondTheirLength() {
        assertThat(ofPod("allowedSourcePrefixes", "[\"10.1.2.3/16\"]").allowedSources())
                .containsExactly(Prefix.parse("10.1.0.0/16"));
        assertThatThrownBy(() -> ofPod("allowedSourcePrefixes", "[\"x\"]").allowedSources())
                .hasMessage("invalid CIDR address: x");
    }

    @Test
    void emptyHardwareAddressCounts() {
        assertThat(ofPod("hwAddr", "").hardwareAddress()).contains("");
        assertThat(CalicoAnnotations.NONE.hardwareAddress()).isEmpty();
    }

    private static CalicoAnnotations ofPod(String name, String value) {
        return CalicoAnnotations.of(Map.of(), Map.of(OURS + name, value));
    }

    private static NetworkConfig network(String json) {
        return NetworkConfig.read(Bytes.ofUtf8(json));
    }

    private static CalicoNetConfig config(String json) {
        return CalicoNetConfig.read(network(json), "");
    }
}
