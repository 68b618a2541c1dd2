package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.IpPool.AssignmentMode;
import io.cadastre.engine.block.IpPool.Mode;
import io.cadastre.engine.block.selector.SelectorText;
import io.cadastre.wire.calico.resource.CalicoKinds;
import io.cadastre.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceDocumentTest {

    private static final Instant CREATED = Instant.parse("2026-11-15T08:07:08Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p|68b00045-3676-4315-8e38-d85ebcf3cbae|{\"spec\":{\"blockSize\":30,\"cidr\":\"10.9.0.0/24\"}}",
                "p-default|b850212f-56c3-49c1-8784-a34b0c0bbfc7|{\"spec\":{\"cidr\":\"10.10.0.0/16\",\"disabled\":false}}",
                "p6-default|bf589c9d-2be0-4dfb-9b85-bf5db0f17dfe|{\"spec\":{\"namespaceSelector\":\"\",\"cidr\":\"fd80:24e2:f998:72d6::/64\"}}",
                "p-all|512886bb-2d86-48ea-890d-93d177d8e57a|{\"apiVersion\":\"projectcalico.org/v3\",\"kind\":\"IPPool\",\"metadata\":{\"annotations\":{\"note\":\"x\"},\"labels\":{\"team\":\"net\"},\"name\":\"p-all\"},\"spec\":{\"allowedUses\":[\"Workload\"],\"assignmentMode\":\"Manual\",\"blockSize\":28,\"cidr\":\"10.11.0.0/16\",\"disableBGPExport\":true,\"disabled\":true,\"ipipMode\":\"CrossSubnet\",\"namespaceSelector\":\"team"
                    + " in {\\\"x\\\",\\\"y\\\"}\",\"natOutgoing\":true,\"nodeSelector\":\"zone == \\\"a\\\" &&"
                    + " !has(gpu)\"}}",
            })
    void aPoolIsCreatedAsCalicoCreatesIt(String name, UUID uid, String given) {
        var document = IpPoolDocument.create(name, json(given), uid, CREATED);

        assertThat(document.encode()).hasToString(CalicoGolden.value("G01", new CalicoKey.OfPool(name)));
    }

    @Test
    void aPoolIsReplacedAndStaysTheSameObject() {
        var golden = CalicoGolden.value("G01", new CalicoKey.OfPool("p"));
        var stored = pool(golden);

        var replaced = stored.replacedBy(
                json(
                        "{\"metadata\":{\"uid\":\"other\"},\"spec\":{\"cidr\":\"10.9.0.0/24\",\"blockSize\":30,\"disabled\":true}}"));

        assertThat(replaced.pool().standing()).isEqualTo(Mode.DISABLED);
        assertThat(replaced.encode()).hasToString(golden.replace("\"blockSize\"", "\"disabled\":true,\"blockSize\""));
    }

    @Test
    void aReservationANodeAndTheClusterAreCreatedAsCalicoCreatesThem() {
        var reservation = CalicoKinds.RESERVATION.create(
                "r",
                json("{\"spec\":{\"reservedCIDRs\":[\"10.9.0.200/32\",\"fd80:24e2:f998:72d6::/112\"]}}"),
                UUID.fromString("d8632427-ce7d-4b5a-8464-3ab43bc243c4"),
                CREATED);
        var node = CalicoKinds.NODE.create(
                "node-a", json("{}"), UUID.fromString("f1128ae4-0630-469d-bda3-9a4359de7e49"), CREATED);
        var cluster = ClusterInformationDocument.create(
                UUID.fromString("db32f9c4-c419-47d8-86f3-98571b7d9b8c"),
                UUID.fromString("f7307f14-d293-40de-9cbf-57de2fadf5aa"),
                CREATED);

        assertThat(Json.write(reservation)).hasToString(CalicoGolden.value("G01", new CalicoKey.OfReservation("r")));
        assertThat(Json.write(node)).hasToString(CalicoGolden.value("G01", new CalicoKey.OfNode("node-a")));
        assertThat(cluster.encode()).hasToString(CalicoGolden.value("G01", new CalicoKey.OfClusterInformation()));
        assertThat(cluster.ready()).isTrue();
    }

    @Test
    void aPoolSaysWhatItsDocumentSays() {
        var document = pool(CalicoGolden.value("G01", new CalicoKey.OfPool("p-all")));

        assertThat(document.pool())
                .isEqualTo(new IpPool(
                        "p",
                        Prefix.parse("10.11.0.0/16"),
                        28,
                        Mode.DISABLED,
                        SelectorText.of("zone == \"a\" && !has(gpu)"),
                        SelectorText.of("team in {\"x\",\"y\"}"),
                        List.of(AddressUse.WORKLOAD),
                        AssignmentMode.MANUAL));
    }

    @Test
    void blocksOfAPoolAreAsLargeAsTheLastNameOfTheFieldSays() {
        var document = pool("{\"spec\":{\"cidr\":\"10.0.0.0/26\",\"blockSize\":26,\"blocksize\":28}}");

        assertThat(document.pool().blockLength()).isEqualTo(28);
    }

    @Test
    void whatAPoolLeavesOutHasItsDefault() {
        var document = pool("{\"spec\":{\"cidr\":\"10.1.2.3/16\",\"future\":1}}");

        assertThat(document.pool())
                .isEqualTo(IpPool.of("p", Prefix.parse("10.1.0.0/16")).withNamespaceSelector(""));
        assertThat(document.encode()).hasToString("{\"spec\":{\"cidr\":\"10.1.2.3/16\",\"future\":1}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"metadata\":{\"deletionTimestamp\":\"2026-11-15T08:07:08Z\"},\"spec\":{\"cidr\":\"10.0.0.0/16\",\"disabled\":true}}|DELETING",
                "{\"spec\":{\"cidr\":\"10.0.0.0/16\",\"disabled\":true}}|DISABLED",
                "{\"spec\":{\"cidr\":\"10.0.0.0/16\"},\"status\":{\"conditions\":[{\"type\":\"Other\",\"status\":\"False\"},{\"type\":\"Allocatable\",\"status\":\"False\"}]}}|NOT_ALLOCATABLE",
                "{\"spec\":{\"cidr\":\"10.0.0.0/16\"},\"status\":{\"conditions\":[{\"type\":\"Allocatable\",\"status\":\"True\"}]}}|ENABLED",
                "{\"spec\":{\"cidr\":\"10.0.0.0/16\"},\"status\":{}}|ENABLED",
            })
    void aPoolMayHaveNothingToGive(String json, Mode standing) {
        assertThat(pool(json).pool().standing()).isEqualTo(standing);
    }

    @Test
    void unknownWordsAllowNothing() {
        var pool =
                pool("{\"spec\":{\"cidr\":\"10.0.0.0/16\",\"allowedUses\":[\"Tunnel\",\"Party\",\"\"],\"assignmentMode\":\"Sometimes\"}}")
                        .pool();

        assertThat(pool.allowedUses()).containsExactly(AddressUse.TUNNEL);
        assertThat(pool.assignmentMode()).isEqualTo(AssignmentMode.MANUAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"spec\":{\"cidr\":\"nonsense\"}}",
                "{\"spec\":{\"cidr\":\"10.0.0.0\"}}",
                "{\"spec\":{\"cidr\":\"::ffff:10.0.0.0/112\"}}",
                "{\"spec\":{\"cidr\":\"10.0.0.0/8\",\"blockSize\":19}}",
                "{\"spec\":{\"cidr\":\"10.0.0.0/8\",\"blockSize\":33}}",
                "{\"spec\":{\"cidr\":\"10.0.0.0/8\",\"blockSize\":\"26\"}}",
            })
    void whatCannotBeAPoolIsUnparsable(String json) {
        assertThatExceptionOfType(UnparsableEntryException.class).isThrownBy(() -> pool(json));
    }

    @Test
    void aReservationIgnoresWhatReservesNothing() {
        var document = (ReservationDocument) CalicoDocument.decode(
                new CalicoKey.OfReservation("r"),
                Bytes.ofUtf8("{\"spec\":{\"reservedCIDRs\":[\" 10.0.0.7"
                        + " \",\"\",\"x\",\"10.1.2.3/8\",\"fd00::1\",\"10.0.0.0/33\"]}}"));

        assertThat(document.reserved())
                .containsExactly(Prefix.parse("10.0.0.7/32"), Prefix.parse("10.0.0.0/8"), Prefix.parse("fd00::1/128"));
    }

    @Test
    void aNodeTellsItsLabelsItsNameInKubernetesAndItsTunnels() {
        var document = (CalicoNodeDocument) CalicoDocument.decode(new CalicoKey.OfNode("node-a"), Bytes.ofUtf8("""
            {"metadata":{"labels":{"zone":"a"}},"spec":{"bgp":{"ipv4IPIPTunnelAddr":"10.0.0.1"},\
            "ipv4VXLANTunnelAddr":"10.0.0.2","ipv6VXLANTunnelAddr":"fd00::2",\
            "orchRefs":[{"nodeName":"x","orchestrator":"other"},{"nodeName":"worker-1","orchestrator":"k8s"}],\
            "wireguard":{"interfaceIPv4Address":"10.0.0.3","interfaceIPv6Address":"nonsense"}}}\
            """));

        var node = document.node();

        assertThat(node.labels()).containsEntry("zone", "a").hasSize(1);
        assertThat(node.kubernetesName()).isEqualTo("worker-1");
        assertThat(node.tunnelAddresses())
                .containsExactly(
                        Address.parse("10.0.0.2"),
                        Address.parse("10.0.0.3"),
                        Address.parse("10.0.0.1"),
                        Address.parse("fd00::2"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"spec\":{}}|true|''",
                "{\"spec\":{\"datastoreReady\":true,\"calicoVersion\":\"v3.30.0\"}}|true|v3.30.0",
                "{\"spec\":{\"datastoreReady\":false}}|false|''",
            })
    void aClusterIsReadyUnlessItSaysOtherwise(String json, boolean ready, String version) {
        var document = (ClusterInformationDocument)
                CalicoDocument.decode(new CalicoKey.OfClusterInformation(), Bytes.ofUtf8(json));

        assertThat(document.ready()).isEqualTo(ready);
        assertThat(document.calicoVersion()).isEqualTo(version);
    }

    private static IpPoolDocument pool(String json) {
        return (IpPoolDocument) CalicoDocument.decode(new CalicoKey.OfPool("p"), Bytes.ofUtf8(json));
    }

    private static ObjectNode json(String text) {
        return Json.readObject("given", Bytes.ofUtf8(text));
    }
}
