package io.cadastre.engine.nodecidr.clustercidr;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.CreateObject;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.NotAvailable;
import io.cadastre.engine.nodecidr.clustercidr.Registration.Unusable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What runs of the reference gave. Where it leaked blocks, none may be leaked here.
class MultiCidrVectorsTest {

    static Stream<Arguments> assignments() {
        return MultiCidrVectors.of("vectors");
    }

    @ParameterizedTest(name = "NC-42, {0}")
    @MethodSource("assignments")
    void nodesGetTheBlocksOfTheReference(String id, JsonNode vector) {
        var cluster = new ClusterCidrCluster();
        for (var clusterCidr : vector.get("clusterCIDRs")) {
            cluster.with(MultiCidrVectors.clusterCidr(clusterCidr));
        }

        for (var expected : vector.get("nodes")) {
            var name = expected.get("name").textValue();
            var node = ClusterCidrCluster.aNode(name, labels(expected.get("labels")));
            if (expected.has("error")) {
                var refused = cluster.assign(node).outcome();

                assertThat(refused).as(id).isEqualTo(new NotAvailable(name));
                assertThat(new NotAvailable(name).sentence())
                        .isEqualTo(expected.get("error").textValue());
                assertThat(NotAvailable.EVENT_REASON)
                        .isEqualTo(expected.get("event").textValue());
            } else {
                var given = cluster.given(node);

                assertThat(given).as(id).isEqualTo(MultiCidrVectors.texts(expected.get("podCIDRs")));
                assertThat(cluster.clusterCidrOf(name))
                        .as(id)
                        .isEqualTo(expected.get("clusterCIDR").textValue());
            }
            for (var leaked : MultiCidrVectors.texts(expected.path("leaked"))) {
                assertThat(unused(cluster, leaked)).as("%s: %s", id, leaked).isTrue();
            }
        }
    }

    private static Map<String, String> labels(JsonNode labels) {
        return new ObjectMapper()
                .convertValue(
                        labels,
                        new ObjectMapper()
                                .getTypeFactory()
                                .constructMapType(TreeMap.class, String.class, String.class));
    }

    private static boolean unused(ClusterCidrCluster cluster, String block) {
        return cluster.view().entries().stream()
                .flatMap(entry -> entry.sets().stream())
                .filter(set -> set.reach(Prefix.parse(block)) instanceof Reach.Blocks)
                .noneMatch(set -> set.uses(((Reach.Blocks) set.reach(Prefix.parse(block))).first()));
    }

    static Stream<Arguments> selectorKeys() {
        return MultiCidrVectors.of("selectorKeys");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("selectorKeys")
    void aSelectorIsWrittenAsTheReferenceWritesIt(String id, JsonNode vector) {
        var selector = MultiCidrVectors.selector(vector.get("matchExpressions"));

        assertThat(FlatSelector.of(selector).key())
                .as(id)
                .isEqualTo(vector.get("key").textValue());
    }

    static Stream<Arguments> defaults() {
        return MultiCidrVectors.of("defaultFromFlags");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defaults")
    void theDefaultFollowsFromTheFlags(String id, JsonNode vector) {
        var clusters = new ArrayList<Subdivision>();
        for (int index = 0; index < vector.get("clusterCIDRs").size(); index++) {
            clusters.add(new Subdivision(
                    Prefix.parse(vector.get("clusterCIDRs").get(index).textValue()),
                    vector.get("nodeMasks").get(index).intValue()));
        }
        var config = new NodeCidrConfig(clusters, List.of());

        var decision = ClusterCidrEngine.createDefault(List.of(), config);

        var made = DefaultClusterCidr.of(config);
        assertThat(made.name()).isEqualTo("default-cluster-cidr");
        assertThat(made.spec().perNodeHostBits())
                .as(id)
                .isEqualTo(vector.get("perNodeHostBits").intValue());
        if (vector.get("usable").booleanValue()) {
            assertThat(decision.changes()).containsExactly(new CreateObject(made.withFinalizer(true)));
            assertThat(made.spec().families().stream().map(made.spec()::cidr))
                    .containsExactlyInAnyOrderElementsOf(MultiCidrVectors.texts(vector.get("clusterCIDRs")));
        } else {
            assertThat(decision.changes()).isEmpty();
            assertThat(decision.outcome())
                    .isEqualTo(new Unusable(
                            made.name(),
                            "invalid ClusterCIDR: " + vector.get("error").textValue()));
        }
    }
}
