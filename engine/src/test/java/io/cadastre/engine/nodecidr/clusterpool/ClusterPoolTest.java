package io.cadastre.engine.nodecidr.clusterpool;

import static io.cadastre.engine.nodecidr.clusterpool.ClusterPoolCluster.family;
import static io.cadastre.engine.nodecidr.clusterpool.ClusterPoolCluster.prefixes;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.PassBy;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WriteError;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WritePodCidrs;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFlags.OfFamily;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolOutcome.Holds;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolOutcome.Ignored;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolOutcome.Parked;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.NotAllKnown;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolReason.PartlyUsed;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The scenarios of cluster-pool, and what they leave open.
class ClusterPoolTest {

    private static final OfFamily LARGE = family(24, "10.0.0.0/8");
    private static final OfFamily IPV6 = family(120, "fd00::/104");

    private static ClusterPoolCluster large() {
        return ClusterPoolCluster.of(LARGE, OfFamily.DISABLED);
    }

    @Test
    void ci01NodesGetBlocksInOrder() {
        var cluster = large().synced();

        cluster.edit("a");
        cluster.edit("b");
        cluster.edit("c");

        assertThat(cluster.podCidrs("a")).containsExactly("10.0.0.0/24");
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.1.0/24");
        assertThat(cluster.podCidrs("c")).containsExactly("10.0.2.0/24");
        assertThat(cluster.error("a")).isEmpty();
    }

    @Test
    void ci02ANodeOfBothFamiliesGetsIpv4First() {
        var cluster = ClusterPoolCluster.dual(LARGE, IPV6).synced();

        cluster.edit("a");

        assertThat(cluster.podCidrs("a")).containsExactly("10.0.0.0/24", "fd00::/120");
    }

    @Test
    void ci03ANodeWithoutCidrsWaitsUntilAllAreKnown() {
        var cluster = large();

        var early = cluster.edit("b");
        cluster.edit("a", "10.0.5.0/24");
        cluster.sync();

        assertThat(early.outcome()).isEqualTo(new Parked("b"));
        assertThat(early.because()).containsExactly(new NotAllKnown("b"));
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.0.0/24");
        assertThat(cluster.podCidrs("a")).containsExactly("10.0.5.0/24");
    }

    @Test
    void ci04ABlockOfADeletedNodeIsGivenAgainWhenTheCursorHasComeRound() {
        var cluster = ClusterPoolCluster.ipv4(26, "10.0.0.0/24").synced();
        cluster.edit("a");
        cluster.edit("b");

        cluster.delete("a");
        cluster.edit("c");
        cluster.edit("d");
        cluster.edit("e");

        assertThat(cluster.podCidrs("c")).containsExactly("10.0.0.128/26");
        assertThat(cluster.podCidrs("d")).containsExactly("10.0.0.192/26");
        assertThat(cluster.podCidrs("e")).containsExactly("10.0.0.0/26");
    }

    @Test
    void ci04ABlockOfADeletedNodeIsGivenAgainAfterARestart() {
        var cluster = large().synced();
        cluster.edit("a");
        cluster.edit("b");
        cluster.delete("a");

        var restarted = cluster.restarted(LARGE, OfFamily.DISABLED);
        restarted.edit("c");

        assertThat(restarted.podCidrs("c")).containsExactly("10.0.0.0/24");
    }

    private static final OfFamily SMALL = family(25, "10.1.0.0/24", "10.2.0.0/24");

    private static ClusterPoolCluster small(int nodes) {
        var cluster = ClusterPoolCluster.of(SMALL, OfFamily.DISABLED).synced();
        for (int node = 1; node <= nodes; node++) {
            cluster.edit("n" + node);
        }
        return cluster;
    }

    @Test
    void ci05ACidrGivesOnceThoseBeforeItAreUsedUp() {
        var cluster = small(3);

        assertThat(cluster.podCidrs("n1")).containsExactly("10.1.0.0/25");
        assertThat(cluster.podCidrs("n2")).containsExactly("10.1.0.128/25");
        assertThat(cluster.podCidrs("n3")).containsExactly("10.2.0.0/25");
    }

    @Test
    void ci06ANodeForWhichNothingIsLeftShowsTheErrorOnce() {
        var cluster = small(4);

        var first = cluster.edit("n5");
        var again = cluster.event("n5");

        assertThat(cluster.podCidrs("n5")).isEmpty();
        assertThat(cluster.error("n5")).isEqualTo("allocator full");
        assertThat(first.changes()).containsExactly(new WriteError("n5", "allocator full"));
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void ci07WithAnotherCidrTheNodeGetsABlockAndItsErrorIsCleared() {
        var cluster = small(5);

        var restarted = cluster.restarted(family(25, "10.1.0.0/24", "10.2.0.0/24", "10.3.0.0/24"), OfFamily.DISABLED);

        assertThat(restarted.podCidrs("n5")).containsExactly("10.3.0.0/25");
        assertThat(restarted.error("n5")).isEmpty();
    }

    @Test
    void ci08OfTwoNodesWithOneCidrTheSecondLosesItAndGetsAFreshOne() {
        var cluster = large();
        cluster.edit("a", "10.0.5.0/24");

        cluster.edit("b", "10.0.5.0/24");
        var stripped = cluster.node("b");
        cluster.sync();
        cluster.event("b");

        assertThat(stripped.podCidrs()).isEmpty();
        assertThat(stripped.error()).isEqualTo("requested CIDR (10.0.5.0/24) is already allocated");
        assertThat(cluster.podCidrs("a")).containsExactly("10.0.5.0/24");
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.0.0/24");
        assertThat(cluster.error("b")).isEmpty();
    }

    @Test
    void ci08InAFullClusterTheSecondNodeLosesItToo() {
        var cluster = ClusterPoolCluster.ipv4(24, "10.0.0.0/24");
        cluster.edit("a", "10.0.0.0/24");

        cluster.edit("b", "10.0.0.0/24");

        assertThat(cluster.podCidrs("b")).isEmpty();
        assertThat(cluster.error("b")).isEqualTo("allocator clusterCIDR: 10.0.0.0/24, nodeMask: 24 full");
    }

    @Test
    void ci09ACidrOutsideIsAnErrorAndStays() {
        var cluster = large();

        cluster.edit("a", "192.168.0.0/24");

        assertThat(cluster.error("a")).isEqualTo("allocator not configured for the requested CIDR 192.168.0.0/24");
        assertThat(cluster.podCidrs("a")).containsExactly("192.168.0.0/24");
        assertThat(cluster.view().nodes()).isEmpty();
    }

    @Test
    void ci10WhatAnEditorWroteIsTakenBackAndTheErrorGoesWithTheNextEvent() {
        var cluster = large().synced();
        cluster.edit("a", "10.0.5.0/24");

        cluster.edit("a", "10.0.6.0/24");
        var shown = cluster.error("a");
        cluster.event("a");

        assertThat(shown)
                .isEqualTo("node has CIDRs allocated ([10.0.5.0/24]) that conflict with requested CIDRs [10.0.6.0/24]");
        assertThat(cluster.podCidrs("a")).containsExactly("10.0.5.0/24");
        assertThat(cluster.error("a")).isEmpty();
    }

    @Test
    void ci11WhatAnEditorTookOutIsWrittenBack() {
        var cluster = large().synced();
        cluster.edit("a", "10.0.5.0/24");

        var decision = cluster.edit("a");

        assertThat(decision.changes()).containsExactly(new WritePodCidrs("a", prefixes("10.0.5.0/24")));
    }

    @Test
    void ci12WithOneFamilyFullNoneIsGivenAndTheCursorOfTheOtherHasMovedOn() {
        var cluster = ClusterPoolCluster.dual(LARGE, family(120, "fd00::/120")).synced();
        cluster.edit("a");

        var refused = cluster.edit("b");
        cluster.delete("a");
        cluster.event("b");

        assertThat(refused.changes())
                .containsExactly(new PassBy(Prefix.parse("10.0.1.0/24")), new WriteError("b", "allocator full"));
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.2.0/24", "fd00::/120");
        assertThat(cluster.error("b")).isEmpty();
    }

    @Test
    void ci13OfTwoFamiliesTheOneThatAnotherNodeHasIsTakenOutAndGivenAnew() {
        var cluster = ClusterPoolCluster.dual(LARGE, IPV6);
        cluster.edit("a", "10.0.0.0/24", "fd00::100/120");

        cluster.edit("b", "10.0.1.0/24", "fd00::100/120");
        var stripped = cluster.node("b");
        cluster.event("b");
        cluster.sync();
        cluster.edit("c");

        assertThat(stripped.podCidrs()).containsExactly("10.0.1.0/24");
        assertThat(stripped.error()).isEqualTo("requested CIDR (fd00::100/120) is already allocated");
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.1.0/24", "fd00::/120");
        assertThat(cluster.error("b")).isEmpty();
        assertThat(cluster.podCidrs("c")).containsExactly("10.0.2.0/24", "fd00::200/120");
    }

    @Test
    void ofTwoFamiliesThatAnotherNodeHasBothAreTakenOut() {
        var cluster = ClusterPoolCluster.dual(LARGE, IPV6).synced();
        cluster.edit("a", "10.0.0.0/24", "fd00::/120");

        cluster.edit("b", "10.0.0.0/24", "fd00::/120");
        var stripped = cluster.podCidrs("b");
        cluster.event("b");

        assertThat(stripped).isEmpty();
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.1.0/24", "fd00::100/120");
    }

    @Test
    void whatAnotherNodeHasIsTakenOutAlsoBesideACidrOutside() {
        var cluster = ClusterPoolCluster.dual(LARGE, IPV6).synced();
        cluster.edit("a", "10.0.0.0/24", "fd00::/120");

        cluster.edit("b", "10.0.0.0/24", "fd99::/120");

        assertThat(cluster.podCidrs("b")).containsExactly("fd99::/120");
        assertThat(cluster.view().held("b")).isEmpty();
    }

    @Test
    void ci15AnIgnoredNodeGetsNothingAndMayBeDeleted() {
        var cluster = large().synced();
        var ignored = new ClusterPoolNode("a", List.of(), "", true);

        var decision = ClusterPoolEngine.upsert(cluster.view(), ignored);

        assertThat(decision.outcome()).isEqualTo(new Ignored("a"));
        assertThat(decision.changes()).isEmpty();
        assertThat(ClusterPoolEngine.delete(cluster.view(), "a").changes()).isEmpty();
    }

    /// Upstream takes a block of the missing family at once, which may be that of a node that it sees later (W4).
    @Test
    void aMissingFamilyWaitsUntilAllNodesAreKnown() {
        var cluster = ClusterPoolCluster.dual(LARGE, IPV6);

        var first = cluster.edit("a", "10.0.0.0/24");
        cluster.edit("b", "10.0.1.0/24", "fd00::/120");
        cluster.sync();

        assertThat(first.outcome()).isEqualTo(new Parked("a"));
        assertThat(cluster.podCidrs("b")).containsExactly("10.0.1.0/24", "fd00::/120");
        assertThat(cluster.podCidrs("a")).containsExactly("10.0.0.0/24", "fd00::100/120");
    }

    @Test
    void aNodeThatIsDeletedWhileItWaitsIsForgotten() {
        var cluster = large();
        cluster.edit("a");

        cluster.delete("a");
        var synced = cluster.sync();

        assertThat(synced.outcome()).isEqualTo(new ClusterPoolOutcome.Synced(List.of()));
    }

    @Test
    void aCidrOfAFamilyThatTheClusterLacksIsAnError() {
        var cluster = large().synced();

        cluster.edit("a", "fd00::/120");

        assertThat(cluster.error("a"))
                .isEqualTo("unable to allocate CIDR [fd00::/120] since allocator for IPv6 addresses does not exist");
    }

    @Test
    void withoutAnyFamilyTheConfigurationIsNamed() {
        var cluster =
                ClusterPoolCluster.of(OfFamily.DISABLED, OfFamily.DISABLED).synced();

        cluster.edit("a", "10.0.0.0/24");

        assertThat(cluster.error("a"))
                .isEqualTo("Unable to allocate node CIDR for node a. IPAMInfo: {IPv4: [10.0.0.0/24], IPv6: []}."
                        + " Please check that your configuration is correct.");
    }

    @Test
    void whatIsNotACidrIsAnErrorAndClaimsNothing() {
        var cluster = large().synced();

        cluster.edit("a", "10.0.0.0/24", "x");

        assertThat(cluster.error("a")).isEqualTo("invalid CIDR address: x");
        assertThat(cluster.view().nodes()).isEmpty();
    }

    @Test
    void aBiggerCidrIsClaimedAlthoughAPartIsUsedAndTheOtherNodeKeepsItsPart() {
        var cluster = large().synced();
        cluster.edit("a", "10.0.1.0/24");

        var big = cluster.edit("b", "10.0.0.0/22");
        cluster.delete("b");
        cluster.edit("c");
        cluster.edit("d");

        assertThat(big.outcome()).isEqualTo(new Holds("b", prefixes("10.0.0.0/22")));
        assertThat(big.because()).containsExactly(new PartlyUsed(Prefix.parse("10.0.0.0/22")));
        assertThat(cluster.podCidrs("c")).containsExactly("10.0.0.0/24");
        assertThat(cluster.podCidrs("d")).containsExactly("10.0.2.0/24");
    }

    @Test
    void anUnchangedNodeIsNotWritten() {
        var cluster = large().synced();
        cluster.edit("a");

        assertThat(cluster.event("a").changes()).isEmpty();
    }
}
