package io.cadastre.engine.nodecidr.clustercidr;

import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aCatchAll;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aClusterCidr;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aTerm;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Release;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Reserve;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Chose;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.GivesNothing;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.NoneRemaining;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.Overlapped;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrReason.SelectorMismatch;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.NotAvailable;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Reserved;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterCidrAssignTest {

    @Test
    void candidatesThatWerePassedOverAreNamedWithTheirReasons() {
        var cluster = new ClusterCidrCluster()
                .with(
                        aClusterCidr("others", 8, "10.1.0.0/16", "", labelled("pool=b")),
                        aClusterCidr("going", 8, "10.2.0.0/16", "", labelled("pool=a"))
                                .withTermination(),
                        aClusterCidr("full", 8, "10.3.0.0/24", "", labelled("pool=a")),
                        aClusterCidr("overlapped", 4, "10.3.0.0/26", "", labelled("pool=a")),
                        aCatchAll("rest", 8, "10.4.0.0/16", ""));
        cluster.given(aNode("first", "pool=a"));
        cluster.given(aNode("second", "pool=a"));

        var decision = cluster.assign(aNode("third", "pool=a"));

        var block = Prefix.parse("10.4.1.0/24");
        assertThat(decision.because())
                .containsExactly(
                        new SelectorMismatch("others", "pool in (b)"),
                        new GivesNothing("going"),
                        new NoneRemaining("full", Prefix.parse("10.3.0.0/24")),
                        new Overlapped(
                                "overlapped", Prefix.parse("10.3.0.0/28"), "node first", Prefix.parse("10.3.0.0/24")),
                        new Chose("rest", block, 0));
        assertThat(decision.outcome())
                .isEqualTo(new Reserved(new Reservation("third", "", List.of(block), "rest"), List.of(0)));
    }

    @Test
    void reasonsReadAsSentences() {
        assertThat(new NoneRemaining("full", Prefix.parse("10.3.0.0/24")).sentence())
                .isEqualTo("passed over ClusterCIDR full: CIDR allocation failed; there are no remaining CIDRs left"
                        + " to allocate in the range 10.3.0.0/24");
        assertThat(new Overlapped("a", Prefix.parse("10.0.0.0/28"), "node n", Prefix.parse("10.0.0.0/24")).sentence())
                .isEqualTo("passed over ClusterCIDR a: no block is left, and 10.0.0.0/28 overlaps 10.0.0.0/24 of"
                        + " node n");
        assertThat(new NotAvailable("n").eventMessage()).isEqualTo("Node n status is now: CIDRNotAvailable");
    }

    @Test
    void noBlockOfOneFamilyIsTakenWhenTheOtherHasNone() {
        var cluster = new ClusterCidrCluster()
                .with(aClusterCidr("dual", 8, "10.30.0.0/22", "fd00:30::/120", labelled("p=d")));
        cluster.given(aNode("first", "p=d"));

        var decision = cluster.assign(aNode("second", "p=d"));

        assertThat(decision.outcome()).isEqualTo(new NotAvailable("second"));
        assertThat(decision.changes()).isEmpty();
        assertThat(cluster.used("dual")).containsExactly(1, 1);
    }

    @Test
    @DisplayName("NC-46: all terms of a selector must hold")
    void termsAreAllRequired() {
        var either = new NodeSelector.Terms(List.of(aTerm("zone=a"), aTerm("zone=b")));
        var cluster = new ClusterCidrCluster().with(aClusterCidr("zones", 8, "10.0.0.0/16", "", either));

        var decision = cluster.assign(aNode("n", "zone=a"));

        assertThat(decision.outcome()).isEqualTo(new NotAvailable("n"));
        assertThat(decision.because()).containsExactly(new SelectorMismatch("zones", "zone in (a),zone in (b)"));
    }

    @Test
    void aFieldIsLookedForAmongTheLabels() {
        var byName = new NodeSelector.Terms(List.of(new NodeSelector.Term(
                List.of(), List.of(new SelectorRequirement("metadata.name", "In", List.of("n"))))));
        var cluster = new ClusterCidrCluster().with(aClusterCidr("named", 8, "10.0.0.0/16", "", byName));

        assertThat(cluster.assign(aNode("n")).outcome()).isEqualTo(new NotAvailable("n"));
        assertThat(cluster.given(aNode("other", "metadata.name=n"))).containsExactly("10.0.0.0/24");
    }

    @Test
    void requirementsCompareLabelsAsKubernetesDoes() {
        assertThat(fits("NotIn", "b", "")).isTrue();
        assertThat(fits("NotIn", "b", "k=a")).isTrue();
        assertThat(fits("NotIn", "b", "k=b")).isFalse();
        assertThat(fits("Exists", "", "k=")).isTrue();
        assertThat(fits("Exists", "", "")).isFalse();
        assertThat(fits("DoesNotExist", "", "")).isTrue();
        assertThat(fits("DoesNotExist", "", "k=a")).isFalse();
        assertThat(fits("Gt", "5", "k=6")).isTrue();
        assertThat(fits("Gt", "5", "k=5")).isFalse();
        assertThat(fits("Gt", "5", "k=six")).isFalse();
        assertThat(fits("Gt", "5", "")).isFalse();
        assertThat(fits("Lt", "5", "k=-7")).isTrue();
        assertThat(fits("Lt", "5", "k=5")).isFalse();
    }

    private static boolean fits(String operator, String value, String label) {
        var values = value.isEmpty() ? List.<String>of() : List.of(value);
        var selector = new NodeSelector.Terms(
                List.of(new NodeSelector.Term(List.of(new SelectorRequirement("k", operator, values)), List.of())));
        var cluster = new ClusterCidrCluster().with(aClusterCidr("one", 8, "10.0.0.0/16", "", selector));
        var node = label.isEmpty() ? aNode("n") : aNode("n", label);
        return cluster.assign(node).outcome() instanceof Reserved;
    }

    @Test
    void servicesAreKeptOutOfEveryClusterCidrNoMatterWhenItComes() {
        var cluster = new ClusterCidrCluster("10.0.0.0/24", "fd00:1::/108")
                .with(aClusterCidr("early", 8, "10.0.0.0/16", "fd00:1::/112", labelled("p=early")));
        var refused = cluster.assign(aNode("first", "p=early"));

        cluster.with(
                aClusterCidr("late", 4, "10.0.0.0/16", "", labelled("p=late")),
                aClusterCidr("six", 8, "", "fd00:2::/112", labelled("p=six")));

        assertThat(refused.because())
                .containsExactly(new Overlapped(
                        "early", Prefix.parse("fd00:1::/120"), "the services", Prefix.parse("fd00:1::/108")));
        assertThat(cluster.given(aNode("second", "p=late"))).containsExactly("10.0.1.0/28");
        assertThat(cluster.given(aNode("third", "p=six"))).containsExactly("fd00:2::/120");
    }

    @Test
    void aBlockThatWasGivenBackRestsUntilTheCursorComesRound() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/22", ""));
        cluster.given(aNode("first"));
        cluster.given(aNode("second"));
        cluster.release("first");

        assertThat(cluster.given(aNode("third"))).containsExactly("10.0.2.0/24");
        assertThat(cluster.given(aNode("fourth"))).containsExactly("10.0.3.0/24");
        assertThat(cluster.given(aNode("fifth"))).containsExactly("10.0.0.0/24");
    }

    @Test
    void aNodeLabelledAsTheCatchAllDoesNotTryItTwice() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/24", ""));
        cluster.given(aNode("first"));

        var decision = cluster.assign(aNode("second", "kubernetes.io/clusterCIDR=default"));

        assertThat(decision.because()).containsExactly(new NoneRemaining("all", Prefix.parse("10.0.0.0/24")));
    }

    @Test
    void aNodeThatIsBeingDeletedGetsNothing() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/24", ""));

        var decision = cluster.assign(aNode(new NodeEntry("n", List.of(), true)));

        assertThat(decision.outcome()).isEqualTo(new NodeBlocks.Terminating("n"));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void anotherNodeOfTheNameDoesNotInheritTheBlocks() {
        var cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/16", ""));
        cluster.given(aNode(new NodeEntry("n", List.of(), false, "old")));
        var stale = cluster.assign(aNode(new NodeEntry("n", List.of(), false, "old")));

        var decision = cluster.assign(aNode(new NodeEntry("n", List.of(), false, "new")));

        assertThat(stale.changes()).isEmpty();
        assertThat(decision.changes())
                .containsExactly(
                        new Release(new NodeHold("n", "old", List.of(Prefix.parse("10.0.0.0/24")), "all")),
                        new Reserve(new Reservation("n", "new", List.of(Prefix.parse("10.0.1.0/24")), "all")));
        assertThat(cluster.used("all")).containsExactly(1);
    }
}
