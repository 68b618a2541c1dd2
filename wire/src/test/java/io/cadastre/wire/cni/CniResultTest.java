package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.datastore.Bytes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CniResultTest {

    static final List<String> VERSIONS = CniVersion.KNOWN;

    /// The golden lines: the same but for the version inside of each form.
    private static final Map<String, String> DUAL_STACK = Map.of(
            "0.2.0",
            "{\"cniVersion\":\"0.2.0\",\"ip4\":{\"ip\":\"10.9.0.7/24\",\"gateway\":\"10.9.0.1\",\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.9.0.1\"}]},\"ip6\":{\"ip\":\"fd00:9::7/64\",\"routes\":[{\"dst\":\"::/0\"}]},\"dns\":{\"nameservers\":[\"10.9.0.53\"],\"search\":[\"a.c.local\"]}}",
            "0.4.0",
            "{\"cniVersion\":\"0.4.0\",\"interfaces\":[{\"name\":\"eth0\",\"mac\":\"0a:58:0a:09:00:07\",\"sandbox\":\"/run/netns/c1\"}],\"ips\":[{\"version\":\"4\",\"interface\":0,\"address\":\"10.9.0.7/24\",\"gateway\":\"10.9.0.1\"},{\"version\":\"6\",\"interface\":0,\"address\":\"fd00:9::7/64\"}],\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.9.0.1\",\"mtu\":1400,\"priority\":100,\"table\":0},{\"dst\":\"::/0\"}],\"dns\":{\"nameservers\":[\"10.9.0.53\"],\"search\":[\"a.c.local\"]}}",
            "1.1.0",
            "{\"cniVersion\":\"1.1.0\",\"dns\":{\"nameservers\":[\"10.9.0.53\"],\"search\":[\"a.c.local\"]},\"interfaces\":[{\"mac\":\"0a:58:0a:09:00:07\",\"mtu\":1440,\"name\":\"eth0\",\"pciID\":\"0000:00:1f.6\",\"sandbox\":\"/run/netns/c1\"}],\"ips\":[{\"address\":\"10.9.0.7/24\",\"gateway\":\"10.9.0.1\",\"interface\":0},{\"address\":\"fd00:9::7/64\",\"interface\":0}],\"routes\":[{\"dst\":\"0.0.0.0/0\",\"gw\":\"10.9.0.1\",\"mtu\":1400,\"priority\":100,\"table\":0},{\"dst\":\"::/0\"}]}");

    private static final CniResult DUAL = dualStack();

    @ParameterizedTest
    @CsvSource({"0.1.0,0.2.0", "0.2.0,0.2.0", "0.3.0,0.4.0", "0.3.1,0.4.0", "0.4.0,0.4.0", "1.0.0,1.1.0", "1.1.0,1.1.0"
    })
    void s29DualStackResultIsPrintedAsTheGoldenLines(String version, String goldenVersion) {
        var golden = String.valueOf(DUAL_STACK.get(goldenVersion))
                .replace("\"cniVersion\":\"%s\"".formatted(goldenVersion), "\"cniVersion\":\"%s\"".formatted(version));

        var printed = DUAL.print(version);

        assertThat(CniJson.compact(CniJson.read(Bytes.ofUtf8(printed)))).isEqualTo(golden);
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void everyGoldenResultIsPrintedByteForByte(Golden golden) {
        var input = CniResult.parse(CniVectors.bytes("/cni/results/" + golden.input()));

        var printed = input.print(golden.version());

        assertThat(printed).isEqualTo(golden.text());
    }

    @ParameterizedTest
    @MethodSource("goldenFiles")
    void everyGoldenResultIsReadWithoutLossInItsOwnVersion(Golden golden) {
        var read = CniResult.parse(Bytes.ofUtf8(golden.text()));

        assertThat(read.cniVersion()).isEqualTo(golden.version());
        assertThat(read.print(golden.version())).isEqualTo(golden.text());
    }

    record Golden(String id, String input, String version, String output) {

        String text() {
            return CniVectors.bytes("/cni/results/" + output).utf8();
        }

        /// Names the test.
        @Override
        public String toString() {
            return id;
        }
    }

    static List<Golden> goldenFiles() {
        return CniVectors.read("/cni/results/index.json")
                .get("results")
                .valueStream()
                .filter(entry -> entry.has("output"))
                .map(entry -> new Golden(
                        entry.get("id").textValue(),
                        entry.get("input").textValue(),
                        entry.get("version").textValue(),
                        entry.get("output").textValue()))
                .toList();
    }

    @Test
    void allGoldenFilesAreTried() {
        assertThat(goldenFiles()).hasSize(47);
    }

    @Test
    void theExactBytesOfASmallResult() {
        var result =
                CniResult.ofAddresses(List.of(CniIp.of(InterfaceAddress.parse("10.9.0.7/24"))), List.of(), CniDns.NONE);

        var printed = result.print("0.4.0");

        assertThat(printed).isEqualTo("""
            {
                "cniVersion": "0.4.0",
                "ips": [
                    {
                        "version": "4",
                        "address": "10.9.0.7/24"
                    }
                ],
                "dns": {}
            }\
            """);
    }

    @Test
    void s19OlderVersionsLoseWhatTheyHaveNoWordFor() {
        var middle = CniResult.parse(Bytes.ofUtf8(DUAL.print("0.4.0")));
        var oldest = CniResult.parse(Bytes.ofUtf8(DUAL.print("0.1.0")));

        assertThat(middle.interfaces())
                .containsExactly(
                        CniInterface.named("eth0").withMac("0a:58:0a:09:00:07").inSandbox("/run/netns/c1"));
        assertThat(middle.ips()).isEqualTo(DUAL.ips());
        assertThat(middle.routes()).isEqualTo(DUAL.routes());
        assertThat(DUAL.print("0.4.0")).contains("\"version\": \"4\"", "\"version\": \"6\"");
        assertThat(oldest.interfaces()).isEmpty();
        assertThat(oldest.routes())
                .containsExactly(
                        CniRoute.to(InterfaceAddress.parse("0.0.0.0/0")).via(Address.parse("10.9.0.1")),
                        CniRoute.to(InterfaceAddress.parse("::/0")));
    }

    @Test
    void s20ResultGoesThroughTheOtherNewVersionUnchanged() {
        var back = DUAL.convert("1.0.0").convert("1.1.0");

        assertThat(back).isEqualTo(DUAL);
    }

    @Test
    void s21OldResultGoesThroughAMiddleVersionUnchanged() {
        var old = """
            {"cniVersion":"0.2.0","ip4":{"ip":"10.1.2.3/24","gateway":"10.1.2.1","routes":[{"dst":"0.0.0.0/0"},\
            {"dst":"10.0.0.0/8","gw":"10.1.2.9"}]},"ip6":{"ip":"fd00::3/64","routes":[{"dst":"fd01::/16","gw":"fd00::1"}]},\
            "dns":{}}\
            """;
        var read = CniResult.parse(Bytes.ofUtf8(old));

        var back = CniResult.parse(Bytes.ofUtf8(read.print("0.4.0"))).convert("0.2.0");

        assertThat(CniJson.compact(back.tree())).isEqualTo(old);
    }

    @Test
    void s22ResultWithoutAddressesHasNoOldForm() {
        var result = CniResult.empty("1.1.0");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> result.print("0.2.0"))
                .withMessage("cannot convert: no valid IP addresses");
    }

    @Test
    void oldResultWithoutAddressesStaysOld() {
        var read = CniResult.parse(Bytes.ofUtf8("{}"));

        assertThat(CniJson.compact(read.convert("0.2.0").tree())).isEqualTo("{\"cniVersion\":\"0.2.0\",\"dns\":{}}");
    }

    @Test
    void s23InterfaceZeroIsWrittenAndNoInterfaceIsNot() {
        var ip = CniIp.of(InterfaceAddress.parse("10.9.0.7/24"));

        var first = CniJson.compact(ofIp(ip.onInterface(0)).tree());
        var none = CniJson.compact(ofIp(ip).tree());

        assertThat(first).contains("\"interface\":0");
        assertThat(none).doesNotContain("interface");
    }

    @Test
    void s24EmptyDnsIsWrittenBeforeTheNewestVersionsOnly() {
        var result = CniResult.empty("1.1.0");

        assertThat(result.print("0.4.0")).contains("\"dns\": {}");
        assertThat(result.print("1.0.0")).doesNotContain("dns");
    }

    @Test
    void s25PreviousResultOfTheOldestFormIsRefused() {
        var config = config("1.1.0", "{\"cniVersion\":\"0.2.0\",\"ip4\":{\"ip\":\"10.1.2.3/24\"}}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(config::prevResult)
                .withMessage("could not parse prevResult: result type supports [1.0.0 1.1.0] but"
                        + " unmarshalled CNIVersion is \"0.2.0\"");
    }

    @Test
    void s28PreviousResultOfTheSameFormIsTakenForTheVersionOfTheConfiguration() {
        var newer = config("1.1.0", "{\"cniVersion\":\"1.0.0\",\"ips\":[]}");
        var older = config("1.0.0", "{\"cniVersion\":\"0.4.0\",\"ips\":[]}");

        assertThat(newer.prevResult()).contains(CniResult.empty("1.1.0"));
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(older::prevResult)
                .withMessage("could not parse prevResult: result type supports [1.0.0 1.1.0] but"
                        + " unmarshalled CNIVersion is \"0.4.0\"");
    }

    @Test
    void previousResultWithoutAVersionIsOfTheVersionOfTheConfiguration() {
        var config = config("0.3.1", "{\"ips\":[{\"version\":\"4\",\"address\":\"10.1.2.3/24\"}]}");

        assertThat(config.prevResult())
                .contains(new CniResult(
                        "0.3.1",
                        List.of(),
                        List.of(CniIp.of(InterfaceAddress.parse("10.1.2.3/24"))),
                        List.of(),
                        CniDns.NONE));
    }

    @Test
    void theOldestFormNamesItsVersionsInItsOwnWay() {
        var config = config("0.2.0", "{\"cniVersion\":\"1.0.0\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(config::prevResult)
                .withMessageEndingWith(
                        "result type supports [ 0.1.0 0.2.0] but unmarshalled CNIVersion is" + " \"1.0.0\"");
    }

    @Test
    void unknownVersionsAreRefused() {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniResult.parse(Bytes.ofUtf8("{\"cniVersion\":\"9.9.9\"}")))
                .withMessage("unsupported CNI result version \"9.9.9\"");
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> DUAL.convert("9.9.9"))
                .withMessage("no converter for CNI result version 1.1.0 to 9.9.9");
    }

    @Test
    void noVersionIsTheOldest() {
        assertThat(DUAL.convert("").cniVersion()).isEqualTo("0.1.0");
    }

    /// The reference code believes the member, and puts this address under `ip6`.
    @Test
    void theFamilyOfAnAddressFollowsFromTheAddress() {
        var lying = CniResult.parse(
                Bytes.ofUtf8("{\"cniVersion\":\"0.4.0\",\"ips\":[{\"version\":\"6\",\"address\":\"10.1.2.3/24\"}]}"));

        assertThat(CniJson.compact(lying.convert("0.2.0").tree()))
                .isEqualTo("{\"cniVersion\":\"0.2.0\",\"ip4\":{\"ip\":\"10.1.2.3/24\"},\"dns\":{}}");
    }

    @Test
    void mappedAddressIsAnIpv4Address() {
        var result = CniResult.parse(
                Bytes.ofUtf8(
                        "{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"::ffff:1.2.3.4/120\",\"gateway\":\"::ffff:1.2.3.1\"}]}"));

        assertThat(result.ips())
                .containsExactly(CniIp.of(InterfaceAddress.parse("1.2.3.4/24")).withGateway(Address.parse("1.2.3.1")));
    }

    @Test
    void emptyListsAreDropped() {
        var result = CniResult.parse(
                Bytes.ofUtf8("{\"cniVersion\":\"1.1.0\",\"interfaces\":[],\"ips\":null,\"dns\":{\"nameservers\":[]}}"));

        assertThat(CniJson.compact(result.tree())).isEqualTo("{\"cniVersion\":\"1.1.0\"}");
    }

    @Test
    void namesOfMembersMatchInAnyLetterCase() {
        var result =
                CniResult.parse(Bytes.ofUtf8("{\"CNIVersion\":\"1.1.0\",\"IPs\":[{\"Address\":\"10.1.2.3/24\"}]}"));

        assertThat(result.ips()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"cniVersion":"1.1.0","ips":[{"address":"10.1.2.3"}]}                            | invalid CIDR address: 10.1.2.3
        {"cniVersion":"1.1.0","ips":[{"address":"10.1.2.3/33"}]}                         | invalid CIDR address: 10.1.2.3/33
        {"cniVersion":"1.1.0","ips":[{"address":"10.1.2.3/24","gateway":"x"}]}           | invalid IP address: x
        {"cniVersion":"1.1.0","routes":[{"dst":"default"}]}                              | invalid CIDR address: default
        {"cniVersion":"1.1.0","ips":{}}                                                  | json: cannot unmarshal object into Go struct field .ips of type list
        {"cniVersion":"1.1.0","interfaces":[{"mtu":1.5}]}                                | json: cannot unmarshal number 1.5 into Go struct field .interfaces.mtu of type int
        {"cniVersion":"0.1.0","ip4":{"ip":"fe80::1%eth0/64"}}                            | invalid CIDR address: fe80::1%eth0/64
        """)
    void unreadableResultIsAnInternalErrorWithTheReason(String document, String msg) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniResult.parse(Bytes.ofUtf8(document)))
                .satisfies(thrown -> assertThat(thrown.error()).isEqualTo(CniError.of(CniCode.INTERNAL, msg)));
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void everyVersionReadsWhatItPrints(String version) {
        var converted = DUAL.convert(version);

        var read = CniResult.parse(Bytes.ofUtf8(DUAL.print(version)));

        assertThat(read).isEqualTo(converted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}"})
    void nothingIsAnEmptyResultInTheVersionThatWasAskedFor(String document) {
        var result = CniResult.parse(Bytes.ofUtf8(document), "1.0.0");

        assertThat(result).isEqualTo(CniResult.empty("1.0.0"));
    }

    private static CniResult ofIp(CniIp ip) {
        return CniResult.ofAddresses(List.of(ip), List.of(), CniDns.NONE);
    }

    private static NetworkConfig config(String version, String prevResult) {
        return NetworkConfig.read(Bytes.ofUtf8(
                "{\"cniVersion\":\"%s\",\"name\":\"blue\",\"prevResult\":%s}".formatted(version, prevResult)));
    }

    private static CniResult dualStack() {
        var gateway = Address.parse("10.9.0.1");
        return CniResult.newest(
                List.of(new CniInterface("eth0", "0a:58:0a:09:00:07", 1440, "/run/netns/c1", "", "0000:00:1f.6")),
                List.of(
                        CniIp.of(InterfaceAddress.parse("10.9.0.7/24"))
                                .withGateway(gateway)
                                .onInterface(0),
                        CniIp.of(InterfaceAddress.parse("fd00:9::7/64")).onInterface(0)),
                List.of(
                        CniRoute.to(InterfaceAddress.parse("0.0.0.0/0"))
                                .via(gateway)
                                .withMtu(1400)
                                .withPriority(100)
                                .inTable(0),
                        CniRoute.to(InterfaceAddress.parse("::/0"))),
                new CniDns(List.of("10.9.0.53"), "", List.of("a.c.local"), List.of()));
    }
}
