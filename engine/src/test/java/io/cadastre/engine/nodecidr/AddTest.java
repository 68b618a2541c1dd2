package io.cadastre.engine.nodecidr;

import static io.cadastre.engine.nodecidr.NodeCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.NodeCidrCluster.aTerminatingNode;
import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cadastre.address.Prefix;
import io.cadastre.address.SloppyText;
import io.cadastre.engine.Because;
import io.cadastre.engine.Survey;
import io.cadastre.engine.nodecidr.CidrSet.Reach;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Assigned;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Refused;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrReason.AlreadyHolds;
import io.cadastre.engine.nodecidr.NodeCidrReason.Chose;
import io.cadastre.engine.nodecidr.NodeCidrReason.HeldTwice;
import io.cadastre.engine.nodecidr.NodeCidrReason.Misfit;
import io.cadastre.engine.nodecidr.NodeCidrReason.ServiceRangeTakes;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.Exhausted;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.Terminating;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AddTest {

    static Stream<Arguments> serviceFilter() {
        return CidrSetVectors.of("serviceFilter");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("serviceFilter")
    void blocksOfAServiceRangeAreNotGiven(String id, JsonNode vector) {
        var serviceRange = vector.get("serviceRange").textValue();
        var flags = forCluster(vector.get("cluster").textValue())
                .withMaskSize(vector.get("nodeMask").intValue())
                .withServiceRange(serviceRange);
        var cluster = NodeCidrCluster.of(flags);
        var occupied = vector.get("occupied");
        int count = occupied.isNull()
                ? 0
                : occupied.get(1).intValue() - occupied.get(0).intValue() + 1;

        var decision = cluster.add("first");

        assertThat(NodeCidrView.of(NodeCidrCluster.config(flags), List.of(), Cursors.none())
                        .sets())
                .as(id)
                .singleElement()
                .extracting(CidrSet::usedCount)
                .isEqualTo(count);
        if (!occupied.isNull()) {
            assertThat(decision.because())
                    .contains(new ServiceRangeTakes(
                            SloppyText.parsePrefix(serviceRange).orElseThrow(),
                            CidrSetVectors.cluster(vector),
                            new Reach.Blocks(
                                    occupied.get(0).intValue(), occupied.get(1).intValue())));
        }
        if (vector.has("error")) {
            assertThat(refusal(decision.outcome()))
                    .isEqualTo("failed to allocate cidr from cluster cidr at idx:0: "
                            + vector.get("error").textValue());
        } else {
            assertThat(decision.outcome())
                    .isEqualTo(new Assigned(
                            "first", List.of(vector.get("firstNode").textValue())));
        }
    }

    @Test
    @DisplayName("NC-01: nodes get the blocks one after the other")
    void nc01_nodesGetTheBlocksOneAfterTheOther() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));

        assertThat(cluster.given("a")).containsExactly("10.244.0.0/24");
        assertThat(cluster.given("b")).containsExactly("10.244.1.0/24");
        assertThat(cluster.given("c")).containsExactly("10.244.2.0/24");
    }

    @Test
    void theCursorsAreMovedBeforeTheNodeIsGivenItsBlock() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aNode("a", "10.244.0.0/24"));
        var clusterCidr = cluster.view().config().clusters().getFirst();

        var decision = cluster.add("b");

        assertThat(decision.changes())
                .containsExactly(
                        new MoveCursors(new Cursors(List.of(new Cursors.Cursor(clusterCidr, 2)), 1)),
                        new GiveCidrs("b", List.of(Prefix.parse("10.244.1.0/24"))));
        assertThat(decision.because()).containsExactly(new Chose(Prefix.parse("10.244.1.0/24"), 0, 1, clusterCidr));
        assertThat(decision.because().getFirst().sentence())
                .isEqualTo("chose 10.244.1.0/24 of 10.244.0.0/16: the cursor stood at 10.244.0.0/24"
                        + " and 1 used blocks were skipped");
    }

    @Test
    @DisplayName("NC-02: a block that was given back rests until the cursor comes round")
    void nc02_blockGivenBackRests() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));
        List.of("a", "b", "c").forEach(cluster::given);

        cluster.remove("b");

        assertThat(cluster.given("d")).containsExactly("10.244.3.0/24");
    }

    @Test
    @DisplayName("NC-03: without its cursors a cluster starts at the first free block again")
    void nc03_withoutCursorsTheFirstFreeBlockIsNext() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));
        List.of("a", "b", "c").forEach(cluster::given);
        cluster.remove("b");

        var restarted = cluster.withoutCursors();

        assertThat(restarted.given("d")).containsExactly("10.244.1.0/24");
    }

    @Test
    @DisplayName("NC-04: a dual-stack node gets a block of each family")
    void nc04_dualStackNodeGetsABlockOfEachFamily() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16,fd00:10:244::/56"));

        assertThat(cluster.given("a")).containsExactly("10.244.0.0/24", "fd00:10:244::/64");
    }

    @Test
    @DisplayName("NC-05: the order of the cluster CIDRs is that of the node's")
    void nc05_orderOfTheClusterCidrsIsThatOfTheNodes() {
        var cluster = NodeCidrCluster.of(forCluster("fd00:10:244::/56,10.244.0.0/16"));

        assertThat(cluster.given("a")).containsExactly("fd00:10:244::/64", "10.244.0.0/24");
    }

    @Test
    @DisplayName("NC-06: the first block behind the service range is given")
    void nc06_firstBlockBehindTheServiceRange() {
        var cluster = NodeCidrCluster.of(serviceInFront());

        assertThat(cluster.given("a")).containsExactly("127.123.234.64/30");
    }

    @Test
    @DisplayName("NC-07: the first gap between nodes behind the service range is given")
    void nc07_firstGapBetweenNodes() {
        var cluster = NodeCidrCluster.of(
                serviceInFront(),
                aNode("a", "127.123.234.64/30"),
                aNode("b", "127.123.234.68/30"),
                aNode("c", "127.123.234.72/30"),
                aNode("d", "127.123.234.80/30"));

        assertThat(cluster.given("e")).containsExactly("127.123.234.76/30");
    }

    private static NodeCidrFlags serviceInFront() {
        return forCluster("127.123.234.0/24").withMaskSize(30).withServiceRange("127.123.234.0/26");
    }

    @Test
    @DisplayName("NC-08: a node without CIDRs gets the gap and the others keep theirs")
    void nc08_nodeWithoutCidrsGetsTheGap() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.10.0.0/22"), aNode("n0", "10.10.0.0/24"), aNode("n1", "10.10.2.0/24"), aNode("n2"));

        var decision = cluster.add("n2");

        assertThat(decision.outcome()).isEqualTo(new Assigned("n2", List.of("10.10.1.0/24")));
        assertThat(cluster.view().find("n0")).contains(aNode("n0", "10.10.0.0/24"));
        assertThat(cluster.view().find("n1")).contains(aNode("n1", "10.10.2.0/24"));
    }

    @Test
    @DisplayName("NC-09: with all blocks used the fifth node is refused and nothing changes")
    void nc09_exhaustedClusterRefuses() {
        var cluster = fullWorld();

        var decision = cluster.add("e");

        assertThat(decision.outcome()).isEqualTo(new Refused(new Exhausted("e", 0)));
        assertThat(decision.changes()).isEmpty();
        assertThat(refusal(decision.outcome()))
                .isEqualTo("failed to allocate cidr from cluster cidr at idx:0: CIDR allocation"
                        + " failed; there are no remaining CIDRs left to allocate in the"
                        + " accepted range");
        assertThat(Exhausted.EVENT_REASON).isEqualTo("CIDRNotAvailable");
        assertThat(new Exhausted("e", 0).eventMessage()).isEqualTo("Node e status is now: CIDRNotAvailable");
    }

    @Test
    @DisplayName("NC-10: a block given back serves the node that was refused")
    void nc10_blockGivenBackServesTheRefused() {
        var cluster = fullWorld();
        cluster.add("e");

        cluster.remove("b");

        assertThat(cluster.given("e")).containsExactly("127.123.234.4/30");
    }

    private static NodeCidrCluster fullWorld() {
        return NodeCidrCluster.of(
                forCluster("127.123.234.0/28").withMaskSize(30),
                aNode("a", "127.123.234.0/30"),
                aNode("b", "127.123.234.4/30"),
                aNode("c", "127.123.234.8/30"),
                aNode("d", "127.123.234.12/30"));
    }

    @Test
    @DisplayName("NC-11: a service range that covers the cluster leaves nothing to give")
    void nc11_coveringServiceRangeLeavesNothing() {
        var cluster = NodeCidrCluster.of(forCluster("10.0.0.0/16").withServiceRange("10.0.0.0/12"));

        assertThat(cluster.add("a").outcome()).isEqualTo(new Refused(new Exhausted("a", 0)));
    }

    @Test
    @DisplayName("NC-12: the secondary service range is kept free in the set of its family")
    void nc12_secondaryServiceRangeIsKeptFree() {
        var cluster =
                NodeCidrCluster.of(forCluster("10.0.0.0/16,fd00:1::/48").withServiceRange("10.96.0.0/12,fd00:1::/108"));

        assertThat(cluster.given("a")).containsExactly("10.0.0.0/24", "fd00:1:0:1::/64");
    }

    @Test
    @DisplayName("NC-15: a node that joins with a foreign CIDR is untouched and does not hinder other nodes")
    void nc15_foreignNodeDoesNotHinderOtherNodes() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16")).joinedBy(aNode("alien", "172.10.0.0/24"));

        var decision = cluster.add("a");
        var alien = cluster.add("alien");

        assertThat(decision.outcome()).isEqualTo(new Assigned("a", List.of("10.10.0.0/24")));
        assertThat(decision.because()).hasAtLeastOneElementOfType(Misfit.class);
        assertThat(alien.changes()).isEmpty();
        assertThat(refusal(alien.outcome()))
                .isEqualTo("failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node: alien:"
                        + " cidr 172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16");
        assertThat(cluster.view().find("alien")).contains(aNode("alien", "172.10.0.0/24"));
    }

    @Test
    @DisplayName("NC-17: when one family is exhausted nothing of the other is taken")
    void nc17_exhaustedFamilyTakesNothingOfTheOther() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16,fd00::/64"));
        cluster.given("first");

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThat(cluster.add("second").outcome()).isEqualTo(new Refused(new Exhausted("second", 1)));
        }

        assertThat(cluster.view().sets().getFirst().usedCount()).isEqualTo(1);
        assertThat(cluster.view().sets().getFirst().cursor()).isEqualTo(1);
    }

    @Test
    @DisplayName("NC-23: the block of a node that is being deleted is not given")
    void nc23_blockOfATerminatingNodeIsNotGiven() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aTerminatingNode("going", "10.244.0.0/24"));

        assertThat(cluster.given("new")).containsExactly("10.244.1.0/24");
    }

    @Test
    @DisplayName("NC-24: a node that is being deleted and has no CIDR gets none")
    void nc24_terminatingNodeGetsNothing() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aTerminatingNode("going"));

        var decision = cluster.add("going");

        assertThat(decision.outcome()).isEqualTo(new Refused(new Terminating("going")));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    @DisplayName("NC-27: a node that has CIDRs gets the same answer however often it asks")
    void nc27_askingAgainChangesNothing() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16,fd00::/48"));
        var first = cluster.add("a");
        var before = cluster.view();

        for (int again = 0; again < 1000; again++) {
            var decision = cluster.add("a");

            assertThat(decision.outcome()).isEqualTo(first.outcome());
            assertThat(decision.changes()).isEmpty();
            assertThat(decision.because())
                    .containsExactly(new AlreadyHolds("a", List.of("10.244.0.0/24", "fd00::/64")));
        }

        assertThat(cluster.view()).isEqualTo(before);
    }

    @Test
    void aNodeKeepsTheSpellingOfItsCidr() {
        var cluster = NodeCidrCluster.of(forCluster("10.10.0.0/16"), aNode("old", "010.010.000.000/24"));

        assertThat(cluster.given("old")).containsExactly("010.010.000.000/24");
    }

    @Test
    @DisplayName("NC-29: a bigger CIDR of earlier times uses all blocks inside it")
    void nc29_biggerCidrUsesAllBlocksInside() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aNode("old", "10.244.0.0/22"));

        assertThat(cluster.given("a")).containsExactly("10.244.4.0/24");
    }

    @Test
    @DisplayName("NC-30: a smaller CIDR of earlier times uses the block around it")
    void nc30_smallerCidrUsesTheBlockAround() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/21"), aNode("old", "10.244.7.128/25"));

        for (int i = 0; i < 7; i++) {
            assertThat(cluster.given("node-" + i)).containsExactly("10.244.%d.0/24".formatted(i));
        }
        assertThat(cluster.add("eighth").outcome()).isEqualTo(new Refused(new Exhausted("eighth", 0)));
        cluster.remove("old");
        assertThat(cluster.given("eighth")).containsExactly("10.244.7.0/24");
    }

    @Test
    @DisplayName("NC-39: blocks across the two halves of an IPv6 address")
    void nc39_blocksAcrossTheHalves() {
        var cluster = NodeCidrCluster.of(forCluster("fd00:10::/60").withMaskSize(76));

        assertThat(cluster.given("a")).containsExactly("fd00:10::/76");
        assertThat(cluster.given("b")).containsExactly("fd00:10:0:0:10::/76");
    }

    @Test
    void aCidrAtTheWrongPlaceOfANodesListIsNotGivenToAnother() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.244.0.0/16,fd00::/48"), aNode("crossed", "fd00::/64", "10.244.0.0/24"));

        assertThat(cluster.given("a")).containsExactly("10.244.1.0/24", "fd00:0:0:1::/64");
    }

    @Test
    void anIpv4MappedCidrOfANodeIsNotGivenToAnother() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aNode("mapped", "::ffff:10.244.0.0/120"));

        assertThat(cluster.given("a")).containsExactly("10.244.1.0/24");
    }

    @Test
    void otherMasksOnTheSameClusterNeverOverlap() {
        var coarse = forCluster("10.244.0.0/20").withMaskSize(22);
        var fine = forCluster("10.244.0.0/20").withMaskSize(26);
        var cluster = NodeCidrCluster.of(coarse);
        cluster.given("a");

        var finer = cluster.withFlags(fine);
        finer.given("b");
        var coarser = finer.withFlags(coarse);
        coarser.given("c");

        assertThat(coarser.view().find("a").map(NodeEntry::podCidrs)).contains(List.of("10.244.0.0/22"));
        assertThat(coarser.view().find("b").map(NodeEntry::podCidrs)).contains(List.of("10.244.4.0/26"));
        assertThat(coarser.view().find("c").map(NodeEntry::podCidrs)).contains(List.of("10.244.8.0/22"));
        assertThat(Survey.of(NodeCidrHoldings.of(coarser.view()))).isEmpty();
    }

    @Test
    void nodesThatHoldTheSameAddressesAreReported() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.244.0.0/16"), aNode("a", "10.244.0.0/24"), aNode("b", "10.244.0.0/24"));

        var decision = cluster.add("c");

        assertThat(decision.because()).hasAtLeastOneElementOfType(HeldTwice.class);
        assertThat(decision.because())
                .extracting(Because::sentence)
                .contains("10.244.0.0-10.244.0.255 of node/b overlaps 10.244.0.0-10.244.0.255 of" + " node/a");
    }

    @Test
    void aGiftIsAHoldingOfTheNode() {
        var give = new GiveCidrs("a", List.of(Prefix.parse("10.244.0.0/24")));

        assertThat(give.granted()).singleElement().satisfies(holding -> {
            assertThat(holding.holder()).isEqualTo("node/a");
            assertThat(holding.range()).isEqualTo(Prefix.parse("10.244.0.0/24").range());
        });
        assertThat(give.returned()).isEmpty();
        assertThat(give.sentence()).isEqualTo("give 10.244.0.0/24 to node a");
    }

    private static String refusal(NodeCidrAssignment outcome) {
        return switch (outcome) {
            case Refused(var refusal) -> refusal.sentence();
            case Assigned assigned -> throw new AssertionError(assigned);
        };
    }
}
