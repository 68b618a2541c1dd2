package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.hostlocal.WrittenRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostLocalConfigTest {

    @Test
    void everythingIsReadAsItIsWritten() {
        var config = config("""
            {"type":"host-local","dataDir":"/tmp/x","resolvConf":"/etc/resolv.conf",
             "ranges":[[{"subnet":"10.1.2.0/24","rangeStart":"10.1.2.9","rangeEnd":"10.1.2.20","gateway":"10.1.2.254"},
                        {"subnet":"10.2.2.5/24"}],[{"subnet":"2001:db8:1::/64"}]],
             "routes":[{"dst":"0.0.0.0/0"},{"dst":"192.168.0.0/16","gw":"10.10.5.1"}]}
            """);

        var read = HostLocalConfig.read(config, "");

        assertThat(read.network()).isEqualTo("blue");
        assertThat(read.dataDir()).isEqualTo("/tmp/x");
        assertThat(read.resolvConf()).isEqualTo("/etc/resolv.conf");
        assertThat(read.routes())
                .containsExactly(
                        CniRoute.to(InterfaceAddress.parse("0.0.0.0/0")),
                        CniRoute.to(InterfaceAddress.parse("192.168.0.0/16")).via(Address.parse("10.10.5.1")));
        assertThat(read.rangeSets()).hasSize(2);
        var first = read.rangeSets().getFirst();
        assertThat(first.getFirst().subnet()).contains(new WrittenRange.Subnet(Address.parse("10.1.2.0"), 24));
        assertThat(first.getFirst().start()).contains(Address.parse("10.1.2.9"));
        assertThat(first.getFirst().end()).contains(Address.parse("10.1.2.20"));
        assertThat(first.getFirst().gateway()).contains(Address.parse("10.1.2.254"));
        assertThat(first.getLast().subnet()).contains(new WrittenRange.Subnet(Address.parse("10.2.2.5"), 24));
        assertThat(first.getLast().start()).isEmpty();
        assertThat(read.requested()).isEmpty();
    }

    @Test
    void h18SetsOfTheRuntimeComeFirstAndThenTheOldStyle() {
        var config = whole("""
            {"cniVersion":"1.0.0","name":"blue",
             "runtimeConfig":{"ipRanges":[[{"subnet":"10.7.0.0/24"}]]},
             "ipam":{"subnet":"10.8.0.0/24","ranges":[[{"subnet":"10.9.0.0/24"}]]}}
            """);

        var read = HostLocalConfig.read(config, "");

        assertThat(read.rangeSets())
                .extracting(set -> set.getFirst().subnet().orElseThrow().toString())
                .containsExactly("10.7.0.0/24", "10.8.0.0/24", "10.9.0.0/24");
    }

    @Test
    void defaultsAreFilledInForPlacesOnly() {
        var read = HostLocalConfig.read(config("{\"ranges\":[[{}],[]]}"), "");

        assertThat(read.dataDir()).isEqualTo("/var/lib/cni/networks");
        assertThat(read.resolvConf()).isEmpty();
        assertThat(read.writtenVersion()).isEqualTo("1.0.0");
        assertThat(read.rangeSets()).hasSize(2);
        assertThat(read.rangeSets().getFirst().getFirst().subnet()).isEmpty();
        assertThat(read.rangeSets().getLast()).isEmpty();
    }

    @Test
    void requestsFromAllThreePlacesAreJoinedWithoutRepetition() {
        var config = whole("""
            {"name":"blue","ipam":{},"args":{"cni":{"ips":["10.1.2.88","fd00::5/64"]}},
             "runtimeConfig":{"ips":["10.1.2.77/24","10.1.2.88",""]}}
            """);

        var read = HostLocalConfig.read(config, "IgnoreUnknown=1;IP=10.1.2.77;K8S_POD_NAME=web-0");

        assertThat(read.requested())
                .containsExactly(Address.parse("10.1.2.77"), Address.parse("10.1.2.88"), Address.parse("fd00::5"));
        assertThat(read.writtenVersion()).isEmpty();
    }

    @Test
    void emptyRequestRequestsNothing() {
        assertThat(HostLocalConfig.read(config("{}"), "IP=").requested()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"name":"blue"}                                                     | IPAM config missing 'ipam' key
        {"name":"blue","ipam":{"subnet":"10.1.2.0"}}                        | invalid CIDR address: 10.1.2.0
        {"name":"blue","ipam":{"subnet":""}}                                | invalid CIDR address:
        {"name":"blue","ipam":{"ranges":[[{"rangeStart":"x"}]]}}            | invalid IP address: x
        {"name":"blue","ipam":{"ranges":[{"subnet":"10.1.2.0/24"}]}}        | json: cannot unmarshal object into Go struct field .ipam.ranges of type list
        {"name":"blue","ipam":{"dataDir":5}}                                | json: cannot unmarshal number into Go struct field .ipam.dataDir of type string
        {"name":"blue","ipam":{},"runtimeConfig":{"ips":["10.1.2"]}}        | invalid IP address 10.1.2
        {"name":"blue","ipam":{},"args":{"cni":{"ips":["10.1.2.3/x"]}}}     | invalid IP address 10.1.2.3/x
        """)
    void unreadableConfigurationIsAnInternalError(String document, String message) {
        var config = whole(document);

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> HostLocalConfig.read(config, ""))
                .satisfies(thrown -> {
                    assertThat(thrown.error().is(CniCode.INTERNAL)).isTrue();
                    assertThat(thrown.error().msg().strip()).isEqualTo(message);
                });
    }

    @Test
    void unreadableRequestNamesItsPair() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> HostLocalConfig.read(config("{}"), "IP=x"))
                .withMessage("ARGS: error parsing value of pair \"IP=x\": invalid IP address x");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> HostLocalConfig.read(config("{}"), "X=1"))
                .withMessage("ARGS: unknown args [\"X=1\"]");
    }

    @Test
    void theFolderAloneIsReadEvenIfTheRestIsUnreadable() {
        var config = config("{\"dataDir\":\"/tmp/x\",\"subnet\":\"nonsense\",\"ranges\":7}");

        assertThat(HostLocalConfig.dataDir(config)).isEqualTo("/tmp/x");
        assertThat(HostLocalConfig.dataDir(config("{}"))).isEqualTo(HostLocalConfig.DATA_DIR);
    }

    private static NetworkConfig config(String ipam) {
        return whole("{\"cniVersion\":\"1.0.0\",\"name\":\"blue\",\"ipam\":%s}".formatted(ipam));
    }

    private static NetworkConfig whole(String document) {
        return NetworkConfig.read(Bytes.ofUtf8(document));
    }
}
