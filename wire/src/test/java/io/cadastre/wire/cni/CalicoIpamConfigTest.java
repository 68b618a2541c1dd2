package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalicoIpamConfigTest {

    private static final String KUBERNETES = "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME=cart-0;K8S_POD_UID=7";

    @Test
    void defaultsAreOneIpv4Address() {
        var read = CalicoIpamConfig.read(config("{\"type\":\"calico-ipam\"}"), "");

        assertThat(read.network()).isEqualTo("blue");
        assertThat(read.assignIpv4()).isTrue();
        assertThat(read.assignIpv6()).isFalse();
        assertThat(read.ipv4Pools()).isEmpty();
        assertThat(read.lockFile()).isEqualTo("/var/run/calico/ipam.lock");
        assertThat(read.logLevel()).isEqualTo("info");
        assertThat(read.requested()).isEmpty();
        assertThat(read.orchestrator()).isEqualTo(Orchestrator.CNI);
        assertThat(read.namespace()).isEqualTo("default");
        assertThat(read.pod()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"false,true,false,true", "FALSE,TRUE,true,false", "'','',true,false", "no,yes,true,false"})
    void onlyTheVeryWordsChangeTheFamilies(String ipv4, String ipv6, boolean assignIpv4, boolean assignIpv6) {
        var config = config("{\"assign_ipv4\":\"%s\",\"assign_ipv6\":\"%s\"}".formatted(ipv4, ipv6));

        var read = CalicoIpamConfig.read(config, "");

        assertThat(read.assignIpv4()).isEqualTo(assignIpv4);
        assertThat(read.assignIpv6()).isEqualTo(assignIpv6);
    }

    @Test
    void writtenDataIsReadBack() {
        var config = NetworkConfig.read(Bytes.ofUtf8("""
            {"name":"blue","nodename":"n1","nodename_file":"/f","hostname":"h","ipam_lock_file":"/l",
             "log_level":"debug","windows_use_single_network":true,"etcd_endpoints":"http://x","kubernetes":{"kubeconfig":"/k"},
             "ipam":{"type":"calico-ipam","ipv4_pools":["10.9.0.0/16","p4"],"ipv6_pools":["p6"],"subnet":"unused"}}
            """));

        var read = CalicoIpamConfig.read(config, KUBERNETES);

        assertThat(read.ipv4Pools()).containsExactly("10.9.0.0/16", "p4");
        assertThat(read.ipv6Pools()).containsExactly("p6");
        assertThat(read.nodename()).isEqualTo("n1");
        assertThat(read.nodenameFile()).isEqualTo("/f");
        assertThat(read.hostname()).isEqualTo("h");
        assertThat(read.lockFile()).isEqualTo("/l");
        assertThat(read.logLevel()).isEqualTo("debug");
        assertThat(read.singleBlockPerHost()).isTrue();
        assertThat(read.orchestrator()).isEqualTo(Orchestrator.K8S);
        assertThat(read.namespace()).isEqualTo("shop");
        assertThat(read.pod()).isEqualTo("cart-0");
    }

    @Test
    void podWithoutANamespaceIsNotOfKubernetes() {
        var read = CalicoIpamConfig.read(config("{}"), "IgnoreUnknown=1;K8S_POD_NAME=cart-0");

        assertThat(read.orchestrator()).isEqualTo(Orchestrator.CNI);
        assertThat(read.pod()).isEmpty();
    }

    @Test
    void oneAddressMayBeAskedFor() {
        var read = CalicoIpamConfig.read(config("{}"), "IP=192.168.123.123");

        assertThat(read.requested()).contains(Address.parse("192.168.123.123"));
    }

    /// The second of Calico's two readings knows the address only.
    @Test
    void argumentsOfKubernetesNeedLeaveToBeIgnored() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CalicoIpamConfig.read(config("{}"), "K8S_POD_NAMESPACE=shop;K8S_POD_NAME=cart-0"))
                .withMessage("ARGS: unknown args [\"K8S_POD_NAMESPACE=shop\" \"K8S_POD_NAME=cart-0\"]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"assign_ipv4":true}     | failed to load netconf: json: cannot unmarshal bool into Go struct field .ipam.assign_ipv4 of type string
        {"ipv4_pools":"p4"}      | failed to load netconf: json: cannot unmarshal string into Go struct field .ipam.ipv4_pools of type list
        "calico-ipam"            | failed to load netconf: json: cannot unmarshal string into Go struct field .ipam of type object
        """)
    void unreadableConfigurationIsAnInternalError(String ipam, String message) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CalicoIpamConfig.read(config(ipam), ""))
                .satisfies(thrown -> assertThat(thrown.error()).isEqualTo(CniError.of(CniCode.INTERNAL, message)));
    }

    @Test
    void addressWithALengthIsRefused() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CalicoIpamConfig.read(config("{}"), "IP=10.1.2.3/24"))
                .withMessageEndingWith("invalid IP address: 10.1.2.3/24");
    }

    private static NetworkConfig config(String ipam) {
        return NetworkConfig.read(Bytes.ofUtf8("{\"name\":\"blue\",\"ipam\":%s}".formatted(ipam)));
    }
}
