package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Handle;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.IpamConfig.Persistence;
import io.cadastre.engine.block.Owner;
import io.cadastre.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CalicoDocumentTest {

    /// Scenes whose documents are of an old release or were written by hand.
    private static final List<String> OLD = List.of("G32", "G33");

    private static final Prefix BLOCK = Prefix.parse("10.0.0.0/26");

    static List<CalicoGolden.Written> written() {
        return CalicoGolden.all().stream()
                .filter(entry -> !OLD.contains(entry.scene()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("written")
    void whatCalicoWroteComesBackByteForByte(CalicoGolden.Written written) {
        var key = CalicoKeys.parse(written.key()).orElseThrow();

        var document = CalicoDocument.decode(key, Bytes.ofUtf8(written.value()));

        assertThat(document.encode()).hasToString(written.value());
    }

    @Test
    void thereIsAGoldenDocumentOfEveryKind() {
        var kinds = written().stream()
                .map(entry -> CalicoKeys.parse(entry.key()).orElseThrow().getClass())
                .distinct();

        // Records of hosts are not written any more.
        assertThat(kinds).hasSize(CalicoKey.class.getPermittedSubclasses().length - 1);
    }

    @Test
    void unparsableEntryIsReportedInTheWordsOfCalico() {
        var key = new CalicoKey.OfBlock(BLOCK);

        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> CalicoDocument.decode(key, Bytes.ofUtf8("{\"cidr\":5}")))
                .withMessage("failed to parse datastore entry"
                        + " key=/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-26;"
                        + " value={\"cidr\":5}: its cidr is not text");
    }

    /// Of two names for one field the last one counts.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/calico/resources/v3/projectcalico.org/ippools/p|{\"Spec\":{\"CIDR\":\"10.0.0.0/26\",\"blockSize\":26,\"blocksize\":28,\"Disabled\":true,\"nodeselector\":\"has(a)\",\"assignmentmode\":\"Manual\",\"x\":1}}|{\"spec\":{\"cidr\":\"10.0.0.0/26\",\"blockSize\":28,\"disabled\":true,\"nodeSelector\":\"has(a)\",\"assignmentMode\":\"Manual\",\"x\":1}}",
                "/calico/resources/v3/projectcalico.org/ipreservations/r|{\"spec\":{\"reservedCidrs\":[\"10.0.0.0/28\"]}}|{\"spec\":{\"reservedCIDRs\":[\"10.0.0.0/28\"]}}",
                "/calico/resources/v3/projectcalico.org/nodes/n|{\"Metadata\":{\"Labels\":{\"A\":\"b\"}},\"spec\":{\"Bgp\":{\"ipv4IpipTunnelAddr\":\"10.0.0.1\"}}}|{\"metadata\":{\"labels\":{\"A\":\"b\"}},\"spec\":{\"bgp\":{\"ipv4IPIPTunnelAddr\":\"10.0.0.1\"}}}",
                "/calico/resources/v3/projectcalico.org/clusterinformations/default|{\"spec\":{\"datastoreready\":false}}|{\"spec\":{\"datastoreReady\":false}}",
                "/calico/ipam/v2/config|{\"Strict_Affinity\":true,\"MaxBlocksPerHost\":4,\"x\":1}|{\"strict_affinity\":true,\"maxBlocksPerHost\":4,\"x\":1}",
                "/calico/ipam/v2/handle/h|{\"Block\":{\"10.0.0.0/26\":2}}|{\"block\":{\"10.0.0.0/26\":2},\"deleted\":false}",
                "/calico/ipam/v2/host/n/ipv4/block/10.0.0.0-26|{\"State\":\"pending\"}|{\"state\":\"pending\",\"deleted\":false}",
                "/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-31|{\"CIDR\":\"10.0.0.0/31\",\"Affinity\":\"host:n\",\"Allocations\":[0,null],\"Unallocated\":[1],\"Attributes\":[{\"Handle_ID\":\"h\",\"Secondary\":{\"pod\":\"p\"}}],\"SequenceNumber\":7,\"sequencenumberforallocation\":{\"0\":6}}|{\"cidr\":\"10.0.0.0/31\",\"affinity\":\"host:n\",\"allocations\":[0,null],\"unallocated\":[1],\"attributes\":[{\"handle_id\":\"h\",\"secondary\":{\"pod\":\"p\"}}],\"sequenceNumber\":7,\"sequenceNumberForAllocation\":{\"0\":6},\"deleted\":false}",
            })
    void namesOfFieldsAreReadInAnyLetterCase(String key, String stored, String read) {
        var document = CalicoDocument.decode(CalicoKeys.parse(key).orElseThrow(), Bytes.ofUtf8(stored));

        assertThat(document.encode()).hasToString(read);
    }

    @Test
    void aLongValueIsQuotedInPart() {
        var key = new CalicoKey.OfConfig();

        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> CalicoDocument.decode(key, Bytes.ofUtf8("x".repeat(100_000))))
                .satisfies(
                        unparsable -> assertThat(unparsable.toString().length()).isLessThan(5000));
        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> CalicoDocument.decode(key, Bytes.ofUtf8(" ".repeat(Json.DOCUMENT_BYTES_MAX) + "{}")))
                .withMessageContaining("more than 8388608");
    }

    @Test
    void damagedDocumentsAreReadOrUnparsableAndNothingElse() {
        var golden = CalicoGolden.all().stream()
                .filter(entry -> !entry.value().isEmpty())
                .toList();
        int unparsable = 0;
        for (long seed = 1; seed <= 5000; seed++) {
            var random = new Random(seed);
            var entry = golden.get(random.nextInt(golden.size()));
            var bytes = entry.value().getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i <= random.nextInt(4); i++) {
                bytes[random.nextInt(bytes.length)] =
                        (byte) "0123456789{}[]\",:-.eEnulltrfas \\u/\0\u00ff".charAt(random.nextInt(30));
            }
            var key = CalicoKeys.parse(entry.key()).orElseThrow();

            try {
                var document = CalicoDocument.decode(key, Bytes.of(bytes));
                var again = CalicoDocument.decode(key, document.encode());
                assertThat(again.encode()).as("seed %d", seed).isEqualTo(document.encode());
            } catch (UnparsableEntryException expected) {
                assertThat(expected).hasMessageStartingWith("failed to parse datastore entry key=");
                unparsable++;
            }
        }
        assertThat(unparsable).isBetween(500, 4900);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "''|CONFIRMED",
                "{}|CONFIRMED",
                "{\"state\":\"\"}|CONFIRMED",
                "{\"state\":null,\"deleted\":null}|CONFIRMED",
                "{\"state\":\"confirmed\"}|CONFIRMED",
                "{\"state\":\"pending\",\"deleted\":false}|PENDING",
                "{\"state\":\"pendingDeletion\",\"deleted\":false}|PENDING_DELETION",
                "{\"state\":\"perhaps\"}|PENDING",
            })
    void anAffinityMayBeOld(String value, Affinity.State state) {
        var key = new CalicoKey.OfAffinity(Owner.host("node-a"), BLOCK);

        var document = (AffinityDocument) CalicoDocument.decode(key, Bytes.ofUtf8(value));

        assertThat(document.affinity()).isEqualTo(new Affinity(Owner.host("node-a"), BLOCK, state));
    }

    @Test
    void onlyAnAffinityMayBeWithoutAValue() {
        assertThatExceptionOfType(UnparsableEntryException.class)
                .isThrownBy(() -> CalicoDocument.decode(new CalicoKey.OfHandle("h"), Bytes.ofUtf8("")));
    }

    @Test
    void foreignFieldsOfAnAffinityAHandleAndTheConfigurationSurvive() {
        var affinity = (AffinityDocument) CalicoDocument.decode(
                new CalicoKey.OfAffinity(Owner.host("node-a"), BLOCK),
                Bytes.ofUtf8("{\"x\":1.50,\"state\":\"pending\",\"deleted\":false}"));
        var handle = (HandleDocument)
                CalicoDocument.decode(new CalicoKey.OfHandle("h"), Bytes.ofUtf8("{\"block\":null,\"y\":{\"z\":[]}}"));
        var config = (ConfigDocument) CalicoDocument.decode(
                new CalicoKey.OfConfig(),
                Bytes.ofUtf8("{\"w\":\"\\u003c\",\"kubeVirtVMAddressPersistence\":\"Sometimes\"}"));

        var confirmed = affinity.with(new Affinity(Owner.host("node-a"), BLOCK, Affinity.State.CONFIRMED));
        var counted = handle.with(handle.handle().withCount(BLOCK, 2));
        var strict = config.with(config.config().withStrictAffinity(true));
        var persistent = strict.with(strict.config().withPersistence(Persistence.ENABLED));

        assertThat(confirmed.encode()).hasToString("{\"state\":\"confirmed\",\"deleted\":false,\"x\":1.50}");
        assertThat(counted.encode()).hasToString("{\"block\":{\"10.0.0.0/26\":2},\"deleted\":false,\"y\":{\"z\":[]}}");
        assertThat(strict.encode())
                .hasToString(
                        "{\"strict_affinity\":true,\"w\":\"\\u003c\",\"kubeVirtVMAddressPersistence\":\"Sometimes\"}");
        assertThat(persistent.encode())
                .hasToString(
                        "{\"strict_affinity\":true,\"kubeVirtVMAddressPersistence\":\"Enabled\",\"w\":\"\\u003c\"}");
    }

    @Test
    void blocksOfAHandleAreSortedByTheirBytes() {
        var counts = new TreeMap<Prefix, Integer>();
        counts.put(Prefix.parse("10.9.0.36/30"), 1);
        counts.put(Prefix.parse("10.9.0.232/30"), 2);
        counts.put(Prefix.parse("fd00::/122"), 3);

        var document = HandleDocument.create(new Handle("h", counts));

        assertThat(document.encode())
                .hasToString("{\"block\":{\"10.9.0.232/30\":2,\"10.9.0.36/30\":1,\"fd00::/122\":3},\"deleted\":false}");
    }

    @Test
    void theEmptyConfigurationForbidsEverything() {
        var document = (ConfigDocument) CalicoDocument.decode(new CalicoKey.OfConfig(), Bytes.ofUtf8("{}"));

        assertThat(document.config()).isEqualTo(new IpamConfig(false, false, 0, Persistence.UNSET, 0));
        assertThat(document.encode()).hasToString("{}");
    }

    @Test
    void aNegativeLimitOfBlocksMeansNoLimit() {
        var document = (ConfigDocument)
                CalicoDocument.decode(new CalicoKey.OfConfig(), Bytes.ofUtf8("{\"maxBlocksPerHost\":-1}"));

        assertThat(document.config().maxBlocksPerHost()).isZero();
    }
}
