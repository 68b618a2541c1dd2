package io.cadastre.agent.hostlocal;

import static io.cadastre.agent.hostlocal.HostLocalNode.addresses;
import static io.cadastre.agent.hostlocal.HostLocalNode.environment;
import static io.cadastre.agent.hostlocal.HostLocalNode.error;
import static io.cadastre.agent.hostlocal.HostLocalNode.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Address;
import io.cadastre.engine.hostlocal.HostLocalAttachment;
import io.cadastre.engine.hostlocal.HostLocalChange;
import io.cadastre.engine.hostlocal.HostLocalEngine;
import io.cadastre.engine.hostlocal.HostLocalRequest;
import io.cadastre.engine.hostlocal.HostLocalSetup;
import io.cadastre.engine.hostlocal.PerFamily;
import io.cadastre.engine.hostlocal.WrittenRange;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniDns;
import io.cadastre.wire.cni.CniError;
import io.cadastre.wire.cni.CniIp;
import io.cadastre.wire.cni.CniRoute;
import io.cadastre.wire.cni.CniVerb;
import io.cadastre.wire.cni.CniVersion;
import io.cadastre.wire.cni.InterfaceAddress;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class HostLocalTest {

    private static final String SUBNET = "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}]]";
    private static final String SMALL = "\"ranges\": [[{\"subnet\": \"192.168.1.0/29\"}]]";
    private static final String TWO_SETS =
            "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}], [{\"subnet\": \"10.1.3.0/24\"}]]";

    static final List<String> VERSIONS = CniVersion.KNOWN;

    @TempDir
    Path dataDir;

    private HostLocalNode node;

    @BeforeEach
    void prepare() {
        node = HostLocalNode.in(dataDir);
    }

    @Test
    void h01EachSetGivesAnAddressAndTheFolderSaysWhoHasIt() throws IOException {
        var resolvConf = Files.writeString(dataDir.resolve("resolv.conf"), """
            # not this: nameserver 9.9.9.9
            nameserver 192.0.2.3
            """);
        var config = node.config("1.0.0", """
            "resolvConf": "%s",
            "ranges": [[{"subnet": "10.1.2.0/24"}, {"subnet": "10.2.2.0/24"}],
                       [{"subnet": "2001:db8:1::/64"}]],
            "routes": [{"dst": "0.0.0.0/0"}, {"dst": "::/0"},
                       {"dst": "192.168.0.0/16", "gw": "1.1.1.1"}]
            """.formatted(resolvConf));

        var result = node.add("pod", config);

        assertThat(result.ips())
                .containsExactly(
                        CniIp.of(InterfaceAddress.parse("10.1.2.2/24")).withGateway(Address.parse("10.1.2.1")),
                        CniIp.of(InterfaceAddress.parse("2001:db8:1::2/64"))
                                .withGateway(Address.parse("2001:db8:1::1")));
        assertThat(result.routes())
                .containsExactly(
                        CniRoute.to(InterfaceAddress.parse("0.0.0.0/0")),
                        CniRoute.to(InterfaceAddress.parse("::/0")),
                        CniRoute.to(InterfaceAddress.parse("192.168.0.0/16")).via(Address.parse("1.1.1.1")));
        assertThat(result.dns()).isEqualTo(new CniDns(List.of("192.0.2.3"), "", List.of(), List.of()));
        assertThat(node.content("10.1.2.2")).isEqualTo("pod\r\neth0");
        assertThat(node.content("2001:db8:1::2")).isEqualTo("pod\r\neth0");
        assertThat(node.content("last_reserved_ip.0")).isEqualTo("10.1.2.2");
        assertThat(node.content("last_reserved_ip.1")).isEqualTo("2001:db8:1::2");
    }

    @Test
    void filesHaveTheModesOfTheReference() throws IOException {
        node.add("pod", node.config("1.0.0", SUBNET));

        assertThat(node.names()).containsExactly("10.1.2.2", "last_reserved_ip.0", "lock");
        assertThat(node.mode("")).isEqualTo("rwxr-xr-x");
        assertThat(node.mode("10.1.2.2")).isEqualTo("rw-------");
        assertThat(node.mode("last_reserved_ip.0")).isEqualTo("rw-------");
        assertThat(node.mode("lock")).isEqualTo("rwxr-x---");
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void everyVersionIsServed(String version) {
        var config = node.config(version, SUBNET);

        var result = node.add("pod", config);

        assertThat(result.cniVersion()).isEqualTo(version);
        assertThat(addresses(result)).containsExactly("10.1.2.2");
        node.del("pod", config);
    }

    @Test
    void h02DelRemovesTheAddressesAndKeepsWhatWasReservedLast() throws IOException {
        var config = node.config(
                "1.0.0", "\"ranges\": [[{\"subnet\": \"10.1.2.0/24\"}], [{\"subnet\":" + " \"2001:db8:1::/64\"}]]");
        node.add("pod", config);

        node.del("pod", config);

        assertThat(node.names()).containsExactly("last_reserved_ip.0", "last_reserved_ip.1", "lock");
    }

    @Test
    void h03SecondAddIsRefusedAndAnotherContainerGetsTheNextAddress() {
        var config = node.config("1.0.0", SUBNET);
        node.add("pod", config);

        var again = node.refusal(CniVerb.ADD, "pod", config);
        var other = node.given("other", config);

        assertThat(again)
                .isEqualTo(internal("failed to allocate for range 0: 10.1.2.2 has been allocated to"
                        + " pod, duplicate allocation is not allowed"));
        assertThat(other).containsExactly("10.1.2.3");
    }

    @Test
    void h04DelOnOneNetworkLeavesTheOther() {
        var blue = node.config("1.0.0", "blue", SUBNET, "");
        var red = node.config("1.0.0", "red", SUBNET, "");
        node.add("pod", blue);
        result(node.call(CniVerb.ADD, environment(CniVerb.ADD, "pod", "eth1", ""), red));

        node.del("pod", blue);

        assertThat(dataDir.resolve("blue/10.1.2.2")).doesNotExist();
        assertThat(dataDir.resolve("red/10.1.2.2")).exists();
    }

    @Test
    void h05FileOfTheOldFormIsReleased() throws IOException {
        var config = node.config("1.0.0", SUBNET);
        node.add("pod", config);
        node.write("10.1.2.2", "pod");

        node.del("pod", config);

        assertThat(node.file("10.1.2.2")).doesNotExist();
    }

    @Test
    void h06DelOfAStrangerSucceedsAndMakesTheFolder() throws IOException {
        node.del("stranger", node.config("1.0.0", SUBNET));

        assertThat(node.names()).containsExactly("lock");
    }

    @Test
    void h07AddressThatWasReleasedRests() {
        var config = node.config("1.0.0", SMALL);
        node.add("pod", config);
        node.del("pod", config);

        assertThat(node.given("pod", config)).containsExactly("192.168.1.3");
    }

    @Test
    void h08SearchWrapsAround() throws IOException {
        node.write("192.168.1.5", "a\r\neth0")
                .write("192.168.1.6", "b\r\neth0")
                .write("last_reserved_ip.0", "192.168.1.5");

        assertThat(node.given("pod", node.config("1.0.0", SMALL))).containsExactly("192.168.1.2");
    }

    @Test
    void h09LastReservedAddressComesLast() throws IOException {
        for (int taken : new int[] {2, 4, 5, 6}) {
            node.write("192.168.1." + taken, "c" + taken + "\r\neth0");
        }
        node.write("last_reserved_ip.0", "192.168.1.3");

        assertThat(node.given("pod", node.config("1.0.0", SMALL))).containsExactly("192.168.1.3");
    }

    @Test
    void h10SixthAddFindsNothing() {
        var config = node.config("1.0.0", SMALL);
        var given = new ArrayList<String>();
        for (int pod = 1; pod <= 5; pod++) {
            given.addAll(node.given("pod-" + pod, config));
        }

        var sixth = node.refusal(CniVerb.ADD, "pod-6", config);

        assertThat(given).containsExactly("192.168.1.2", "192.168.1.3", "192.168.1.4", "192.168.1.5", "192.168.1.6");
        assertThat(sixth)
                .isEqualTo(internal("failed to allocate for range 0: no IP addresses available in range"
                        + " set: 192.168.1.1-192.168.1.6"));
    }

    @Test
    void h11SearchGoesOnInTheNextRange() throws IOException {
        node.write("last_reserved_ip.0", "192.168.1.2");

        var given = node.given(
                "pod",
                node.config(
                        "1.0.0",
                        "\"ranges\": [[{\"subnet\": \"192.168.1.0/30\"}, {\"subnet\":" + " \"192.168.1.4/30\"}]]"));

        assertThat(given).containsExactly("192.168.1.6");
    }

    @ParameterizedTest
    @CsvSource({"10.9.9.9", "nonsense", "'10.1.2.7\n'", "''"})
    void h12LastReservedAddressOutsideTheSetIsIgnored(String last) throws IOException {
        node.write("last_reserved_ip.0", last);

        assertThat(node.given("pod", node.config("1.0.0", SUBNET))).containsExactly("10.1.2.2");
        assertThat(node.content("last_reserved_ip.0")).isEqualTo("10.1.2.2");
    }

    @Test
    void h13RequestedAddressIsGiven() {
        var config = node.config("1.0.0", "net", SUBNET, ", \"args\": {\"cni\": {\"ips\": [\"10.1.2.88\"]}}");

        assertThat(node.given("pod", config)).containsExactly("10.1.2.88");
    }

    @Test
    void requestsOfAllThreePlacesAreServed() {
        var config = node.config("1.0.0", "net", """
            "ranges": [[{"subnet": "10.1.2.0/24"}], [{"subnet": "10.1.3.0/24"}],
                       [{"subnet": "10.1.4.0/24"}]]
            """, """
            , "args": {"cni": {"ips": ["10.1.3.9/24"]}},
            "runtimeConfig": {"ips": ["10.1.4.9"]}
            """);
        var environment = environment(CniVerb.ADD, "pod", "eth0", "IgnoreUnknown=1;IP=10.1.2.9;X=1");

        var result = result(node.call(CniVerb.ADD, environment, config));

        assertThat(addresses(result)).containsExactly("10.1.2.9", "10.1.3.9", "10.1.4.9");
    }

    @Test
    void h14SecondRequestedAddressOfASetIsLeftOverAndNothingStaysAllocated() throws IOException {
        var config = node.config(
                "1.0.0", "net", TWO_SETS, ", \"args\": {\"cni\": {\"ips\": [\"10.1.2.88\", \"10.1.2.77\"]}}");

        var refusal = node.refusal(CniVerb.ADD, "pod", config);

        assertThat(refusal).isEqualTo(internal("failed to allocate all requested IPs: 10.1.2.77"));
        assertThat(node.names()).containsExactly("last_reserved_ip.0", "last_reserved_ip.1", "lock");
    }

    @Test
    void h15RequestedAddressThatIsUsedIsRefused() throws IOException {
        node.write("10.1.2.88", "other\r\neth0");
        var config = node.config("1.0.0", "net", SUBNET, ", \"args\": {\"cni\": {\"ips\": [\"10.1.2.88\"]}}");

        assertThat(node.refusal(CniVerb.ADD, "pod", config))
                .isEqualTo(internal("failed to allocate for range 0: requested IP address 10.1.2.88 is"
                        + " not available in range set 10.1.2.1-10.1.2.254"));
    }

    @Test
    void h16OlderResultsHaveRoomForOneAddressOfAFamily() {
        assertThat(node.refusal(CniVerb.ADD, "pod", node.config("0.2.0", TWO_SETS)))
                .isEqualTo(internal("CNI version 0.2.0 does not support more than 1 address per" + " family"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[{\"subnet\": \"10.1.0.0/22\"}, {\"subnet\": \"10.1.2.0/24\"}] | invalid range set"
                        + " 0: subnets 10.1.0.1-10.1.3.254 and 10.1.2.1-10.1.2.254 overlap",
                "[{\"subnet\": \"10.1.0.0/22\"}], [{\"subnet\": \"10.1.2.0/24\"}] | range set 0" + " overlaps with 1",
                "[{\"subnet\": \"10.1.2.5/24\"}] | invalid range set 0: Network has host bits set."
                        + " For a subnet mask of length 24 the network address is 10.1.2.0",
                "[{\"subnet\": \"10.1.2.0/31\"}] | invalid range set 0: Network 10.1.2.0/31 too"
                        + " small to allocate from",
                "[{\"subnet\": \"10.1.2.0/24\", \"rangeStart\": \"10.1.2.9\", \"rangeEnd\":"
                        + " \"10.1.2.5\"}] | invalid range set 0: RangeStart 10.1.2.9 not in network"
                        + " 10.1.2.0/24",
                "[{\"subnet\": \"10.1.2.0/24\"}, {\"subnet\": \"2001:db8::/64\"}] | invalid range"
                        + " set 0: mixed address families",
                "[{}] | invalid range set 0: IP <nil> not v4 nor v6",
                "[{\"subnet\": \"10.1.2.0\"}] | invalid CIDR address: 10.1.2.0"
            })
    void h17FaultyRangesAreRefusedAndDoNotPreventReleases(String sets, String sentence) throws IOException {
        var config = node.config("1.0.0", "\"ranges\": [%s]".formatted(sets));
        node.write("10.1.2.2", "pod\r\neth0");

        assertThat(node.refusal(CniVerb.ADD, "pod", config)).isEqualTo(internal(sentence));
        assertThat(node.refusal(CniVerb.CHECK, "pod", config)).isEqualTo(internal(sentence));
        node.del("pod", config);

        assertThat(node.file("10.1.2.2")).doesNotExist();
    }

    @Test
    void h18SetsOfTheRuntimeComeFirstAndThenTheOldStyle() {
        var config = node.config(
                "1.0.0",
                "net",
                "\"subnet\": \"10.2.2.0/24\", \"ranges\": [[{\"subnet\":" + " \"10.3.2.0/24\"}]]",
                ", \"runtimeConfig\": {\"ipRanges\": [[{\"subnet\": \"10.1.2.0/24\"}]]}");

        assertThat(node.given("pod", config)).containsExactly("10.1.2.2", "10.2.2.2", "10.3.2.2");
    }

    @Test
    void h19SpacesAroundAContainerAreNotWritten() throws Exception {
        var folders = new LeaseFolders(HostLocalNode.LOCK_MAX);
        var dummy = new HostLocalAttachment("  dummy\n ", "eth0");
        var written = WrittenRange.nothing().in(Address.parse("10.1.2.0"), 24);
        var setup = (HostLocalSetup.Configured) HostLocalSetup.from(List.of(List.of(written)), new PerFamily.Any());
        var request = new HostLocalRequest(dummy, setup.groups(), List.of());

        folders.use(
                node.file(""),
                folder -> {
                    folder.write(
                            HostLocalEngine.allocate(folder.read(), request).changes());
                    return "";
                },
                Function.identity());
        var content = node.content("10.1.2.2");
        folders.use(
                node.file(""),
                folder -> {
                    folder.write(HostLocalEngine.release(folder.read(), dummy).changes());
                    return "";
                },
                Function.identity());

        assertThat(content).isEqualTo("dummy\r\neth0");
        assertThat(node.file("10.1.2.2")).doesNotExist();
    }

    @Test
    void requestedGatewayIsRefused() {
        var environment = environment(CniVerb.ADD, "pod", "eth0", "IP=10.1.2.1");

        assertThat(error(node.call(CniVerb.ADD, environment, node.config("1.0.0", SUBNET))))
                .isEqualTo(internal("failed to allocate for range 0: requested ip 10.1.2.1 is subnet's" + " gateway"));
    }

    @Test
    void requestedAddressOutsideOfAllRangesIsRefusedAndNothingStaysAllocated() throws IOException {
        var environment = environment(CniVerb.ADD, "pod", "eth0", "IP=10.9.9.9");

        assertThat(error(node.call(CniVerb.ADD, environment, node.config("1.0.0", SUBNET))))
                .isEqualTo(internal("failed to allocate all requested IPs: 10.9.9.9"));
        assertThat(node.names()).containsExactly("last_reserved_ip.0", "lock");
    }

    @Test
    void configurationWithoutIpamIsRefused() {
        var config = "{\"cniVersion\": \"1.0.0\", \"name\": \"net\"}";

        assertThat(node.refusal(CniVerb.ADD, "pod", config)).isEqualTo(internal("IPAM config missing 'ipam' key"));
    }

    @Test
    void configurationWithoutRangesIsRefused() {
        assertThat(node.refusal(CniVerb.ADD, "pod", node.config("1.0.0", "\"routes\": []")))
                .isEqualTo(internal("no IP ranges specified"));
    }

    @Test
    void unreadableResolvConfIsRefusedBeforeAnythingIsReserved() {
        var config = node.config("1.0.0", SUBNET + ", \"resolvConf\": \"/no/such/file\"");

        var refusal = node.refusal(CniVerb.ADD, "pod", config);

        assertThat(refusal.is(CniCode.IO_FAILURE)).isTrue();
        assertThat(refusal.msg()).contains("/no/such/file");
        assertThat(dataDir).isEmptyDirectory();
    }

    @Test
    void relativePathsAreRefusedSinceTheirBaseIsUnknown() {
        var config = """
            {"cniVersion": "1.0.0", "name": "net", "ipam": {"type": "host-local", "dataDir": "here", %s}}
            """.formatted(SUBNET);

        assertThat(node.refusal(CniVerb.ADD, "pod", config))
                .isEqualTo(CniError.of(CniCode.INVALID_NETWORK_CONFIG, "ipam.dataDir: here is not an absolute path"));
    }

    @Test
    void folderThatCannotBeMadeIsReported() throws IOException {
        Files.writeString(dataDir.resolve("net"), "a file");

        var refusal = node.refusal(CniVerb.ADD, "pod", node.config("1.0.0", SUBNET));

        assertThat(refusal.is(CniCode.IO_FAILURE)).isTrue();
    }

    @Test
    void checkFindsWhatWasAddedAndMissesWhatWasNot() throws IOException {
        var config = node.config("1.0.0", SUBNET);
        node.add("pod", config);
        node.write("10.1.2.77", "old");

        node.succeed(CniVerb.CHECK, "pod", config);
        node.succeed(CniVerb.CHECK, "old", config);

        assertThat(node.refusal(CniVerb.CHECK, "stranger", config))
                .isEqualTo(internal("host-local: Failed to find address added by container stranger"));
    }

    @Test
    void gcReleasesUnlistedAttachments() throws IOException {
        var config = node.config("1.1.0", SUBNET);
        node.add("stays", config);
        node.add("goes", config);
        node.write("10.1.2.77", "stays").write("10.1.2.78", "goes");

        gc(", \"cni.dev/valid-attachments\": [{\"containerID\": \"stays\", \"ifname\": \"eth0\"}]");

        assertThat(node.names()).containsExactly("10.1.2.2", "10.1.2.77", "last_reserved_ip.0", "lock");
    }

    @Test
    void gcWithoutAListReleasesNothingAndWithAnEmptyOneEverything() throws IOException {
        node.add("pod", node.config("1.1.0", SUBNET));

        gc("");
        var withoutList = node.names();
        gc(", \"cni.dev/valid-attachments\": null");
        var withEmptyList = node.names();

        assertThat(withoutList).containsExactly("10.1.2.2", "last_reserved_ip.0", "lock");
        assertThat(withEmptyList).containsExactly("last_reserved_ip.0", "lock");
    }

    @Test
    void statusTellsWhetherASetIsFull() {
        var config = node.config("1.1.0", "\"ranges\": [[{\"subnet\": \"10.1.2.0/30\"}]]");

        node.succeed(CniVerb.STATUS, "", config);
        node.add("pod", config);

        assertThat(node.refusal(CniVerb.STATUS, "", config))
                .isEqualTo(CniError.of(
                        CniCode.PLUGIN_NOT_AVAILABLE, "no IP addresses available in range set: 10.1.2.1-10.1.2.2"));
    }

    @Test
    void statusTellsThatTheFolderCannotBeUsed() throws IOException {
        Files.writeString(dataDir.resolve("net"), "a file");

        var refusal = node.refusal(CniVerb.STATUS, "", node.config("1.1.0", SUBNET));

        assertThat(refusal.is(CniCode.PLUGIN_NOT_AVAILABLE)).isTrue();
    }

    @Test
    void filesDeeperDownAreReleasedTooAndOnlyThoseThatNameTheAttachment() throws IOException {
        node.write("notes.txt", "pod\r\neth0\n")
                .write("old/10.1.2.9", "pod\r\neth0")
                .write("old/other", "other\r\neth0");

        node.del("pod", node.config("1.0.0", SUBNET));

        assertThat(node.names()).containsExactly("lock", "old");
        assertThat(node.file("old/10.1.2.9")).doesNotExist();
        assertThat(node.file("old/other")).exists();
    }

    @Test
    void unreadableEntryTakesItsAddressAndDoesNotHinderOthers() throws Exception {
        Files.createDirectories(node.file("10.1.2.2"));
        Files.createSymbolicLink(node.file("10.1.2.3"), Path.of("/no/such/file"));
        assertThat(new ProcessBuilder("mkfifo", node.file("10.1.2.4").toString())
                        .start()
                        .waitFor())
                .isZero();
        node.write("10.1.2.5", "x".repeat(200_000));

        assertThat(node.given("pod", node.config("1.0.0", SUBNET))).containsExactly("10.1.2.6");
    }

    @Test
    void gcLeavesWhatCannotBeRead() throws Exception {
        Files.createDirectories(node.file("10.1.2.2/more"));
        node.write("10.1.2.5", "x".repeat(200_000));

        gc(", \"cni.dev/valid-attachments\": []");

        assertThat(node.names()).containsExactly("10.1.2.2", "10.1.2.5", "lock");
    }

    @Test
    void addThatCannotBeWrittenToTheEndLeavesNothingBehind() throws IOException {
        Files.createDirectories(node.file("last_reserved_ip.1/full"));

        var refusal = node.refusal(CniVerb.ADD, "pod", node.config("1.0.0", TWO_SETS));

        assertThat(refusal.is(CniCode.IO_FAILURE)).isTrue();
        assertThat(node.names()).containsExactly("last_reserved_ip.0", "last_reserved_ip.1", "lock");
    }

    @Test
    void reservationNeverReplacesAFile() throws IOException {
        node.write("10.1.2.2", "other\r\neth0");
        var folder = new LeaseFolder(node.file(""));
        var reserve = new HostLocalChange.Reserve(Address.parse("10.1.2.2"), new HostLocalAttachment("pod", "eth0"));

        assertThatThrownBy(() -> folder.write(List.of(reserve))).isInstanceOf(FileAlreadyExistsException.class);

        assertThat(node.content("10.1.2.2")).isEqualTo("other\r\neth0");
        assertThat(node.names()).containsExactly("10.1.2.2");
    }

    /// A process that is killed right after it reserved leaves two names of one file.
    @Test
    void whatAKilledProcessLeftIsNotWrittenOver() throws IOException {
        node.write("10.1.2.2", "killed\r\neth0");
        Files.createLink(node.file(LeaseFolder.DRAFT), node.file("10.1.2.2"));

        var given = node.given("pod", node.config("1.0.0", SUBNET));

        assertThat(given).containsExactly("10.1.2.3");
        assertThat(node.content("10.1.2.2")).isEqualTo("killed\r\neth0");
        assertThat(node.file(LeaseFolder.DRAFT)).doesNotExist();
    }

    @Test
    void whatAKilledProcessLeftIsReleasedByItsContainer() throws IOException {
        node.write(LeaseFolder.DRAFT, "killed\r\neth0");

        node.del("killed", node.config("1.0.0", SUBNET));

        assertThat(node.names()).containsExactly("lock");
    }

    private void gc(String attachments) {
        node.succeed(CniVerb.GC, "", node.config("1.1.0", "net", SUBNET, attachments));
    }

    private static CniError internal(String sentence) {
        return CniError.of(CniCode.INTERNAL, sentence);
    }
}
