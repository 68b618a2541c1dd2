package io.cadastre.wire.calico;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Owner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalicoKeysTest {

    /// A key that Calico uses, and what it is of.
    record Vector(String id, CalicoKey identity, String key) {

        @Override
        public String toString() {
            return id;
        }
    }

    static List<Vector> vectors() {
        return CalicoGolden.read("/calico/etcd-keys.json")
                .get("keys")
                .valueStream()
                .map(CalicoKeysTest::vector)
                .toList();
    }

    private static Vector vector(JsonNode json) {
        CalicoKey identity =
                switch (json.get("object").textValue()) {
                    case "block" -> new CalicoKey.OfBlock(cidr(json));
                    case "blockAffinity" ->
                        new CalicoKey.OfAffinity(
                                Owner.parse(json.get("type").textValue()
                                        + ":"
                                        + json.get("host").textValue()),
                                cidr(json));
                    case "handle" -> new CalicoKey.OfHandle(json.get("handle").textValue());
                    case "config" -> new CalicoKey.OfConfig();
                    case "ipPool" -> new CalicoKey.OfPool(json.get("name").textValue());
                    case "ipReservation" ->
                        new CalicoKey.OfReservation(json.get("name").textValue());
                    case "node" -> new CalicoKey.OfNode(json.get("name").textValue());
                    case "clusterInformation" -> new CalicoKey.OfClusterInformation();
                    default -> throw new IllegalStateException("no such object: " + json);
                };
        return new Vector(json.get("id").textValue(), identity, json.get("key").textValue());
    }

    private static Prefix cidr(JsonNode json) {
        return Prefix.parse(json.get("cidr").textValue());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void everyDocumentIsWhereCalicoHasIt(Vector vector) {
        assertThat(vector.identity().text()).isEqualTo(vector.key());
        assertThat(CalicoKeys.parse(vector.key())).contains(vector.identity());
    }

    @Test
    void theRecordOfAHostIsAboveItsAffinities() {
        var record = new CalicoKey.OfHostRecord("node-a");

        assertThat(record.text()).isEqualTo("/calico/ipam/v2/host/node-a");
        assertThat(CalicoKeys.parse(record.text())).contains(record);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/calico/ipam/v2/",
                "/calico/ipam/v2/configuration",
                "/calico/ipam/v2/handle/",
                "/calico/ipam/v2/handle/a/b",
                "/calico/ipam/v2/host/",
                "/calico/ipam/v2/host/a/ipv4/block/10.0.0.0",
                "/calico/ipam/v2/host/a/ipv6/block/10.0.0.0-26",
                "/calico/ipam/v2/host/a/b/ipv4/block/10.0.0.0-26",
                "/calico/ipam/v2/host/a/ipv4/10.0.0.0-26",
                "/calico/ipam/v2/virtual/load-balancer",
                "/calico/ipam/v2/assignment/ipv4/block/10.0.0.1-26",
                "/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-33",
                "/calico/ipam/v2/assignment/ipv4/block/x",
                "/calico/ipam/v2/assignment/ipv4/block/-",
                "/calico/ipam/v2/assignment/ipv4/10.0.0.0-26",
                "/calico/ipam/v2/assignment/ipv6/block/10.0.0.0-26",
                "/calico/ipam/v2/assignment/ipv6/block/FD00::-122",
                "/calico/ipam/v2/assignment/ipv6/block/fd00:0::-122",
                "/calico/resources/v3/projectcalico.org/ippools/",
                "/calico/resources/v3/projectcalico.org/ippools/a/b",
                "/calico/resources/v3/projectcalico.org/networkpolicies/x",
                "/calico/v1/ipam/v4/pool/10.0.0.0-16",
            })
    void aKeyThatCalicoNeverWritesIsNotParsed(String key) {
        assertThat(CalicoKeys.parse(key)).isEmpty();
    }

    @Test
    void prefixesEndWhereNamesEnd() {
        var owner = Owner.host("a");
        var block = Prefix.parse("10.0.0.0/26");
        var ofNeighbour = new CalicoKey.OfAffinity(Owner.host("ab"), block).text();

        var prefix = CalicoKeys.affinities(owner, Family.IPV4);

        assertThat(prefix).isEqualTo("/calico/ipam/v2/host/a/ipv4/block/");
        assertThat(new CalicoKey.OfAffinity(owner, block).text()).startsWith(prefix);
        assertThat(ofNeighbour).doesNotStartWith(CalicoKeys.affinities(owner));
        assertThat(CalicoKeys.affinities(Owner.virtual("load-balancer"), Family.IPV6))
                .isEqualTo("/calico/ipam/v2/virtual/load-balancer/ipv6/block/")
                .doesNotStartWith(CalicoKeys.HOSTS);
        assertThat(CalicoKeys.blocks(Family.IPV6))
                .isEqualTo("/calico/ipam/v2/assignment/ipv6/block/")
                .startsWith(CalicoKeys.BLOCKS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "/"})
    void namesThatWouldLeaveTheirPlaceAreRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new CalicoKey.OfHandle(name));
        assertThatIllegalArgumentException().isThrownBy(() -> new CalicoKey.OfHostRecord(name));
        assertThatIllegalArgumentException().isThrownBy(() -> new CalicoKey.OfPool(name));
        assertThatIllegalArgumentException().isThrownBy(() -> new CalicoKey.OfReservation(name));
        assertThatIllegalArgumentException().isThrownBy(() -> new CalicoKey.OfNode(name));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CalicoKey.OfAffinity(Owner.host(name), Prefix.parse("10.0.0.0/26")));
    }

    @Test
    void affinitiesOfAForeignOwnerHaveNoKey() {
        var foreign = Owner.parse("galaxy");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CalicoKey.OfAffinity(foreign, Prefix.parse("10.0.0.0/26")));
        assertThatIllegalArgumentException().isThrownBy(() -> CalicoKeys.affinities(foreign));
    }
}
