package io.cadastre.engine.nodecidr.cloud;

import static io.cadastre.engine.nodecidr.cloud.CloudNodes.aNode;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.cidrs;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.ranges;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.withNetwork;
import static io.cadastre.engine.nodecidr.cloud.CloudNodes.withoutMachine;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.engine.nodecidr.cloud.CloudChange.OpenNetwork;
import io.cadastre.engine.nodecidr.cloud.CloudChange.PatchCidrs;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Equal;
import io.cadastre.engine.nodecidr.cloud.CloudReason.TooMany;
import io.cadastre.engine.nodecidr.cloud.CloudReason.Unequal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudEngineTest {

    private static final OpenNetwork OPEN = new OpenNetwork("n1", "NodeController create implicit route");

    @Test
    @DisplayName("NC-47: a node without a CIDR gets the alias range, and then its network is open")
    void nc47_nodeGetsTheAliasRange() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.0/24"));

        assertThat(decision.outcome()).isEqualTo(new CloudOutcome.InStep(cidrs("10.8.0.0/24")));
        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24"), OPEN);
        assertThat(decision.because()).containsExactly(new Unequal("n1", List.of(), List.of("10.8.0.0/24")));
        assertThat(OpenNetwork.REASON).isEqualTo("RouteCreated");
    }

    @ParameterizedTest
    @CsvSource({
        "'', '', false, true",
        "10.8.0.0/24, '', false, true",
        "10.8.0.0/24, True, false, true",
        "10.8.0.0/24, Unknown, false, true",
        "10.8.0.0/24, False, true, true",
        "10.8.0.0/24, False, false, false",
        "'', False, false, true",
    })
    void changeConcernsTheAllocatorUntilTheNodeHasACidrAndAnOpenNetwork(
            String podCidr, String networkUnavailable, boolean tainted, boolean concerns) {
        var bare = podCidr.isEmpty() ? aNode("n1") : aNode("n1", podCidr);
        var node = new CloudNode(bare.entry(), bare.providerId(), networkUnavailable, tainted);

        assertThat(CloudEngine.concerns(node)).isEqualTo(concerns);
    }

    @Test
    void nodeWithoutAProviderIdIsRefusedWhateverTheCloudAnswers() {
        var node = withoutMachine(aNode("n1"));

        var decision = CloudEngine.follow(node, ranges("10.8.0.0/24"));

        assertThat(refusal(decision.outcome()).sentence()).isEqualTo("node n1 doesn't have providerID");
        assertThat(refusal(decision.outcome()).event()).isEmpty();
        assertThat(decision.changes()).isEmpty();
        assertThat(CloudEngine.unaskable(node)).isPresent();
        assertThat(CloudEngine.unaskable(aNode("n1"))).isEmpty();
    }

    @Test
    void failureOfTheCloudIsRecordedOnTheNode() {
        var refusal = refusal(CloudEngine.follow(aNode("n1"), new AliasRanges.Failed("the cloud is away"))
                .outcome());

        assertThat(refusal.sentence()).isEqualTo("failed to get cidr(s) from provider: the cloud is away");
        assertThat(refusal.event()).isEqualTo(notAvailable());
    }

    @Test
    void machineThatIsNotThereIsAFailureOfTheCloud() {
        var refusal = refusal(CloudEngine.follow(aNode("n1"), new AliasRanges.NoSuchInstance("there is no machine n1"))
                .outcome());

        assertThat(refusal.sentence()).isEqualTo("failed to get cidr(s) from provider: there is no machine n1");
        assertThat(refusal.event()).isEqualTo(notAvailable());
    }

    @Test
    void machineWithoutAliasRangesIsRecordedOnTheNode() {
        var decision = CloudEngine.follow(aNode("n1"), ranges());

        assertThat(refusal(decision.outcome()).sentence()).isEqualTo("failed to allocate cidr: Node n1 has no CIDRs");
        assertThat(refusal(decision.outcome()).event()).isEqualTo(notAvailable());
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void onlyTheFirstTwoOfMoreAliasRangesCount() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.0/24", "fd00:8::/64", "10.9.0.0/24"));

        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24", "fd00:8::/64"), OPEN);
        assertThat(decision.because()).contains(new TooMany(List.of("10.8.0.0/24", "fd00:8::/64", "10.9.0.0/24"), 2));
    }

    @Test
    void unreadableThirdAliasRangeDoesNotMatter() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.0/24", "fd00:8::/64", "bogus"));

        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24", "fd00:8::/64"), OPEN);
    }

    @Test
    void unreadableAliasRangeIsNamed() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.0/24", "10.9.0.0"));

        assertThat(refusal(decision.outcome()).sentence())
                .isEqualTo("failed to parse strings [10.8.0.0/24 10.9.0.0] as CIDRs: invalid CIDR[1]: <nil>"
                        + " (invalid CIDR address: 10.9.0.0)");
        assertThat(decision.changes()).isEmpty();
    }

    @Test
    void aliasRangeIsWrittenInCanonicalSpelling() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.7/24", "FD00:0008:0::/64"));

        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24", "fd00:8::/64"), OPEN);
    }

    @ParameterizedTest
    @CsvSource({
        "010.8.0.0/24, 10.8.0.0/24",
        "10.8.0.0/24, 10.8.0.0/24",
        "FD00:8::/64, fd00:8:0::/64",
    })
    void nodeThatHasTheSameInAnotherSpellingIsNotPatched(String podCidr, String range) {
        var decision = CloudEngine.follow(aNode("n1", podCidr), ranges(range));

        assertThat(decision.changes()).containsExactly(OPEN);
        assertThat(decision.because()).containsExactly(new Equal("n1", List.of(podCidr)));
    }

    @Test
    void singleAliasRangeIsComparedWithTheFirstCidrOfADualStackNode() {
        var node = aNode("n1", "10.8.0.0/24", "fd00:8::/64");

        assertThat(CloudEngine.follow(node, ranges("10.8.0.0/24")).changes()).containsExactly(OPEN);
        assertThat(CloudEngine.follow(node, ranges("10.9.0.0/24")).changes())
                .containsExactly(patch("10.9.0.0/24"), OPEN);
    }

    @Test
    void otherCidrOfTheNodeIsOverwrittenAsFarAsTheServerLets() {
        var decision = CloudEngine.follow(aNode("n1", "10.7.0.0/24"), ranges("10.8.0.0/24"));

        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24"), OPEN);
        assertThat(decision.because().getFirst().sentence())
                .isEqualTo("PodCIDR being reassigned: node n1 has [10.7.0.0/24] and its machine has [10.8.0.0/24]");
    }

    @ParameterizedTest
    @CsvSource({"bogus, fd00:8::/64", "10.8.0.0/24, bogus"})
    void unreadableCidrOfTheNodeIsOverwritten(String first, String second) {
        var node = aNode("n1", first, second);

        assertThat(CloudEngine.follow(node, ranges("10.8.0.0/24", "fd00:8::/64"))
                        .changes())
                .containsExactly(patch("10.8.0.0/24", "fd00:8::/64"), OPEN);
    }

    @Test
    void secondAliasRangeOfTheOtherFamilyIsGivenToASingleStackNode() {
        var decision = CloudEngine.follow(aNode("n1", "10.8.0.0/24"), ranges("10.8.0.0/24", "fd00:8::/64"));

        assertThat(decision.changes()).containsExactly(patch("10.8.0.0/24", "fd00:8::/64"), OPEN);
    }

    @Test
    void orderOfTheFamiliesIsThatOfTheMachine() {
        var node = aNode("n1", "10.8.0.0/24", "fd00:8::/64");

        assertThat(CloudEngine.follow(node, ranges("fd00:8::/64", "10.8.0.0/24"))
                        .changes())
                .containsExactly(patch("fd00:8::/64", "10.8.0.0/24"), OPEN);
        assertThat(CloudEngine.follow(node, ranges("10.8.0.0/24", "fd00:8::/64"))
                        .changes())
                .containsExactly(OPEN);
    }

    @Test
    void twoAliasRangesOfOneFamilyAreRefused() {
        var held = aNode("n1", "10.8.0.0/24", "fd00:8::/64");

        var refusal = refusal(
                CloudEngine.follow(held, ranges("10.8.0.0/24", "10.9.0.0/24")).outcome());

        assertThat(refusal.sentence()).isEqualTo("err: IPs are not dual stack, CIDRS: [10.8.0.0/24 10.9.0.0/24]");
        assertThat(refusal.event()).isEmpty();
    }

    @Test
    void nodeThatTheServerWouldNotTakeSuchRangesForGetsTheEventAtOnce() {
        var decision = CloudEngine.follow(aNode("n1"), ranges("10.8.0.0/24", "10.9.0.0/24"));

        assertThat(decision.changes()).isEmpty();
        assertThat(refusal(decision.outcome()).event())
                .contains(new CloudEvent(
                        "cidrAllocator", "CIDRAssignmentFailed", "Node n1 status is now: CIDRAssignmentFailed"));
    }

    @Test
    void networkIsOpenedAgainEachTime() {
        var node = withNetwork(aNode("n1", "10.8.0.0/24"));

        assertThat(CloudEngine.follow(node, ranges("10.8.0.0/24")).changes()).containsExactly(OPEN);
    }

    private static PatchCidrs patch(String... podCidrs) {
        return new PatchCidrs("n1", cidrs(podCidrs), PatchCidrs.Form.LIST);
    }

    private static Optional<CloudEvent> notAvailable() {
        return Optional.of(
                new CloudEvent("cidrAllocator", "CIDRNotAvailable", "Node n1 status is now: CIDRNotAvailable"));
    }

    private static CloudRefusal refusal(CloudOutcome outcome) {
        return switch (outcome) {
            case CloudOutcome.Refused(var refusal) -> refusal;
            case CloudOutcome other -> throw new AssertionError("not refused: " + other);
        };
    }
}
