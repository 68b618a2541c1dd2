package io.cadastre.wire.cilium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.datastore.Bytes;
import io.cadastre.engine.demand.PodSelector;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolNode;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteAllocated;
import io.cadastre.engine.nodecidr.multipool.MultiPoolEngine;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Need;
import io.cadastre.engine.nodecidr.multipool.MultiPoolView;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents come back as they were, and changed ones have the form of Cilium's programs.
class CiliumDocumentTest {

    private static final String GOLDEN = "/cilium/stored.txt";

    static List<String> golden() {
        try (var stream = Objects.requireNonNull(CiliumDocumentTest.class.getResourceAsStream(GOLDEN))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String name(String document) {
        return Json.readObject("golden", Bytes.ofUtf8(document))
                .at("/metadata/name")
                .asText();
    }

    private static CiliumKind kind(String document) {
        return document.contains("\"kind\":\"CiliumNode\"") ? CiliumKinds.NODE : CiliumKinds.POOL;
    }

    private static CiliumNodeDocument node(String name) {
        var text = golden().stream()
                .filter(document -> kind(document).equals(CiliumKinds.NODE)
                        && name(document).equals(name))
                .findFirst()
                .orElseThrow();
        return CiliumNodeDocument.decode(name, Bytes.ofUtf8(text));
    }

    @ParameterizedTest
    @MethodSource("golden")
    void aStoredDocumentComesBackByteForByte(String document) {
        var kind = kind(document);

        var written = kind.decode(kind.key(name(document)), Bytes.ofUtf8(document));

        assertThat(written.utf8()).isEqualTo(document);
    }

    @Test
    void allGoldenDocumentsAreThere() {
        assertThat(golden()).hasSize(9);
    }

    @Test
    void aNodeOfAClusterPoolIsRead() {
        var node = node("n1");

        assertThat(node.podCidrs()).containsExactly("10.0.3.0/24", "fd00::300/120");
        assertThat(node.requested()).isEmpty();
        assertThat(node.allocated()).isEmpty();
        assertThat(node.error()).isEmpty();
        assertThat(node.ignored()).isFalse();
        assertThat(node("n2").error()).isEqualTo("allocator full");
    }

    @Test
    void aNodeOfPoolsIsReadWithAndWithoutTheFlagsOf120() {
        assertThat(node("n3").requested()).containsExactly(new Need("default", 16, 16), new Need("mars", 1, 0));
        assertThat(node("n3").allocated())
                .containsExactly(
                        new Entry(
                                "default",
                                false,
                                false,
                                List.of(Prefix.parse("10.10.0.0/27"), Prefix.parse("fd00:10::/123"))),
                        new Entry("mars", true, true, List.of(Prefix.parse("10.20.0.0/28"))));
        assertThat(node("n4").allocated())
                .containsExactly(new Entry("default", false, false, List.of(Prefix.parse("10.10.0.32/27"))));
    }

    @Test
    void aNodeOfSingleAddressesIsRead() {
        var node = node("n5");

        assertThat(node.pool())
                .containsEntry("10.1.0.7", new NodeAddressEntry("", "eni-1"))
                .containsEntry("10.1.0.8", new NodeAddressEntry("default/db-0", "eni-1"));
        assertThat(node.used()).containsOnlyKeys("10.1.0.8");
        assertThat(node.reserve()).isEqualTo(new NodeReserve(10, 27, 8, 4));
        assertThat(node.releases()).containsEntry("10.1.0.9", "marked-for-release");
        assertThat(node.ignored()).isTrue();
    }

    @Test
    void aPoolIsRead() {
        var pool = PodIpPoolDocument.decode(
                "default",
                Bytes.ofUtf8(golden().stream()
                        .filter(document -> kind(document).equals(CiliumKinds.POOL))
                        .findFirst()
                        .orElseThrow()));

        assertThat(pool.cidrs(Family.IPV4))
                .contains(new PoolCidrs(List.of(Prefix.parse("10.10.0.0/16"), Prefix.parse("10.11.0.0/16")), 27));
        assertThat(pool.cidrs(Family.IPV6)).contains(new PoolCidrs(List.of(Prefix.parse("fd00:10::/112")), 123));
        assertThat(pool.allowFirst()).isTrue();
        assertThat(pool.allowLast()).isFalse();
        assertThat(pool.skipMasquerade()).isTrue();
    }

    private static PodIpPoolDocument pool(String name) {
        var text = golden().stream()
                .filter(document -> kind(document).equals(CiliumKinds.POOL)
                        && name(document).equals(name))
                .findFirst()
                .orElseThrow();
        return PodIpPoolDocument.decode(name, Bytes.ofUtf8(text));
    }

    @Test
    void theSelectorsOfAPoolAreRead() {
        var selecting = pool("blue").selecting();
        var tier = new TreeMap<String, String>();
        tier.put("tier", "b");

        assertThat(selecting.families()).containsExactly(Family.IPV6);
        assertThat(selecting.podSelectors()).singleElement().matches(selector -> selector.matches(tier));
        assertThat(selecting.namespaceSelectors())
                .extracting(PodSelector::matchLabels)
                .singleElement()
                .satisfies(labels -> assertThat(labels).containsEntry("io.kubernetes.metadata.name", "shop"));
        assertThat(pool("mars").selecting().podSelectors()).isEmpty();
    }

    @Test
    void aNodeIsWhatTheLawOfClusterPoolSees() {
        assertThat(node("n2").clusterPoolNode())
                .isEqualTo(new ClusterPoolNode("n2", List.of("10.0.4.0/24"), "allocator full", false));
        assertThat(node("n5").clusterPoolNode().ignored()).isTrue();
    }

    @Test
    void documentsGoThroughTheLawOfPoolsAndComeBack() {
        var node = CiliumNodeDocument.create("n").withRequested(List.of(new Need("mars", 20, 0)));
        var view = MultiPoolView.empty();
        for (var change : MultiPoolEngine.upsertPool(view, pool("mars").spec()).changes()) {
            view = view.with(change);
        }
        view = view.with(MultiPoolEngine.sync().changes().getFirst());

        var written = MultiPoolEngine.reconcile(view, node.multiPoolNode()).changes().stream()
                .filter(WriteAllocated.class::isInstance)
                .map(WriteAllocated.class::cast)
                .findFirst()
                .orElseThrow();

        assertThat(node.withAllocated(written.entries()).encode().utf8())
                .contains(
                        "\"pools\":{\"allocated\":[{\"cidrs\":[\"10.20.0.0/28\",\"10.20.0.16/28\"],\"pool\":\"mars\"}],"
                                + "\"requested\":[{\"needed\":{\"ipv4-addrs\":20},\"pool\":\"mars\"}]}");
    }

    @Test
    void aNewNodeHasAnEmptyObjectForEachStruct() {
        assertThat(CiliumNodeDocument.create("n")
                        .withPodCidrs(List.of("10.0.3.0/24", "fd00::300/120"))
                        .encode()
                        .utf8())
                .isEqualTo("""
                    {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"n"},\
                    "spec":{"alibaba-cloud":{},"azure":{},"encryption":{},"eni":{},"health":{},"ingress":{},\
                    "ipam":{"podCIDRs":["10.0.3.0/24","fd00::300/120"],"pools":{}}},\
                    "status":{"alibaba-cloud":{},"azure":{},"eni":{},"ipam":{"operator-status":{}}}}\
                    """);
    }

    @Test
    void whatIsReadAndWrittenAgainIsTheSameDocument() {
        for (var name : List.of("n1", "n3", "n5")) {
            var node = node(name);

            var again = node.withPodCidrs(node.podCidrs())
                    .withPool(node.pool())
                    .withUsed(node.used())
                    .withRequested(node.requested())
                    .withAllocated(node.allocated())
                    .withError(node.error())
                    .withReleases(node.releases());

            assertThat(again.encode().utf8()).isEqualTo(node.encode().utf8());
        }
    }

    @Test
    void emptyListsAndMapsAreLeftOutAndForeignFieldsStay() {
        var emptied =
                node("n5").withPool(new TreeMap<>()).withUsed(new TreeMap<>()).withReleases(new TreeMap<>());
        var future = node("n6").withError("allocator full").withPodCidrs(List.of());

        assertThat(emptied.encode().utf8()).doesNotContain("\"pool\":", "\"used\"", "release-ips");
        assertThat(emptied.encode().utf8()).contains("\"assigned-static-ip\":\"203.0.113.9\"");
        assertThat(future.encode().utf8())
                .contains("\"future\":{\"ratio\":1.50}", "\"future\":[1e2]", "{\"error\":\"allocator full\"}")
                .doesNotContain("podCIDRs");
    }

    @Test
    void aPoolOfWhichNothingIsNeededIsNotRequested() {
        var node = CiliumNodeDocument.create("n")
                .withRequested(List.of(new Need("a", 0, 0), new Need("b", 0, 4)))
                .withAllocated(List.of(new Entry("b", false, true, List.of())));

        assertThat(node.encode().utf8())
                .contains("\"requested\":[{\"needed\":{\"ipv6-addrs\":4},\"pool\":\"b\"}]")
                .contains("\"allocated\":[{\"allowLastIP\":true,\"pool\":\"b\"}]");
    }

    static Stream<String> unreadable() {
        return Stream.of(
                "{}",
                "{\"ipam\":7}",
                "{\"ipam\":{\"podCIDRs\":\"10.0.0.0/24\"}}",
                "{\"ipam\":{\"pool\":{\"10.0.0.1\":[]}}}",
                "{\"ipam\":{\"pre-allocate\":-1}}",
                "{\"ipam\":{\"pools\":{\"allocated\":[{\"pool\":\"a\",\"cidrs\":[\"x\"]}]}}}",
                "{\"ipam\":{\"pools\":{\"requested\":[7]}}}");
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aFieldOfTheWrongTypeMakesADocumentUnreadable(String spec) {
        var name = spec.equals("{}") ? "other" : "n";
        var document =
                "{\"apiVersion\":\"cilium.io/v2\",\"kind\":\"CiliumNode\",\"metadata\":{\"name\":\"%s\"},\"spec\":%s}"
                        .formatted(name, spec);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> CiliumNodeDocument.decode("n", Bytes.ofUtf8(document)))
                .withMessageContaining("/cadastre/apis/cilium.io/v2/ciliumnodes/n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"ipv4\":{\"cidrs\":[\"fd00::/64\"]}}", "{\"ipv6\":{\"cidrs\":[\"x\"]}}", "{\"ipv4\":[]}"})
    void aPoolWithoutCidrsOfItsFamilyIsUnreadable(String spec) {
        var document =
                "{\"apiVersion\":\"cilium.io/v2alpha1\",\"kind\":\"CiliumPodIPPool\",\"metadata\":{\"name\":\"p\"},\"spec\":%s}"
                        .formatted(spec);

        assertThatExceptionOfType(UnreadableDocumentException.class)
                .isThrownBy(() -> PodIpPoolDocument.decode("p", Bytes.ofUtf8(document)));
    }
}
