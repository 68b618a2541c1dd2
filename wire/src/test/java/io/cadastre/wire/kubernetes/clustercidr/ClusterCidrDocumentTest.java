package io.cadastre.wire.kubernetes.clustercidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import io.cadastre.engine.nodecidr.clustercidr.NodeSelector;
import io.cadastre.engine.nodecidr.clustercidr.SelectorRequirement;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCidrDocumentTest {

    private static final Instant NOW = Instant.parse("2026-11-18T20:42:33.5Z");
    private static final String KEY = "/cadastre/apis/networking.x-k8s.io/v1/clustercidrs/a";

    private static final NodeSelector SELECTOR = new NodeSelector.Terms(List.of(
            new NodeSelector.Term(
                    List.of(
                            new SelectorRequirement("pool", "In", List.of("a", "b")),
                            new SelectorRequirement("gpu", "Exists", List.of())),
                    List.of()),
            new NodeSelector.Term(List.of(), List.of(new SelectorRequirement("metadata.name", "In", List.of("n"))))));

    private static ClusterCidrDocument decode(String json) {
        return ClusterCidrDocument.decode(KEY, Bytes.ofUtf8(json));
    }

    /// An object of this metadata and spec, as an API server would write it.
    private static String object(String metadata, String spec) {
        return """
            {"apiVersion":"networking.x-k8s.io/v1","kind":"ClusterCIDR","metadata":{"name":"a"%s},"spec":%s}\
            """.formatted(metadata, spec);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"apiVersion\":\"networking.x-k8s.io/v1\",\"kind\":\"ClusterCIDR\",\"metadata\":{\"name\":\"a\"}}",
                "{\"kind\":\"ClusterCIDR\",\"apiVersion\":\"networking.x-k8s.io/v1\",\"metadata\":{\"creationTimestamp\":null,"
                    + "\"finalizers\":[\"example.com/other\",\"networking.x-k8s.io/cluster-cidr-finalizer\"],"
                    + "\"generation\":1,\"labels\":{\"a\":\"b\"},\"name\":\"a\",\"ownerReferences\":[{\"x\":1e5}],"
                    + "\"uid\":\"u\"},\"spec\":{\"future\":{\"deep\":[1.10,null]},\"ipv4\":\"10.0.0.0/16\",\"ipv6\":\"\","
                    + "\"nodeSelector\":{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\","
                    + "\"values\":[\"v\"],\"more\":true}]},null]},\"perNodeHostBits\":8},\"status\":{}}",
            })
    void unknownFieldsAreKept(String json) {
        assertThat(decode(json).encode().utf8()).isEqualTo(json);
    }

    @ParameterizedTest
    @EnumSource
    void createdDocumentIsReadBack(ClusterCidrGroup group) {
        var spec = new ClusterCidrSpec(8, "10.0.0.0/16", "", SELECTOR);
        var created = ClusterCidr.of("a", spec).withUid("u").withFinalizer(true);

        var document = ClusterCidrDocument.create(group, created, NOW);
        var again = ClusterCidrDocument.decode(document.key(), document.encode());

        assertThat(again.clusterCidr()).isEqualTo(created.withGeneration(1));
        assertThat(again.encode()).isEqualTo(document.encode());
        assertThat(document.encode().utf8()).contains("\"creationTimestamp\":\"2026-11-18T20:42:33Z\"");
    }

    @Test
    void theOlderGroupWritesEmptyCidrsAndTheOtherLeavesThemOut() {
        var created = ClusterCidr.of("a", new ClusterCidrSpec(8, "", "fd00::/112", new NodeSelector.Absent()));

        assertThat(ClusterCidrDocument.create(ClusterCidrGroup.IN_TREE, created, NOW)
                        .encode()
                        .utf8())
                .contains("\"spec\":{\"perNodeHostBits\":8,\"ipv4\":\"\",\"ipv6\":\"fd00::/112\"}");
        assertThat(ClusterCidrDocument.create(ClusterCidrGroup.CUSTOM, created, NOW)
                        .encode()
                        .utf8())
                .contains("\"spec\":{\"perNodeHostBits\":8,\"ipv6\":\"fd00::/112\"}");
    }

    @Test
    void aFinalizerIsAddedAndRemovedBesideOthers() {
        var other = decode(object(",\"finalizers\":[\"example.com/other\"]", "{\"perNodeHostBits\":8}"));

        var kept = other.withFinalizer();

        assertThat(other.clusterCidr().finalizer()).isFalse();
        assertThat(kept.clusterCidr().finalizer()).isTrue();
        assertThat(kept.finalizers())
                .containsExactly("example.com/other", "networking.x-k8s.io/cluster-cidr-finalizer");
        assertThat(kept.withFinalizer()).isSameAs(kept);
        assertThat(kept.withoutFinalizer().encode()).isEqualTo(other.encode());
    }

    @Test
    void oneMayVanishWhenItsDeletionBeganAndNoFinalizerIsLeft() {
        var kept = decode(object("", "{}")).withFinalizer();

        var ending = kept.withDeletion(NOW);

        assertThat(kept.withoutFinalizer().finished()).isFalse();
        assertThat(ending.clusterCidr().terminating()).isTrue();
        assertThat(ending.finished()).isFalse();
        assertThat(ending.withoutFinalizer().finished()).isTrue();
    }

    @Test
    void finalizersAreThoseOfTheGroups() {
        assertThat(ClusterCidrGroup.CUSTOM.finalizer()).isEqualTo("networking.x-k8s.io/cluster-cidr-finalizer");
        assertThat(ClusterCidrGroup.IN_TREE.finalizer()).isEqualTo("networking.k8s.io/cluster-cidr-finalizer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"perNodeHostBits\":\"8\"}",
                "{\"perNodeHostBits\":3000000000}",
                "{\"ipv4\":10}",
                "{\"nodeSelector\":[]}",
                "{\"nodeSelector\":{\"nodeSelectorTerms\":[7]}}",
                "{\"nodeSelector\":{\"nodeSelectorTerms\":[{\"matchFields\":[{\"values\":\"v\"}]}]}}",
            })
    void whatHasAnotherFormIsUnreadable(String spec) {
        assertThatThrownBy(() -> decode(object("", spec)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining(KEY);
    }

    @Test
    void anObjectOfAnotherNameOrGroupIsUnreadable() {
        var key = "/cadastre/apis/networking.k8s.io/v1alpha1/clustercidrs/a";

        assertThatThrownBy(() -> ClusterCidrDocument.decode(key, Bytes.ofUtf8(object("", "{}"))))
                .isInstanceOf(UnreadableDocumentException.class);
        assertThatThrownBy(() -> ClusterCidrDocument.decode(KEY + "b", Bytes.ofUtf8(object("", "{}"))))
                .isInstanceOf(UnreadableDocumentException.class);
    }
}
