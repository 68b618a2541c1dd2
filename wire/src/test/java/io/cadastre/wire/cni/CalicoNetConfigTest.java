package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CalicoIpamConfig.Orchestrator;
import io.cadastre.wire.cni.CalicoNetConfig.IpamChoice.Law;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalicoNetConfigTest {

    private static final String POD = "IgnoreUnknown=1;K8S_POD_NAMESPACE=test;K8S_POD_NAME=web-0;K8S_POD_UID=u";

    @Test
    void missingFieldHasItsDefault() {
        var config = read("", "");

        assertThat(config.node()).isEqualTo(new CalicoNetConfig.NodeName("", "/var/lib/calico/nodename", false, ""));
        assertThat(config.link()).isEqualTo(new CalicoNetConfig.LinkShape(0, false, 1, "", "", false, false));
        assertThat(config.waiting())
                .isEqualTo(new CalicoNetConfig.Waiting(List.of(), 0, "/var/run/calico/endpoint-status"));
        assertThat(config.features()).isEqualTo(new CalicoNetConfig.Features(false, false));
        assertThat(config.orchestrator()).isEqualTo(Orchestrator.CNI);
        assertThat(config.namespace()).isEqualTo("default");
    }

    @Test
    void everythingThatIsWrittenIsRead() {
        var config = read("""
            ,"nodename":"n","nodename_file":"/f","nodename_file_optional":true,
            "hostname":"h","mtu":1440,"require_mtu_file":true,"num_queues":4,
            "device_type":"netkit","policy":{"type":"k8s"},
            "feature_control":{"ip_addrs_no_ipam":true,"floating_ips":true},
            "container_settings":{"allow_ip_forwarding":true},
            "include_default_routes":true,"kubernetes":{"node_name":"k"},
            "readiness_gates":["http://x"],"policy_setup_timeout_seconds":3,
            "endpoint_status_dir":"/s","ipam":{"type":"host-local"}\
            """, POD);

        assertThat(config.node()).isEqualTo(new CalicoNetConfig.NodeName("n", "/f", true, "h"));
        assertThat(config.link()).isEqualTo(new CalicoNetConfig.LinkShape(1440, true, 4, "netkit", "", true, true));
        assertThat(config.features()).isEqualTo(new CalicoNetConfig.Features(true, true));
        assertThat(config.waiting()).isEqualTo(new CalicoNetConfig.Waiting(List.of("http://x"), 3, "/s"));
        assertThat(config.asksKubernetes()).isTrue();
        assertThat(config.kubernetesNode()).isEqualTo("k");
        assertThat(config.pod()).isEqualTo("web-0");
        assertThat(config.namespace()).isEqualTo("test");
    }

    @Test
    void unknownKeysAreIgnored() {
        assertThat(read("", "X=1;K8S_POD_NAMESPACE=a;K8S_POD_NAME=b").pod()).isEqualTo("b");
    }

    @Test
    void mesosNamesTheNamespaceAndGivesLabels() {
        var config = read("""
            ,"args":{"org.apache.mesos":{"network_info":{"labels":{"labels":[
            {"key":"projectcalico.org/namespace","value":"shop"},
            {"key":"a/b c","value":"_é1_"}]}}}}\
            """, "");

        assertThat(config.namespace()).isEqualTo("shop");
        assertThat(config.sanitizedLabels()).containsExactly(new CalicoNetConfig.Label("a-b-c", "1"));
    }

    @ParameterizedTest
    @CsvSource({
        "'\"type\":\"calico-ipam\"',CALICO",
        "'\"type\":\"cadastre-ipam\"',CALICO",
        "'\"type\":\"cadastre-ipam\",\"dialect\":\"host-local\"',HOST_LOCAL",
        "'\"type\":\"cadastre-ipam\",\"dialect\":\"spiderpool\"',OTHER",
        "'\"type\":\"host-local\"',HOST_LOCAL",
        "'\"type\":\"dhcp\"',OTHER",
        "'',OTHER"
    })
    void lawFollowsFromThePluginForAddresses(String ipam, Law law) {
        assertThat(read(",\"ipam\":{%s}".formatted(ipam), "").ipam().law()).isEqualTo(law);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "device_type":"tap" | unknown device_type "tap" in CNI config (supported: "veth", "netkit")
        "dataplane_options":{"type":"bogus"} | invalid dataplane type: bogus
        "dataplane_options":{"type":"grpc"} | dataplane_options.type: grpc is not supported
        "policy_setup_timeout_seconds":-1 | invalid pod startup delay of -1
        """)
    void addRefusesWhatDoesNotExistHere(String members, String words) {
        var config = read("," + members, "");

        assertThatThrownBy(config::checkForAdd).isInstanceOf(CniException.class).hasMessage(words);
    }

    @Test
    void wrongTypeIsAFailureToLoad() {
        assertThatThrownBy(() -> read(",\"mtu\":\"big\"", ""))
                .isInstanceOf(CniException.class)
                .hasMessageStartingWith("failed to load netconf: json: cannot unmarshal string");
    }

    @Test
    void delegatesMustIgnoreUnknownArguments() {
        assertThat(CalicoNetConfig.lenient("")).isEqualTo("IgnoreUnknown=1");
        assertThat(CalicoNetConfig.lenient("A=1")).isEqualTo("IgnoreUnknown=1;A=1");
    }

    private static CalicoNetConfig read(String members, String args) {
        return CalicoNetConfig.read(NetworkConfig.read(Bytes.ofUtf8("{\"name\":\"net1\"%s}".formatted(members))), args);
    }
}
