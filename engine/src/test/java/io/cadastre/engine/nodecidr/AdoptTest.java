package io.cadastre.engine.nodecidr;

import static io.cadastre.engine.nodecidr.NodeCidrCluster.aNode;
import static io.cadastre.engine.nodecidr.NodeCidrFlags.forCluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.NodeCidrAssignment.Assigned;
import io.cadastre.engine.nodecidr.NodeCidrChange.GiveCidrs;
import io.cadastre.engine.nodecidr.NodeCidrChange.MoveCursors;
import io.cadastre.engine.nodecidr.NodeCidrRefusal.HeldByNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A node holds CIDRs that the nodes do not know of.
class AdoptTest {

    private static final NodeCidrFlags FLAGS = forCluster("10.244.0.0/16");

    private static Decision<NodeCidrChange, NodeCidrAssignment> adopt(
            NodeCidrCluster cluster, String node, String... cidrs) {
        return NodeCidrEngine.adopt(
                cluster.view(),
                new AddRequest(node),
                List.of(cidrs).stream().map(Prefix::parse).toList());
    }

    @Test
    void nodeIsGivenWhatItHoldsAndRivalsMeetAtTheCursors() {
        var decision = adopt(NodeCidrCluster.of(FLAGS), "a", "10.244.7.0/24");

        assertThat(decision.outcome()).isEqualTo(new Assigned("a", List.of("10.244.7.0/24")));
        assertThat(decision.changes())
                .containsExactly(
                        new MoveCursors(new Cursors(List.of(), 1)),
                        new GiveCidrs("a", List.of(Prefix.parse("10.244.7.0/24"))));
    }

    @Test
    void nodeThatIsKnownToHoldItIsLeftAsItIs() {
        var decision = adopt(NodeCidrCluster.of(FLAGS, aNode("a", "10.244.7.0/24")), "a", "10.244.7.0/24");

        assertThat(decision.outcome()).isEqualTo(new Assigned("a", List.of("10.244.7.0/24")));
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void nodeThatHoldsSomethingElseByNowIsRefused() {
        var decision = adopt(NodeCidrCluster.of(FLAGS, aNode("a", "10.244.1.0/24")), "a", "10.244.7.0/24");

        assertThat(decision.outcome())
                .isEqualTo(new NodeCidrAssignment.Refused(new HeldByNode("a", List.of("10.244.1.0/24"))));
    }

    @Test
    void cidrOfWhichAnotherNodeHoldsAPartIsRefused() {
        var decision = adopt(NodeCidrCluster.of(FLAGS, aNode("b", "10.244.7.128/25")), "a", "10.244.7.0/24");

        assertThat(decision.outcome())
                .isEqualTo(new NodeCidrAssignment.Refused(new HeldByNode("b", List.of("10.244.7.128/25"))));
    }
}
