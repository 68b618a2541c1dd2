package io.cadastre.engine.nodecidr.clustercidr;

import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aCatchAll;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aClusterCidr;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.HeldTwice;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Held;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Unmatched;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Unreadable;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterCidrOccupyTest {

    private static LabeledNode holding(String name, List<String> podCidrs, String... labels) {
        return aNode(NodeEntry.of(name, podCidrs), labels);
    }

    @Test
    void theFirstCandidateThatSpansAllCidrsIsTheNodesOwn() {
        var cluster = new ClusterCidrCluster()
                .with(
                        aClusterCidr("best", 8, "10.0.0.0/16", "fd00:1::/112", labelled("p=a", "q=b")),
                        aClusterCidr("second", 8, "10.0.0.0/16", "fd00:2::/112", labelled("p=a")),
                        aCatchAll("rest", 8, "10.0.0.0/8", "fd00:2::/112"));

        var decision = cluster.occupy(holding("n", List.of("10.0.7.0/24", "fd00:2::300/120"), "p=a", "q=b"));

        var hold =
                new NodeHold("n", "", List.of(Prefix.parse("10.0.7.0/24"), Prefix.parse("fd00:2::300/120")), "second");
        assertThat(decision.outcome()).isEqualTo(new Held(hold));
        // No other ClusterCIDR may give these addresses, though the node is not associated with it.
        assertThat(cluster.used("best")).containsExactly(1, 0);
        assertThat(cluster.used("second")).containsExactly(1, 1);
        assertThat(cluster.used("rest")).containsExactly(1, 1);
    }

    @Test
    void aFamilyThatTheCandidateLacksCannotBeOccupied() {
        var cluster = new ClusterCidrCluster().with(aClusterCidr("four", 8, "10.0.0.0/16", "", labelled("p=a")));

        var decision = cluster.occupy(holding("n", List.of("10.0.0.0/24", "fd00::/120"), "p=a"));

        assertThat(decision.outcome()).isEqualTo(new Unmatched("n", List.of("10.0.0.0/24", "fd00::/120")));
    }

    @Test
    @DisplayName("NC-45: a node whose CIDRs match no ClusterCIDR is reported, and its addresses are kept")
    void aNodeWithoutClusterCidrIsReported() {
        var cluster = new ClusterCidrCluster();
        var foreign = holding("n", List.of("10.0.1.0/24", "fd00::/64"));

        var decision = cluster.start(
                List.of(aClusterCidr("others", 8, "10.0.0.0/22", "", labelled("p=other"))
                        .withFinalizer(true)),
                foreign);

        var refusal = new Unmatched("n", List.of("10.0.1.0/24", "fd00::/64"));
        assertThat(decision.outcome().refused()).containsExactly(refusal);
        assertThat(refusal.sentence())
                .isEqualTo("could not occupy cidrs: [10.0.1.0/24 fd00::/64], No matching ClusterCIDRs found");
        assertThat(cluster.given(aNode("a", "p=other"))).containsExactly("10.0.0.0/24");
        assertThat(cluster.given(aNode("b", "p=other"))).containsExactly("10.0.2.0/24");
    }

    @Test
    void aClusterCidrThatComesLaterIsFoundWhenTheNodeIsLookedAtAgain() {
        var cluster = new ClusterCidrCluster();
        var node = holding("n", List.of("10.0.1.0/24"));
        cluster.occupy(node);
        cluster.with(aCatchAll("all", 8, "10.0.0.0/16", ""));

        var decision = cluster.occupy(node);

        assertThat(decision.outcome())
                .isEqualTo(new Held(new NodeHold("n", "", List.of(Prefix.parse("10.0.1.0/24")), "all")));
        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void aLookAtAnUnchangedNodeChangesNothing() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/16", ""));
        var node = holding("n", List.of("10.0.1.0/24"));
        var foreign = holding("foreign", List.of("192.168.0.0/24"));
        cluster.occupy(node);
        cluster.occupy(foreign);

        assertThat(cluster.occupy(node).changes()).isEmpty();
        assertThat(cluster.assign(node).changes()).isEmpty();
        assertThat(cluster.occupy(foreign).changes()).isEmpty();
    }

    @Test
    void anUnreadableCidrIsReportedAndTheOthersAreKept() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/16", ""));

        var decision = cluster.occupy(holding("n", List.of("10.0.0.0/24", "bogus")));

        var refusal = new Unreadable("n", "bogus");
        assertThat(decision.outcome()).isEqualTo(refusal);
        assertThat(refusal.sentence()).isEqualTo("failed to parse CIDR bogus on Node n: invalid CIDR address: bogus");
        assertThat(cluster.given(aNode("other"))).containsExactly("10.0.1.0/24");
    }

    @Test
    void twoNodesWithTheSameAddressesAreNamed() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/16", ""));
        cluster.occupy(holding("one", List.of("10.0.0.0/23")));

        var decision = cluster.occupy(holding("other", List.of("10.0.1.0/24")));

        assertThat(decision.because())
                .contains(new HeldTwice("other", Prefix.parse("10.0.1.0/24"), "one", Prefix.parse("10.0.0.0/23")));
        cluster.release("one");
        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void aCidrBiggerOrSmallerThanABlockUsesTheBlocksThatItTouches() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/16", ""));
        cluster.occupy(holding("small", List.of("10.0.0.128/25")));
        cluster.occupy(holding("half", List.of("10.0.0.0/25")));
        cluster.occupy(holding("big", List.of("10.0.4.0/22")));

        assertThat(cluster.used("all")).containsExactly(5);
        cluster.release("small");
        assertThat(cluster.used("all")).containsExactly(5);
        cluster.release("half");
        cluster.release("big");
        assertThat(cluster.used("all")).containsExactly(0);
    }

    @Test
    void aServiceRangeStaysUsedWhenANodeThatHadItGoes() {
        var cluster = new ClusterCidrCluster("10.0.0.0/24").with(aCatchAll("all", 8, "10.0.0.0/16", ""));
        cluster.occupy(holding("n", List.of("10.0.0.0/23")));
        cluster.release("n");

        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void theClusterCidrOfANodeMayBeTerminatingAtTheStart() {
        var cluster = new ClusterCidrCluster();
        var going = aClusterCidr("going", 8, "10.0.0.0/16", "", labelled("p=a"))
                .withFinalizer(true)
                .withTermination();

        cluster.start(List.of(going), holding("n", List.of("10.0.0.0/24"), "p=a"));

        assertThat(cluster.clusterCidrOf("n")).isEqualTo("going");
        assertThat(cluster.retire(going).outcome()).isEqualTo(new Retirement.InUse("going", 1));
    }
}
