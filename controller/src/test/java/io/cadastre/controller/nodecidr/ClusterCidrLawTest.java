package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrEngine;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import io.cadastre.engine.nodecidr.clustercidr.NodeSelector;
import io.cadastre.engine.nodecidr.clustercidr.Retirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The law of MultiCIDRRangeAllocator during one term.
class ClusterCidrLawTest {

    private static final ClusterCidr POOL = ClusterCidr.of(
                    "pool", new ClusterCidrSpec(8, "10.10.0.0/16", "", new NodeSelector.Absent()))
            .withFinalizer(true);

    private static void register(ClusterCidrLaw law) {
        var rest = law.takeUntilWrite(ClusterCidrEngine.register(law.view(), POOL));
        assertThat(rest).isEmpty();
    }

    @Test
    void nodeThatFitsNothingFitsAClusterCidrThatComesLater() {
        var old = node("old", 1, "10.10.7.0/24");
        var law = new ClusterCidrLaw(List.of(), List.of(), List.of(old));
        assertThat(law.misfit(old))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("No matching ClusterCIDRs found"));

        register(law);

        assertThat(law.misfit(old)).isEmpty();
        assertThat(ClusterCidrEngine.retire(law.view(), POOL.withTermination()).outcome())
                .isInstanceOf(Retirement.InUse.class);
    }

    @Test
    void cidrThatTwoNodesHaveIsReportedOnce() {
        var law = new ClusterCidrLaw(List.of(), List.of(), List.of());
        register(law);
        law.seen(node("a", 1, "10.10.7.0/24"));

        var first = law.seen(node("b", 2, "10.10.7.0/24"));
        var ofTheOther = law.seen(node("a", 3, "10.10.7.0/24"));
        var again = law.seen(node("b", 4, "10.10.7.0/24"));
        law.gone("b");
        var anew = law.seen(node("b", 5, "10.10.7.0/24"));

        assertThat(first).isPresent();
        assertThat(ofTheOther).isEmpty();
        assertThat(again).isEmpty();
        assertThat(anew).isPresent();
    }

    @Test
    void nodeThatFitsNoneOfTheClusterCidrsStaysAMisfit() {
        var old = node("old", 1, "172.10.0.0/24");
        var law = new ClusterCidrLaw(List.of(), List.of(), List.of());
        law.seen(old);

        register(law);

        assertThat(law.misfit(old)).isPresent();
        law.gone("old");
        assertThat(law.misfit(old)).isEmpty();
    }
}
