package io.cadastre.engine.nodecidr.clustercidr;

import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aCatchAll;
import static io.cadastre.engine.nodecidr.clustercidr.ClusterCidrCluster.aNode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Confirm;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.GiveBack;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Hold;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrChange.Reserve;
import io.cadastre.engine.nodecidr.clustercidr.NodeBlocks.Reserved;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservationTest {

    private final ClusterCidrCluster cluster = new ClusterCidrCluster().with(aCatchAll("all", 8, "10.0.0.0/22", ""));

    @Test
    void reservedBlocksAreNotGivenToOthers() {
        var first = cluster.reserved(aNode("first"));
        var second = cluster.reserved(aNode("second"));

        assertThat(NodeBlocks.podCidrs(first)).containsExactly("10.0.0.0/24");
        assertThat(NodeBlocks.podCidrs(second)).containsExactly("10.0.1.0/24");
    }

    @Test
    void aNodeThatAsksAgainGetsTheSameReservation() {
        var first = cluster.reserved(aNode("n"));

        var again = cluster.assign(aNode("n"));

        assertThat(again.outcome()).isEqualTo(new Reserved(first, List.of()));
        assertThat(again.changes()).isEmpty();
    }

    @Test
    void releasedBlockIsFreeAndTheCursorStaysBehindIt() {
        var reservation = cluster.reserved(aNode("n"));

        var decision = cluster.giveBack(reservation);

        assertThat(decision.outcome()).isEqualTo(new Freed("n", reservation.blocks(), "all"));
        assertThat(cluster.used("all")).containsExactly(0);
        assertThat(cluster.given(aNode("n"))).containsExactly("10.0.1.0/24");
    }

    @Test
    void givingBackAndConfirmingTwiceIsDoingItOnce() {
        var given = cluster.reserved(aNode("given"));
        var back = cluster.reserved(aNode("back"));
        cluster.confirm(given);
        cluster.giveBack(back);

        assertThat(cluster.confirm(given).changes()).isEmpty();
        assertThat(cluster.giveBack(back).changes()).isEmpty();
        assertThat(cluster.giveBack(given).changes()).isEmpty();
        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void aWriteOfWhichTheReplyWasLostIsConfirmedByTheNode() {
        var reservation = cluster.reserved(aNode("n"));

        var decision = cluster.assign(aNode(NodeEntry.of("n", List.of("10.0.0.0/24"))));

        assertThat(decision.changes()).containsExactly(new Confirm(reservation));
        assertThat(decision.outcome()).isEqualTo(new NodeBlocks.Held(reservation.confirmed()));
        assertThat(cluster.view().reservations()).isEmpty();
    }

    @Test
    void aNodeThatHasOtherCidrsByThenGivesTheReservationBack() {
        var reservation = cluster.reserved(aNode("n"));

        var decision = cluster.assign(aNode(NodeEntry.of("n", List.of("10.0.3.0/24"))));

        var hold = new NodeHold("n", "", List.of(Prefix.parse("10.0.3.0/24")), "all");
        assertThat(decision.changes()).containsExactly(new GiveBack(reservation), new Hold(hold));
        assertThat(cluster.used("all")).containsExactly(1);
    }

    @Test
    void reservationForANodeOutlivesTheNode() {
        var reservation = cluster.reserved(aNode("n"));

        cluster.release("n");

        assertThat(cluster.view().reservations()).containsExactly(reservation);
        assertThat(cluster.given(aNode("other"))).containsExactly("10.0.1.0/24");
    }

    @Test
    void aNodeDeletedBeforeItsWriteIsConfirmedLeavesNothingWhenItIsReleasedAgain() {
        var reservation = cluster.reserved(aNode("n"));
        cluster.release("n");
        cluster.confirm(reservation);

        var decision = cluster.release("n");

        assertThat(decision.outcome()).isEqualTo(new Freed("n", reservation.blocks(), "all"));
        assertThat(cluster.used("all")).containsExactly(0);
    }

    @Test
    void aReservationOfUsedBlocksDoesNotFollowFromTheView() {
        var reservation = cluster.reserved(aNode("n"));
        var rival = new Reservation("rival", "", reservation.blocks(), "all");

        assertThatThrownBy(() -> cluster.view().with(new Reserve(rival)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("10.0.0.0/24 of node rival overlaps");
    }
}
