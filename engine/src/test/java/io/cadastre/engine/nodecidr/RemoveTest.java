package io.cadastre.engine.nodecidr;

import static io.cadastre.engine.nodecidr.NodeCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.TakeBack;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.NoSuchNode;
import io.cadastre.engine.nodecidr.Removal.Removed;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemoveTest {

    @Test
    void aRemovedNodeGivesBackAllItHolds() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16,fd00::/48"));
        cluster.given("a");

        var decision = cluster.remove("a");

        assertThat(decision.outcome()).isEqualTo(new Removed("a", List.of("10.244.0.0/24", "fd00::/64")));
        assertThat(decision.changes())
                .containsExactly(new TakeBack("a", List.of(Prefix.parse("10.244.0.0/24"), Prefix.parse("fd00::/64"))));
        assertThat(decision.changes().getFirst().returned()).hasSize(2);
        assertThat(decision.because()).isEmpty();
        assertThat(cluster.view().nodes()).isEmpty();
        assertThat(cluster.view().sets()).extracting(CidrSet::usedCount).containsExactly(0, 0);
        assertThat(cluster.view().sets()).extracting(CidrSet::cursor).containsExactly(1, 1);
    }

    @Test
    void anUnknownNodeIsRefused() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));

        var decision = cluster.remove("ghost");

        assertThat(decision.outcome()).isEqualTo(new Removal.Refused(new NoSuchNode("ghost")));
        assertThat(new NoSuchNode("ghost").sentence()).isEqualTo("there is no node ghost");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void aNodeThatWasBroughtAboutAgainIsLeftAloneByAnOldRemoval() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));
        cluster.given("a");
        var removal =
                new RemoveRequest("a", cluster.view().find("a").orElseThrow().uid());
        cluster.remove("a");
        cluster.given("a");

        var decision = NodeCidrEngine.remove(cluster.view(), removal);

        assertThat(decision.outcome()).isEqualTo(new Removed("a", List.of()));
        assertThat(decision.changes()).isEmpty();
        assertThat(decision.because()).containsExactly(new NodeCidrReason.AlreadyGone("a", removal.uid()));
    }

    @Test
    void aRemovalThatIsAskedTwiceIsServedOnce() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"));
        cluster.given("a");
        var removal =
                new RemoveRequest("a", cluster.view().find("a").orElseThrow().uid());
        cluster.remove("a");

        var decision = NodeCidrEngine.remove(cluster.view(), removal);

        assertThat(decision.outcome()).isEqualTo(new Removed("a", List.of()));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void aNodeThatHoldsNothingIsRemovedAllTheSame() {
        var cluster = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aNode("bare"));

        var decision = cluster.remove("bare");

        assertThat(decision.outcome()).isEqualTo(new Removed("bare", List.of()));
        assertThat(cluster.view().nodes()).isEmpty();
    }

    @Test
    @DisplayName("NC-31: a block of which another node holds a half stays used")
    void nc31_blockOfWhichAnotherHoldsAHalfStaysUsed() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.244.0.0/21"), aNode("left", "10.244.7.0/25"), aNode("right", "10.244.7.128/25"));

        var first = cluster.remove("left");
        boolean usedBetween = cluster.view().sets().getFirst().uses(7);
        var second = cluster.remove("right");

        assertThat(first.because())
                .extracting(Because::sentence)
                .containsExactly("1 blocks of 10.244.0.0/21 that 10.244.7.0/25 touched stay used: a node or"
                        + " a service range holds a part of them");
        assertThat(usedBetween).isTrue();
        assertThat(second.because()).isEmpty();
        assertThat(cluster.view().sets().getFirst().uses(7)).isFalse();
    }

    @Test
    void aBlockOfTheServiceRangeStaysUsedWhenANodeThatHeldItGoes() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.0.0.0/16").withServiceRange("10.0.0.0/20"), aNode("intruder", "10.0.3.0/24"));

        var decision = cluster.remove("intruder");

        assertThat(decision.because()).hasSize(1);
        assertThat(cluster.view().sets().getFirst().uses(3)).isTrue();
        assertThat(cluster.given("a")).containsExactly("10.0.16.0/24");
    }

    @Test
    void aMisfitCanBeRemoved() {
        var cluster = NodeCidrCluster.of(
                forCluster("10.244.0.0/16"), aNode("alien", "172.16.0.0/24", "bogus"), aNode("a", "10.244.0.0/24"));

        var decision = cluster.remove("alien");

        assertThat(decision.outcome()).isEqualTo(new Removed("alien", List.of("172.16.0.0/24", "bogus")));
        assertThat(cluster.view().misfits()).isEmpty();
        assertThat(cluster.view().sets().getFirst().usedCount()).isEqualTo(1);
    }

    @Test
    void aChangeThatDoesNotFollowFromTheViewIsABug() {
        var view = NodeCidrCluster.of(forCluster("10.244.0.0/16"), aNode("a", "10.244.0.0/24"))
                .view();
        var block = List.of(Prefix.parse("10.244.1.0/24"));

        assertThatIllegalStateException().isThrownBy(() -> view.with(new GiveCidrs("a", block)));
        assertThatIllegalStateException().isThrownBy(() -> view.with(new TakeBack("ghost", block)));
    }
}
