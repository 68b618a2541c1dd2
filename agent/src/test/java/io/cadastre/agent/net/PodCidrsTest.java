package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.cni.NetworkConfig;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodCidrsTest {

    @AutoClose
    private final Datastore store = new MemoryDatastore();

    private final PodLookup lookup = new StoredPods(store);

    @Test
    void wordsAreReplacedWhereverASubnetMayStand() {
        node("\"podCIDRs\":[\"10.0.0.0/24\",\"fd10::/64\"]");
        var config = config(
                "\"Subnet\":\"USEPODCIDR\",\"ranges\":[[{\"subnet\":\"usePodCidrIPv6\"}],[{\"subnet\":\"10.9.0.0/16\"}]]");

        var replaced = PodCidrs.replaceIn(config, lookup, "n");

        assertThat(replaced.ipam().orElseThrow())
                .hasToString(
                        "{\"Subnet\":\"10.0.0.0/24\",\"ranges\":[[{\"subnet\":\"fd10::/64\"}],[{\"subnet\":\"10.9.0.0/16\"}]]}");
    }

    @Test
    void configurationWithoutTheWordsStaysAsItIs() {
        var config = config("\"subnet\":\"10.0.0.0/24\"");

        assertThat(PodCidrs.replaceIn(config, lookup, "n")).isSameAs(config);
    }

    @Test
    void prefixAloneIsAllThereIs() {
        node("\"podCIDR\":\"10.0.0.0/24\"");

        assertThat(lookup.fetchPodCidrs("n")).containsExactly("10.0.0.0/24");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        "x":1                                          | usePodCidr     | no podCidr for node n
        "podCIDRs":["fd10::/64"]                       | usePodCidr     | usePodCidr found but there is no IPv4 CIDR configured
        "podCIDRs":["10.0.0.0/24"]                     | usePodCidrIPv6 | usePodCidrIPv6 found but there is no IPv6 CIDR configured
        "podCIDRs":["10.0.0.0/24","10.0.1.0/24"]       | usePodCidr     | ClusterCIDR contains two ranges of the same type
        """)
    void prefixThatTheNodeDoesNotHaveIsNamed(String spec, String words, String error) {
        node(spec);
        var config = config("\"subnet\":\"%s\"".formatted(words));

        assertThatThrownBy(() -> PodCidrs.replaceIn(config, lookup, "n"))
                .isInstanceOf(CniException.class)
                .hasMessage(error);
    }

    @Test
    void whoGivesBackNeedNotKnowThePrefix() {
        var replaced = PodCidrs.replaceWithDummies(
                config("\"ranges\":[[{\"subnet\":\"usePodCidr\"}],[{\"subnet\":\"usePodCidrIPv6\"}]]"));

        assertThat(replaced.ipam().orElseThrow())
                .hasToString("{\"ranges\":[[{\"subnet\":\"0.0.0.0/0\"}],[{\"subnet\":\"::/0\"}]]}");
    }

    private void node(String spec) {
        store.commit(
                List.of(new Write.Create("/cadastre/api/v1/nodes/n", Bytes.ofUtf8("{\"spec\":{%s}}".formatted(spec)))));
    }

    private static NetworkConfig config(String ipam) {
        return NetworkConfig.read(Bytes.ofUtf8("{\"name\":\"net1\",\"ipam\":{%s}}".formatted(ipam)));
    }
}
