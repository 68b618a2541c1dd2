package io.cadastre.engine.nodecidr;

import static io.cadastre.engine.nodecidr.NodeCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.NodeCidrReason.AndMore;
import io.cadastre.engine.nodecidr.NodeCidrReason.Filled;
import io.cadastre.engine.nodecidr.NodeCidrReason.HeldTwice;
import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StartTest {

    @Test
    void nodesThatFitDoNotHinderTheStart() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("a", "10.10.0.0/24"), aNode("b"));

        var decision = cluster.start();

        assertThat(decision.outcome()).isEqualTo(new Start.Ready());
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because())
                .containsExactly(new Filled(cluster.view().config().clusters().getFirst(), 1, 256));
    }

    @Test
    @DisplayName("NC-14: a node's CIDR outside of the cluster's stops the start")
    void nc14_foreignCidrStopsTheStart() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("node-1", "172.10.0.0/24"));

        assertThat(refusal(cluster))
                .isEqualTo("failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node:"
                        + " node-1: cidr 172.10.0.0/24 is out the range of cluster cidr"
                        + " 10.10.0.0/16");
    }

    @Test
    @DisplayName("NC-16: a node with more CIDRs than the cluster stops the start")
    void nc16_moreCidrsThanTheClusterStopTheStart() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("node-1", "10.10.0.0/24", "a00::/86"));

        assertThat(refusal(cluster))
                .isEqualTo("node:node-1 has an allocated cidr: a00::/86 at index:1 that does not exist"
                        + " in cluster cidrs configuration");
    }

    @Test
    void anUnreadableCidrStopsTheStartAndTheFirstOfTheNodeIsNamed() {
        var cluster =
                NodeCidrCluster.of(forCluster("10.10.0.0/16,fd00::/48"), aNode("node-1", "10.10.0.0/24", "bogus"));

        assertThat(refusal(cluster)).isEqualTo("failed to parse node node-1, CIDR 10.10.0.0/24");
    }

    @Test
    void cidrsInTheOtherOrderOfFamiliesStopTheStart() {
        var cluster =
                NodeCidrCluster.of(forCluster("10.10.0.0/16,fd00::/48"), aNode("node-1", "fd00::/64", "10.10.0.0/24"));

        assertThat(refusal(cluster))
                .isEqualTo("failed to mark cidr[fd00::/64] at idx [0] as occupied for node: node-1:"
                        + " cidr fd00::/64 is out the range of cluster cidr 10.10.0.0/16");
    }

    @Test
    void theFirstMisfitInTheOrderOfNamesIsTheOneReported() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("b", "172.16.0.0/24"), aNode("a", "bogus"));

        assertThat(refusal(cluster)).isEqualTo("failed to parse node a, CIDR bogus");
    }

    @Test
    void aNodeFromSingleStackTimesFitsADualStackCluster() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16,fd00::/48"), aNode("old", "10.10.0.0/24"));

        assertThat(cluster.start().outcome()).isEqualTo(new Start.Ready());
        assertThat(cluster.given("old")).containsExactly("10.10.0.0/24");
    }

    @Test
    @DisplayName("NC-28: an old spelling with leading zeros is read")
    void nc28_oldSpellingIsRead() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("old", "010.010.000.000/24"));

        assertThat(cluster.start().outcome()).isEqualTo(new Start.Ready());
        assertThat(cluster.view().sets().getFirst().uses(0)).isTrue();
        assertThat(cluster.view().sets().getFirst().usedCount()).isEqualTo(1);
    }

    @Test
    @DisplayName("NC-11: a service range that covers the cluster does not stop the start")
    void nc11_coveringServiceRangeDoesNotStopTheStart() {
        var cluster = NodeCidrCluster.of(forCluster("10.0.0.0/16").withServiceRange("10.0.0.0/12"));

        assertThat(cluster.start().outcome()).isEqualTo(new Start.Ready());
        assertThat(cluster.start().because())
                .extracting(Because::sentence)
                .containsExactly(
                        "service range 10.0.0.0/12 takes 256 of 256 blocks of 10.0.0.0/16, from"
                                + " 10.0.0.0/24 to 10.0.255.0/24",
                        "256 of 256 blocks of 10.0.0.0/16 are used");
    }

    @Test
    void twoNodesWithTheSameAddressesAreReported() {
        var cluster =
                NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("a", "10.10.0.0/23"), aNode("b", "10.10.1.0/24"));

        var decision = cluster.start();

        assertThat(decision.outcome()).isEqualTo(new Start.Ready());
        assertThat(decision.because())
                .extracting(Because::sentence)
                .contains("10.10.1.0-10.10.1.255 of node/b overlaps 10.10.0.0-10.10.1.255 of node/a");
    }

    @Test
    void twoNodesWithTheSameForeignAddressesAreReportedToo() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.10.0.0/16"), aNode("a", "172.16.0.0/24"), aNode("b", "172.16.0.0/24"));

        assertThat(cluster.start().because()).hasAtLeastOneElementOfType(HeldTwice.class);
    }

    @Test
    void ofManyMisfitsSixteenAreNamed() {
        var nodes = new ArrayList<NodeEntry>();
        for (int i = 0; i < 20; i++) {
            nodes.add(aNode("node-" + i, "172.16.%d.0/24".formatted(i)));
        }
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), nodes.toArray(NodeEntry[]::new));

        var decision = cluster.start();

        assertThat(decision.because())
                .hasSize(16 + 2)
                .contains(new AndMore(4))
                .filteredOn(NodeCidrReason.Misfit.class::isInstance)
                .hasSize(16);
    }

    private static String refusal(NodeCidrCluster cluster) {
        return switch (cluster.start().outcome()) {
            case Start.Refused(var refusal) -> refusal.sentence();
            case Start.Ready ready -> throw new AssertionError(ready);
        };
    }
}
