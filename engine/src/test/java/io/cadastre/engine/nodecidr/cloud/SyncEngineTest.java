package io.cadastre.engine.nodecidr.cloud;

import static io.cadastre.engine.nodecidr.cloud.CloudNodes.aNode;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.cidrs;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.config;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.ranges;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.view;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.withNetwork;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.withoutMachine;
import static io.cadastre.engine.nodecidr.cloud.SyncMode.FROM_CLOUD;
import static io.cadastre.engine.nodecidr.cloud.SyncMode.FROM_CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.cloud.CloudChange.AddAlias;
import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudReason.ChosenBefore;
import io.cadastre.engine.nodecidr.cloud.CloudReason.HeldToo;
import io.cadastre.engine.nodecidr.cloud.CloudReason.TooMany;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SyncEngineTest {

    private static final String CLUSTER = "10.1.0.0/16";
    private static final OpenNetwork OPEN = new OpenNetwork("n1", "NodeController created an implicit route");

    @Test
    @DisplayName("no CIDR, no alias, from cluster: a block is chosen, added to the machine, and given to the node")
    void blockIsChosen() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.1.0/24")));
        assertThat(step.decision().changes()).containsExactly(add("10.1.1.0/24"), patch("10.1.1.0/24"), OPEN);
        assertThat(step.after().findReserved("n1")).contains(Prefix.parse("10.1.1.0/24"));
    }

    @Test
    @DisplayName("NC-48: no CIDR, no alias, from cloud: wrong mode")
    void nc48_nothingToCopyFromTheCloud() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges());

        assertWrongMode(
                step,
                "controller cannot allocate CIDRS in mode \"SyncFromCloud\"",
                "Cannot allocate CIDRs in mode \"SyncFromCloud\"");
    }

    @Test
    @DisplayName("no CIDR, alias, from cluster: wrong mode")
    void aliasThatTheClusterDidNotChoose() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges("10.1.7.0/24"));

        assertWrongMode(
                step,
                "cannot sync from cloud in mode \"SyncFromCluster\"",
                "Cannot sync from cloud in mode \"SyncFromCluster\"");
    }

    @Test
    @DisplayName("no CIDR, alias, from cloud: the alias is given to the node")
    void aliasIsGivenToTheNode() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges("10.1.7.0/24"));

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.7.0/24")));
        assertThat(step.decision().changes()).containsExactly(patch("10.1.7.0/24"), OPEN);
        assertThat(step.after().set().uses(7)).isTrue();
    }

    @Test
    @DisplayName("CIDR, no alias, from cluster: the CIDR is added to the machine")
    void cidrIsAddedToTheMachine() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1", "10.1.7.0/24"), ranges());

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.7.0/24")));
        assertThat(step.decision().changes()).containsExactly(add("10.1.7.0/24"), OPEN);
        assertThat(step.after().set().uses(7)).isTrue();
    }

    @Test
    @DisplayName("CIDR, no alias, from cloud: wrong mode")
    void cidrThatTheCloudDidNotChoose() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1", "10.1.7.0/24"), ranges());

        assertWrongMode(
                step,
                "cannot sync to cloud in mode \"SyncFromCloud\"",
                "Cannot sync to cloud in mode \"SyncFromCloud\"");
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    @DisplayName("CIDR and the same alias: nothing to do")
    void sameOnBothSides(SyncMode mode) {
        var step = SyncEngine.sync(view(mode, CLUSTER), withNetwork(aNode("n1", "10.1.7.0/24")), ranges("10.1.7.0/24"));

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.7.0/24")));
        assertThat(step.decision().changes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    @DisplayName("CIDR and another alias: an event, and no error")
    void differentOnBothSides(SyncMode mode) {
        var step = SyncEngine.sync(view(mode, CLUSTER), aNode("n1", "10.1.7.0/24"), ranges("192.168.0.0/24"));

        assertThat(step.decision().outcome())
                .isEqualTo(new CloudOutcome.Mismatched(new CloudEvent(
                        "cloudCIDRAllocator",
                        "CloudCIDRAllocatorMismatch",
                        "Node.Spec.PodCIDR != cloud alias (10.1.7.0/24 != 192.168.0.0/24)")));
        assertThat(step.decision().changes()).isEmpty();
    }

    @Test
    void networkThatAnInterruptedAttemptLeftShutIsOpened() {
        for (var view : List.of(
                SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges("10.1.7.0/24"))
                        .after(),
                SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1", "10.1.7.0/24"), ranges())
                        .after())) {
            var node = aNode("n1", "10.1.7.0/24");

            var step = SyncEngine.sync(view.seeing(node), node, ranges("10.1.7.0/24"));
            var next = SyncEngine.sync(step.after().finished("n1"), node, ranges("10.1.7.0/24"));

            assertThat(step.decision().changes()).containsExactly(OPEN);
            assertThat(next.decision().changes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void networkThatAnotherShutIsLeftShut(SyncMode mode) {
        var node = aNode("n1", "10.1.7.0/24");

        var step = SyncEngine.sync(view(mode, CLUSTER, node), node, ranges("10.1.7.0/24"));

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.7.0/24")));
        assertThat(step.decision().changes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SyncMode.class)
    void sameCidrInAnotherSpellingIsTheSame(SyncMode mode) {
        var step =
                SyncEngine.sync(view(mode, CLUSTER), withNetwork(aNode("n1", "010.1.7.0/24")), ranges("10.1.7.5/24"));

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.7.0/24")));
    }

    @Test
    void firstOfSeveralAliasesCounts() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges("10.1.7.0/24", "10.1.8.0/24"));

        assertThat(step.decision().changes()).containsExactly(patch("10.1.7.0/24"), OPEN);
        assertThat(step.decision().because()).contains(new TooMany(List.of("10.1.7.0/24", "10.1.8.0/24"), 1));
    }

    @ParameterizedTest
    @CsvSource({"FROM_CLUSTER", "FROM_CLOUD"})
    void failureOfTheCloudIsAnErrorWithoutAnEvent(SyncMode mode) {
        for (AliasRanges answer :
                List.of(new AliasRanges.Failed("no answer"), new AliasRanges.NoSuchInstance("no answer"))) {
            var step = SyncEngine.sync(view(mode, CLUSTER), aNode("n1"), answer);

            assertThat(refusal(step).sentence()).isEqualTo("no answer");
            assertThat(refusal(step).event()).isEmpty();
            assertThat(step.decision().changes()).isEmpty();
        }
    }

    @Test
    void nodeWithoutAProviderIdIsRefused() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), withoutMachine(aNode("n1")), ranges());

        assertThat(refusal(step).sentence()).isEqualTo("node n1 doesn't have providerID");
    }

    @Test
    void unreadableAliasIsRefused() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges("bogus"));

        assertThat(refusal(step).sentence()).isEqualTo("invalid CIDR address: bogus");
    }

    @Test
    void unreadableCidrOfTheNodeIsNotAddedToTheMachine() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1", "bogus"), ranges());

        assertThat(refusal(step).sentence()).isEqualTo("invalid CIDR address: bogus");
    }

    @Test
    void unreadableCidrOfTheNodeDiffersFromEveryAlias() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1", "bogus"), ranges("10.1.7.0/24"));

        assertThat(step.decision().outcome()).isInstanceOf(CloudOutcome.Mismatched.class);
    }

    @Test
    void aliasOutsideOfTheClusterIsNotGivenToTheNode() {
        var step = SyncEngine.sync(view(FROM_CLOUD, CLUSTER), aNode("n1"), ranges("192.168.0.0/24"));

        assertThat(refusal(step).sentence())
                .isEqualTo("cidr 192.168.0.0/24 is out the range of cluster cidr 10.1.0.0/16");
        assertThat(step.decision().changes()).isEmpty();
    }

    @Test
    void cidrOutsideOfTheClusterIsNotAddedToTheMachine() {
        var step = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1", "192.168.0.0/24"), ranges());

        assertThat(refusal(step).sentence())
                .isEqualTo("cidr 192.168.0.0/24 is out the range of cluster cidr 10.1.0.0/16");
    }

    @Test
    void clusterWithoutAFreeBlockIsAnError() {
        var view = view(FROM_CLUSTER, "10.1.0.0/24", aNode("other", "10.1.0.0/24"));

        var step = SyncEngine.sync(view, aNode("n1"), ranges());

        assertThat(refusal(step).sentence())
                .isEqualTo("CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted"
                        + " range");
    }

    @Test
    void nextAttemptTakesTheBlockOfTheOneBefore() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        var second = SyncEngine.sync(first.after(), aNode("n1"), ranges());

        assertThat(second.decision().changes()).isEqualTo(first.decision().changes());
        assertThat(second.decision().because()).containsExactly(new ChosenBefore("n1", Prefix.parse("10.1.1.0/24")));
    }

    @Test
    void aliasThatAnInterruptedAttemptAddedIsGivenToTheNode() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        var second = SyncEngine.sync(first.after(), aNode("n1"), ranges("10.1.1.0/24"));

        assertThat(second.decision().changes()).containsExactly(patch("10.1.1.0/24"), OPEN);
    }

    @Test
    void blockOfOneNodeIsNotGivenToAnotherBeforeItArrived() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        var other = SyncEngine.sync(first.after(), aNode("n2"), ranges());

        assertThat(other.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.2.0/24")));
    }

    @Test
    void blockThatTheCloudRefusedIsFreeAndTheNextAttemptTakesAnother() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());
        var refused = first.after().withoutReservation(aNode("n1"));

        var second = SyncEngine.sync(refused, aNode("n1"), ranges());

        assertThat(refused.set().uses(1)).isFalse();
        assertThat(second.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.2.0/24")));
    }

    @Test
    void reservationEndsWhenAllIsWrittenAndTheNodeHasTheBlock() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges())
                .after();
        var node = aNode("n1", "10.1.1.0/24");

        var written = first.finished("n1");
        var seen = written.seeing(node);

        assertThat(first.seeing(node).findReserved("n1")).isPresent();
        assertThat(written.seeing(aNode("n1")).findReserved("n1")).isPresent();
        assertThat(seen.findReserved("n1")).isEmpty();
        assertThat(seen.set().uses(1)).isTrue();
    }

    @Test
    void reservationStaysWhenTheNodeHasSomethingElse() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        var seen = first.after().seeing(aNode("n1", "10.1.9.0/24"));

        assertThat(seen.set().uses(1)).isTrue();
        assertThat(seen.set().uses(9)).isTrue();
    }

    @Test
    void deletedNodeGivesItsBlockBack() {
        var node = aNode("n1", "10.1.7.0/24");
        var view = view(FROM_CLUSTER, CLUSTER, node);

        var forgotten = SyncEngine.forget(view, node);

        assertThat(view.set().uses(7)).isTrue();
        assertThat(forgotten.after().set().uses(7)).isFalse();
        assertThat(forgotten.events()).isEmpty();
    }

    @Test
    void deletedNodeGivesBackWhatWasReservedForIt() {
        var first = SyncEngine.sync(view(FROM_CLUSTER, CLUSTER), aNode("n1"), ranges());

        var forgotten = SyncEngine.forget(first.after(), aNode("n1"));

        assertThat(forgotten.after().set().usedCount()).isZero();
        assertThat(forgotten.events()).isEmpty();
    }

    @Test
    void deletedNodeWithAnUnreadableCidrIsRecorded() {
        var view = view(FROM_CLUSTER, CLUSTER);

        var forgotten = SyncEngine.forget(view, aNode("n1", "10.1.7.0/\"x\""));

        assertThat(forgotten.events())
                .containsExactly(new CloudEvent(
                        "cloudCIDRAllocator",
                        "CloudCIDRAllocatorInvalidPodCIDR",
                        "Node \"n1\" has an invalid PodCIDR: \"10.1.7.0/\\\"x\\\"\""));
    }

    @Test
    void blockThatTwoNodesHoldIsUsedUntilBothAreGone() {
        var a = aNode("a", "10.1.7.0/25");
        var b = aNode("b", "10.1.7.128/25");
        var view = view(FROM_CLUSTER, CLUSTER, a, b);

        var withoutA = SyncEngine.forget(view, a).after();

        assertThat(withoutA.set().uses(7)).isTrue();
        assertThat(SyncEngine.forget(withoutA, b).after().set().uses(7)).isFalse();
    }

    @Test
    void nodeThatGetsWhatAnotherHoldsIsServedAndTheOtherIsNamed() {
        var view = view(FROM_CLOUD, CLUSTER, aNode("old", "10.1.7.0/24"));

        var step = SyncEngine.sync(view, aNode("n1"), ranges("10.1.7.0/24"));

        assertThat(step.decision().changes()).containsExactly(patch("10.1.7.0/24"), OPEN);
        assertThat(step.decision().because()).contains(new HeldToo("old", "10.1.7.0/24"));
    }

    @Test
    void serviceRangeIsNotGiven() {
        var ready = (SyncView.Beginning.Ready) SyncView.begin(FROM_CLUSTER, config(CLUSTER, "10.1.0.0/22"), List.of());

        var step = SyncEngine.sync(ready.view(), aNode("n1"), ranges());

        assertThat(step.decision().outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.1.5.0/24")));
    }

    @Test
    void modeDoesNotBeginWhereServiceRangesLeaveNothing() {
        var beginning = SyncView.begin(FROM_CLUSTER, config(CLUSTER, "10.0.0.0/12"), List.of());

        assertThat(((SyncView.Beginning.Refused) beginning).sentence())
                .isEqualTo("failed after occupy serviceCIDR: CIDR allocation failed; there are no remaining CIDRs left"
                        + " to allocate in the accepted range");
    }

    @Test
    void modeBeginsBesideNodesThatDoNotFit() {
        var view = view(FROM_CLUSTER, CLUSTER, aNode("a", "bogus"), aNode("b", "192.168.0.0/24"), aNode("c"));

        assertThat(view.set().usedCount()).isZero();
        assertThat(SyncEngine.sync(view, aNode("n1"), ranges()).decision().outcome())
                .isEqualTo(new CloudOutcome.InStep(cidrs("10.1.1.0/24")));
    }

    private static AddAlias add(String cidr) {
        return new AddAlias("n1", "gce://p/z/n1", Prefix.parse(cidr));
    }

    private static PatchCidrs patch(String cidr) {
        return new PatchCidrs("n1", cidrs(cidr), PatchCidrs.Form.FIRST_ONLY);
    }

    private static void assertWrongMode(SyncEngine.Step step, String error, String message) {
        assertThat(refusal(step).sentence()).isEqualTo(error);
        assertThat(refusal(step).event())
                .isEqualTo(Optional.of(new CloudEvent("cloudCIDRAllocator", "CloudCIDRAllocatorInvalidMode", message)));
        assertThat(step.decision().changes()).isEmpty();
    }

    private static CloudRefusal refusal(SyncEngine.Step step) {
        return switch (step.decision().outcome()) {
            case CloudOutcome.Refused(var refusal) -> refusal;
            case CloudOutcome other -> throw new AssertionError("not refused: " + other);
        };
    }
}
