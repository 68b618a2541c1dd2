package io.cadastre.wire.spiderpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniJson;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.InterfaceAddress;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormTest {

    private static final PodIdentity POD = new PodIdentity("shop", "cart-0", "6d0e");

    private static final String ADD = """
        {"containerID":"c9","ifName":"net1","netNamespace":"/run/netns/c9","podNamespace":"shop","podName":"cart-0",\
        "podUID":"6d0e","defaultIPv4IPPool":["blue-v4"],"defaultIPv6IPPool":[],"cleanGateway":false,"matchMasterSubnet":true}\
        """;

    private static final String ANSWER = """
        {"ips":[{"version":4,"address":"172.18.3.9/16","gateway":"172.18.0.1","nic":"net1","ipPool":"blue-v4","vlan":0,
                 "mac":"","enableGatewayDetection":true,"enableIPConflictDetection":true},
                {"version":6,"address":"fd00::9/64","nic":"eth0"}],
         "routes":[{"ifName":"net1","dst":"10.0.0.0/8","gw":"172.18.0.1"}],
         "dns":{"nameservers":["1.1.1.1"],"domain":"d","search":["s"],"options":["o"]},"later":{}}
        """;

    private static final String ENDPOINT = """
        {"interfaces":[{"interface":"eth0","ipv4":"172.18.40.42/24","ipv6":"fd00::2a/64","ipv4Gateway":"172.18.40.1","ipv4Pool":"p4","routes":null},
                       {"interface":"","ipv4":"10.0.0.1/8"}],
         "node":"n1","podName":"cart-0","podNamespace":"shop","podUID":"6d0e"}
        """;

    @Test
    void formOfAnAdditionIsReadAndWrittenAsItStands() {
        var read = IpamAddArgs.parse(Bytes.ofUtf8(ADD));

        assertThat(read)
                .isEqualTo(new IpamAddArgs(
                        "c9", "net1", "/run/netns/c9", POD, List.of("blue-v4"), List.of(), false, true));
        assertThat(read.encode()).isEqualTo(Bytes.ofUtf8(ADD));
    }

    @Test
    void answerOfTheAgentIsRead() {
        var read = IpamAddResponse.parse(Bytes.ofUtf8(ANSWER));

        assertThat(read.ips())
                .containsExactly(
                        AllocatedIp.of(
                                        "net1",
                                        CniIp.of(InterfaceAddress.parse("172.18.3.9/16"))
                                                .withGateway(Address.parse("172.18.0.1")),
                                        "blue-v4")
                                .detecting(true, true),
                        AllocatedIp.of("eth0", CniIp.of(InterfaceAddress.parse("fd00::9/64")), ""));
        assertThat(read.routes())
                .containsExactly(new AllocatedRoute(
                        "net1",
                        CniRoute.to(InterfaceAddress.parse("10.0.0.0/8")).via(Address.parse("172.18.0.1"))));
        assertThat(read.dns()).isEqualTo(new CniDns(List.of("1.1.1.1"), "d", List.of("s"), List.of("o")));
        assertThat(read.of("eth0").ips()).containsExactly(read.ips().getLast());
        assertThat(read.of("eth0").routes()).isEmpty();
    }

    @Test
    void answerSaysOnlyWhatThereIsToSay() {
        var answer = new IpamAddResponse(
                List.of(AllocatedIp.of("eth0", CniIp.of(InterfaceAddress.parse("10.6.168.101/16")), "web-v4")),
                List.of(),
                CniDns.NONE);

        var written = answer.encode();

        assertThat(written.utf8()).isEqualTo("""
            {"ips":[{"address":"10.6.168.101/16","nic":"eth0","version":4,"ipPool":"web-v4"}],"routes":null}\
            """);
    }

    @Test
    void writtenFormsAreReadBack() {
        var answer = IpamAddResponse.parse(Bytes.ofUtf8(ANSWER));
        var removal = new IpamDelArgs("c9", "net1", "/run/netns/c9", POD);
        var removalAfterTheNamespace = new IpamDelArgs("c9", "net1", "", POD);
        var force = new IpamBatchDelArgs("c9", "/run/netns/c9", POD, false);
        var conflict = new IpamBatchDelArgs("c9", "", POD, true);

        assertThat(IpamAddResponse.parse(answer.encode())).isEqualTo(answer);
        assertThat(IpamDelArgs.parse(removal.encode())).isEqualTo(removal);
        assertThat(IpamDelArgs.parse(removalAfterTheNamespace.encode())).isEqualTo(removalAfterTheNamespace);
        assertThat(IpamBatchDelArgs.parse(force.encode())).isEqualTo(force);
        assertThat(IpamBatchDelArgs.parse(conflict.encode())).isEqualTo(conflict);
    }

    @Test
    void pluginDoesNotCallItAConflictWhenItTakesAddressesBack() {
        var form = new IpamBatchDelArgs("c9", "/run/netns/c9", POD, false).encode();

        assertThat(form.utf8()).doesNotContain("isReleaseConflictIPs");
    }

    @Test
    void endpointTellsWhatItsInterfacesHave() {
        var endpoint = WorkloadEndpoint.parse(Bytes.ofUtf8(ENDPOINT));

        assertThat(endpoint.pod()).isEqualTo(POD);
        assertThat(endpoint.addresses("eth0"))
                .containsExactly(InterfaceAddress.parse("172.18.40.42/24"), InterfaceAddress.parse("fd00::2a/64"));
        assertThat(endpoint.addresses("net1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"containerID", "ifName", "netNamespace", "podNamespace", "podName", "podUID"})
    void c135AdditionWithoutARequiredMemberIsRefused(String member) {
        var missing = ADD.replace("\"%s\"".formatted(member), "\"other\"");
        var empty = ADD.replaceFirst("\"%s\":\"[^\"]*\"".formatted(member), "\"%s\":\"\"".formatted(member));
        var nothing = ADD.replaceFirst("\"%s\":\"[^\"]*\"".formatted(member), "\"%s\":null".formatted(member));

        assertThat(IpamAddArgs.parse(Bytes.ofUtf8(empty))).isNotNull();
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddArgs.parse(Bytes.ofUtf8(missing)))
                .satisfies(failure -> {
                    assertThat(failure.missing()).containsExactly(member);
                    assertThat(failure.firstFault()).isEqualTo(member + " in body is required");
                });
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddArgs.parse(Bytes.ofUtf8(nothing)));
    }

    @Test
    void removalsNeedNoNamespaceAndTheForcedOneNoInterface() {
        var form = Bytes.ofUtf8("{}");

        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamDelArgs.parse(form))
                .satisfies(failure -> assertThat(failure.missing())
                        .containsExactly("containerID", "ifName", "podNamespace", "podName", "podUID"));
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamBatchDelArgs.parse(form))
                .satisfies(failure -> assertThat(failure.missing())
                        .containsExactly("containerID", "podNamespace", "podName", "podUID"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ips\":null,\"routes\":null}| validation failure list:\\n" + "ips in body is required",
                "{\"ips\":[{\"nic\":\"eth0\"}]}| validation failure list:\\n"
                        + "ips.0.address in body is required\\n"
                        + "ips.0.version in body is required",
                "{\"ips\":[],\"routes\":[{\"dst\":\"10.0.0.0/8\",\"ifName\":\"eth0\"}]}| validation"
                        + " failure list:\\n"
                        + "routes.0.gw in body is required",
                "{\"ips\":[{\"nic\":\"eth0\",\"version\":6,\"address\":\"10.0.0.1/8\"}]}|"
                        + " ips.0.version in body is 6, and the address is 10.0.0.1/8",
                "{\"ips\":[{\"nic\":\"eth0\",\"version\":4,\"address\":\"10.0.0.1\"}]}| invalid"
                        + " CIDR address: 10.0.0.1",
                "{\"ips\":[{\"nic\":\"eth0\",\"version\":4,\"address\":\"10.0.0.1/8\",\"gateway\":\"g\"}]}|"
                        + " ips.0.gateway in body is not an address: g",
                "{\"ips\":[{\"nic\":\"eth0\",\"version\":4,\"address\":\"10.0.0.1/8\",\"gateway\":\"::1\"}]}|"
                        + " ips.0 in body: 10.0.0.1/8 cannot be reached through ::1",
                "{\"ips\":[{\"nic\":\"eth0\",\"version\":4,\"address\":\"10.0.0.1/8\",\"vlan\":-1}]}|"
                        + " ips.0 in body: a VLAN has no negative number: -1",
                "{\"ips\":7}| json: cannot unmarshal number into Go struct field .ips of type list",
                "[]| json: cannot unmarshal array into Go value of type object",
            })
    void answersThatMakeNoSenseAreRefused(String body, String fault) {
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddResponse.parse(Bytes.ofUtf8(body)))
                .withMessage(fault.replace("\\n", "\n"));
    }

    @Test
    void answerWithoutAnyAddressIsReadIfItSaysSo() {
        var read = IpamAddResponse.parse(Bytes.ofUtf8("{\"ips\":[]}"));

        assertThat(read).isEqualTo(new IpamAddResponse(List.of(), List.of(), CniDns.NONE));
    }

    @Test
    void moreThan1024AddressesAreRefused() {
        var ip = "{\"nic\":\"eth0\",\"version\":4,\"address\":\"10.0.0.1/8\"},";
        var body = "{\"ips\":[%s%s]}".formatted(ip.repeat(1024), ip.substring(0, ip.length() - 1));

        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddResponse.parse(Bytes.ofUtf8(body)))
                .withMessage("ips in body has 1025 entries, more than 1024");
    }

    @Test
    void deepAndLargeBodiesAreRefused() {
        var deep = "{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
        var large = "{\"x\":\"" + "y".repeat(CniJson.BYTES_MAX) + "\"}";

        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddArgs.parse(Bytes.ofUtf8(deep)));
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> IpamAddArgs.parse(Bytes.ofUtf8(large)));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void spoiltFormsAreReadOrRefused(long seed) {
        var chance = new Random(seed);
        List<Function<Bytes, Object>> readings = List.of(
                IpamAddArgs::parse,
                IpamDelArgs::parse,
                IpamBatchDelArgs::parse,
                IpamAddResponse::parse,
                WorkloadEndpoint::parse);
        var forms = List.of(ADD, ANSWER, ENDPOINT);
        for (int round = 0; round < 3_000; round++) {
            var body = spoilt(forms.get(chance.nextInt(forms.size())), chance);
            for (var reading : readings) {
                try {
                    assertThat(reading.apply(body)).isNotNull();
                } catch (UnreadableFormException refused) {
                    assertThat(refused.firstFault()).isNotEmpty();
                }
            }
        }
    }

    /// Takes away, doubles and replaces some of the bytes.
    private static Bytes spoilt(String text, Random chance) {
        var pieces = List.of("null", "{}", "[", "\"", "1e99", "-1", ",", "\"ips\":", "/129", "::");
        var spoilt = new StringBuilder(text);
        int changes = 1 + chance.nextInt(3);
        for (int change = 0; change < changes; change++) {
            int from = chance.nextInt(spoilt.length());
            int to = Math.min(spoilt.length(), from + chance.nextInt(10));
            switch (chance.nextInt(3)) {
                case 0 -> spoilt.delete(from, to);
                case 1 -> spoilt.insert(from, spoilt.substring(from, to));
                default -> spoilt.replace(from, to, pieces.get(chance.nextInt(pieces.size())));
            }
        }
        return Bytes.ofUtf8(spoilt.toString());
    }
}
