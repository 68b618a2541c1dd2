package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static io.cadastre.controller.nodecidr.KnownNodes.node;
import static io.cadastre.controller.nodecidr.KnownNodes.nodeWithUid;
import static io.cadastre.controller.nodecidr.KnownNodes.terminating;
import static io.cadastre.controller.nodecidr.LateWrites.LATE_WRITE_MAX;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.controller.nodecidr.NodeCidrTerm.Step;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidr;
import io.cadastre.engine.nodecidr.clustercidr.ClusterCidrSpec;
import io.cadastre.engine.nodecidr.clustercidr.NodeSelector;
import io.cadastre.engine.nodecidr.clustercidr.SelectorRequirement;
import io.cadastre.wire.kubernetes.NodeObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of a block while writes, their answers and what the watch shows come in any order.
class NodeCidrTermTest {

    private static final String BLOCK_0 = "10.244.0.0/24";
    private static final String BLOCK_1 = "10.244.1.0/24";
    private static final String BLOCK_2 = "10.244.2.0/24";
    private static final String BLOCK_3 = "10.244.3.0/24";

    /// A stopwatch may pass the largest number.
    private static final long NOW = Long.MAX_VALUE - 1;

    private static final long LATE_WRITE_NANOS = LATE_WRITE_MAX.toNanos();

    private final Map<String, NodeObject> nodes = new HashMap<>();
    private final LateWrites lateWrites = new LateWrites();

    /// Of four blocks.
    private final NodeCidrTerm term =
            new NodeCidrTerm(new RangeLaw(cluster("10.244.0.0/22"), List.of()), nodes, lateWrites);

    /// What is being written to each Node.
    private final Map<String, List<Prefix>> writes = new HashMap<>();

    private void seen(NodeObject node) {
        nodes.put(node.name(), node);
        var _ = term.seen(node);
    }

    private void gone(String name, long revision) {
        nodes.remove(name);
        term.gone(name, revision);
    }

    /// The CIDRs that are written to the Node from now on; empty if nothing is.
    private List<String> begun(String name) {
        if (term.next(name, NOW) instanceof Step.Write write) {
            writes.put(name, write.cidrs());
            return write.cidrs().stream().map(Prefix::toString).toList();
        }
        return List.of();
    }

    private void done(String name, long revision) {
        term.written(name, revision);
        end(name, NOW);
    }

    /// The server refused the write, or knows no such Node.
    private void refused(String name) {
        term.notWritten(name);
        end(name, NOW);
    }

    /// The answer was lost at this time, and the Node has no CIDRs or cannot be read.
    private void lost(String name, long nanos) {
        lateWrites.lose(name, writing(name), nanos);
        term.notWritten(name);
        end(name, nanos);
    }

    private void end(String name, long nanos) {
        lateWrites.end(name, writing(name));
        term.expire(name, nanos);
    }

    private List<Prefix> writing(String name) {
        return writes.getOrDefault(name, List.of());
    }

    /// A new Node gets this block now, and keeps it.
    private void assertNextBlockIs(String block) {
        seen(node("next-" + block, 1));
        assertThat(begun("next-" + block)).containsExactly(block);
    }

    private void assertAllBlocksUsed() {
        seen(node("one-more", 1));
        assertThat(term.next("one-more", NOW)).isInstanceOf(Step.Exhausted.class);
    }

    @Test
    void blockIsReservedUntilTheWatchShowsIt() {
        seen(node("a", 1));

        assertThat(begun("a")).containsExactly(BLOCK_0);
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
        done("a", 10);
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
        seen(node("a", 10, BLOCK_0));

        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_1);
    }

    @Test
    void whatTheWatchShowsFromBeforeTheOwnWriteFreesNothing() {
        seen(node("a", 1));
        var _ = begun("a");
        seen(node("a", 3));
        done("a", 10);

        seen(node("a", 7));

        assertThat(term.law().usedCount()).isEqualTo(1);
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
    }

    /// The Node had them before it was deleted and made anew under its name.
    @Test
    void otherCidrsFromBeforeTheOwnWriteFreeNothing() {
        seen(node("a", 1));
        var _ = begun("a");
        done("a", 10);

        seen(node("a", 7, BLOCK_3));

        assertNextBlockIs(BLOCK_1);
        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_3);
        assertAllBlocksUsed();
    }

    @Test
    void answerMayComeAfterTheWatchHasShownTheWrite() {
        seen(node("a", 1));
        var _ = begun("a");

        seen(node("a", 10, BLOCK_0));
        done("a", 10);
        assertThat(term.law().usedCount()).isEqualTo(1);
        gone("a", 11);

        assertThat(term.law().usedCount()).isZero();
    }

    @Test
    void deletionAfterTheOwnWriteFreesTheBlock() {
        seen(node("a", 1));
        var _ = begun("a");
        done("a", 10);

        gone("a", 12);

        assertThat(term.law().usedCount()).isZero();
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
    }

    @Test
    void deletionBeforeTheOwnWriteFreesNothingSinceTheWriteWentToANewNodeOfThatName() {
        seen(node("a", 1));
        var _ = begun("a");
        done("a", 10);

        gone("a", 8);
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Look("a"));
        seen(node("a", 9));
        assertThat(term.law().usedCount()).isEqualTo(1);
        seen(node("a", 10, BLOCK_0));
        assertThat(term.law().usedCount()).isEqualTo(1);
        gone("a", 20);

        assertThat(term.law().usedCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        # the revision of the write | what is used of it
        7,  0
        10, 1
        """)
    void deletionDuringAWriteIsJudgedWhenTheWriteHasEnded(long revision, long used) {
        seen(node("a", 1));
        var _ = begun("a");

        gone("a", 8);
        assertThat(term.law().usedCount()).isEqualTo(1);
        done("a", revision);

        assertThat(term.law().usedCount()).isEqualTo(used);
    }

    @Test
    void nodeThatWasDeletedBeforeTheWriteFreesTheBlockWhenTheWriteHasEnded() {
        seen(node("a", 1));
        var _ = begun("a");

        gone("a", 8);
        refused("a");

        assertThat(term.law().usedCount()).isZero();
        assertThat(term.next("a", NOW)).isEqualTo(new Step.Nothing());
    }

    @Test
    void nodeMadeAnewDuringTheWriteIsGivenAnotherBlock() {
        seen(node("a", 1));
        var _ = begun("a");
        gone("a", 8);
        seen(node("a", 9));

        refused("a");

        assertThat(term.law().usedCount()).isZero();
        assertThat(begun("a")).containsExactly(BLOCK_1);
    }

    @Test
    void refusedBlockIsFreeAndTheNextAttemptTakesTheNextOne() {
        seen(node("a", 1));
        var _ = begun("a");

        refused("a");

        assertThat(term.law().usedCount()).isZero();
        assertThat(begun("a")).containsExactly(BLOCK_1);
    }

    @Test
    void otherCidrsThatAppearDuringAWriteKeepTheReservedBlockUntilTheWriteHasEnded() {
        seen(node("a", 1));
        var _ = begun("a");

        seen(node("a", 5, BLOCK_3));
        assertThat(term.law().usedCount()).isEqualTo(2);
        refused("a");

        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_1);
        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_0);
        assertAllBlocksUsed();
    }

    /// The Node with the others was deleted, and the write went to its successor.
    @Test
    void otherCidrsThatAppearDuringAWriteThatSucceedsKeepTheReservedBlock() {
        seen(node("a", 1));
        var _ = begun("a");

        seen(node("a", 5, BLOCK_3));
        done("a", 10);
        gone("a", 8);
        seen(node("a", 9));
        seen(node("a", 10, BLOCK_0));

        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_1);
    }

    @Test
    void unansweredWriteHoldsItsBlockForTwoMinutesAndTheNodeIsGivenTheNextOne() {
        seen(node("a", 1));
        var _ = begun("a");

        lost("a", NOW);
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertThat(begun("a")).containsExactly(BLOCK_1);
        done("a", 10);
        seen(node("a", 10, BLOCK_1));
        assertThat(term.law().usedCount()).isEqualTo(2);
        term.expire("a", NOW + LATE_WRITE_NANOS - 1);
        assertThat(term.law().usedCount()).isEqualTo(2);
        term.expire("a", NOW + LATE_WRITE_NANOS);

        assertThat(LATE_WRITE_MAX).isEqualTo(Duration.ofMinutes(2));
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_3);
        assertNextBlockIs(BLOCK_0);
    }

    @Test
    void writeThatIsAnsweredAtLastStaysHeldForTheOneBeforeItWhenItsNodeIsGone() {
        seen(node("a", 1));
        var _ = begun("a");
        lateWrites.lose("a", writing("a"), NOW);
        done("a", 10);
        seen(node("a", 10, BLOCK_0));
        assertThat(term.law().usedCount()).isEqualTo(1);

        gone("a", 11);
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertThat(term.next("a", NOW + LATE_WRITE_NANOS)).isEqualTo(new Step.Nothing());

        assertThat(term.law().usedCount()).isZero();
    }

    @Test
    void unansweredWriteThatArrivesLateIsTheNodes() {
        seen(node("a", 1));
        var _ = begun("a");
        lost("a", NOW);

        assertThat(begun("a")).containsExactly(BLOCK_1);
        seen(node("a", 9, BLOCK_0));
        assertThat(term.law().usedCount()).isEqualTo(2);
        refused("a");

        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_3);
        assertNextBlockIs(BLOCK_1);
        assertAllBlocksUsed();
    }

    @Test
    void blockOfAnUnansweredWriteToADeletedNodeIsFreeTwoMinutesAfterTheWrite() {
        seen(node("a", 1));
        var _ = begun("a");
        gone("a", 8);

        long ended = NOW + Duration.ofSeconds(30).toNanos();
        lost("a", ended);

        assertThat(lateWrites.untilNext("a", NOW + LATE_WRITE_NANOS)).contains(Duration.ofSeconds(30));
        assertThat(term.next("a", NOW + LATE_WRITE_NANOS)).isEqualTo(new Step.Nothing());
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertThat(term.next("a", ended + LATE_WRITE_NANOS)).isEqualTo(new Step.Nothing());
        assertThat(term.law().usedCount()).isZero();
        assertThat(lateWrites.nodes()).isEmpty();
    }

    @Test
    void successorOfANodeIsNotOfferedWhatTheWriteToTheFormerMayBring() {
        seen(nodeWithUid("a", "first", 1));
        var _ = begun("a");
        lost("a", NOW);
        gone("a", 20);
        seen(nodeWithUid("a", "second", 21));

        assertThat(begun("a")).containsExactly(BLOCK_1);
        lost("a", NOW);
        assertThat(begun("a")).containsExactly(BLOCK_2);
        assertThat(term.law().usedCount()).isEqualTo(3);
    }

    @Test
    void nodeOfTwoUnansweredWritesIsOfferedTheirBlocksInTurnAndNoThirdOne() {
        seen(node("a", 1));
        assertThat(begun("a")).containsExactly(BLOCK_0);
        lost("a", NOW);
        assertThat(begun("a")).containsExactly(BLOCK_1);
        lost("a", NOW);

        assertThat(begun("a")).containsExactly(BLOCK_0);
        assertThat(term.law().usedCount()).isEqualTo(2);
        lost("a", NOW);
        assertThat(term.law().usedCount()).isEqualTo(2);
        assertThat(begun("a")).containsExactly(BLOCK_1);
        lost("a", NOW);

        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_3);
        assertAllBlocksUsed();
    }

    @Test
    void nodeOfAnUnansweredWriteIsOfferedItsBlockAgainIfNothingElseIsFree() {
        seen(node("holder", 1, "10.244.1.0/24"));
        seen(node("other", 1, "10.244.2.0/23"));
        seen(node("a", 1));
        assertThat(begun("a")).containsExactly(BLOCK_0);
        lost("a", NOW);

        assertAllBlocksUsed();
        assertThat(begun("a")).containsExactly(BLOCK_0);
        done("a", 10);
        seen(node("a", 10, BLOCK_0));

        assertThat(term.law().usedCount()).isEqualTo(4);
    }

    @Test
    void lateWritesOutliveTheTermTheyWereMadeIn() {
        seen(node("a", 1));
        var _ = begun("a");
        lost("a", NOW);

        var law = new RangeLaw(cluster("10.244.0.0/22"), nodes.values());
        var next = new NodeCidrTerm(law, nodes, lateWrites);
        assertThat(law.usedCount()).isEqualTo(1);
        next.expire("a", NOW + LATE_WRITE_NANOS);

        assertThat(law.usedCount()).isZero();
    }

    @Test
    void nodeThatWasReadWithOtherCidrsHasThemUntilTheWatchShowsThem() {
        seen(node("a", 1));
        var _ = begun("a");

        assertThat(term.found(node("a", 6, BLOCK_3))).isEmpty();
        end("a", NOW);
        seen(node("a", 4));
        assertThat(term.law().usedCount()).isEqualTo(1);
        assertNextBlockIs(BLOCK_1);
        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_0);
        assertAllBlocksUsed();
        seen(node("a", 6, BLOCK_3));
        gone("a", 7);

        assertNextBlockIs(BLOCK_3);
    }

    @Test
    void nodeThatIsBeingDeletedIsGivenNothingAndKeepsWhatItHas() {
        seen(terminating("without", 1));
        seen(terminating("with", 2, BLOCK_0));

        assertThat(term.next("without", NOW)).isEqualTo(new Step.Nothing());
        assertThat(term.next("with", NOW)).isEqualTo(new Step.Nothing());
        assertNextBlockIs(BLOCK_1);
        gone("with", 3);

        assertNextBlockIs(BLOCK_2);
        assertNextBlockIs(BLOCK_3);
        assertNextBlockIs(BLOCK_0);
    }

    @Test
    void nodeWhoseCidrsDoNotFitFailsAndTakesNothing() {
        seen(node("foreign", 1, "172.10.0.0/24"));

        assertThat(term.next("foreign", NOW))
                .isEqualTo(
                        new Step.Failed("failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node: foreign:"
                                + " cidr 172.10.0.0/24 is out the range of cluster cidr 10.244.0.0/22"));
        assertNextBlockIs(BLOCK_0);
    }

    @Test
    void nodesThatFoundNothingAreWokenInTheirOrderAsBlocksBecomeFree() {
        seen(node("holder", 1, "10.244.0.0/22"));
        for (var name : List.of("c", "a", "b")) {
            seen(node(name, 2));
            assertThat(term.next(name, NOW)).isInstanceOf(Step.Exhausted.class);
        }

        assertThat(term.takeStarving(0)).isEmpty();
        assertThat(term.takeStarving(-1)).isEmpty();
        assertThat(term.takeStarving(2)).containsExactly("c", "a");
        assertThat(term.takeStarving(2)).containsExactly("b");
        assertThat(term.takeStarving(2)).isEmpty();
    }

    @Test
    void nodesThatNothingFreeSuitsAreNotWoken() {
        var known = new TreeMap<String, NodeObject>();
        known.put("a-holder", labelled("a-holder", "a", "10.1.0.0/24"));
        known.put("b-holder", labelled("b-holder", "b", "10.2.0.0/24"));
        List.of("a-1", "a-2", "b-1").forEach(name -> known.put(name, labelled(name, name.substring(0, 1))));
        var pools = List.of(clusterCidr("of-a", "10.1.0.0/24", "a"), clusterCidr("of-b", "10.2.0.0/24", "b"));
        var mixed = new NodeCidrTerm(new ClusterCidrLaw(List.of(), pools, known.values()), known, new LateWrites());
        List.of("a-1", "a-2", "b-1")
                .forEach(name -> assertThat(mixed.next(name, NOW)).isInstanceOf(Step.Exhausted.class));

        known.remove("b-holder");
        mixed.gone("b-holder", 2);

        assertThat(mixed.takeStarving(1)).containsExactly("b-1");
        assertThat(mixed.takeStarving(1)).isEmpty();
    }

    private static ClusterCidr clusterCidr(String name, String range, String pool) {
        var term = new NodeSelector.Term(List.of(new SelectorRequirement("pool", "In", List.of(pool))), List.of());
        var selector = new NodeSelector.Terms(List.of(term));
        return ClusterCidr.of(name, new ClusterCidrSpec(8, range, "", selector)).withFinalizer(true);
    }

    private static NodeObject labelled(String name, String pool, String... podCidrs) {
        return new NodeObject(NodeEntry.of(name, List.of(podCidrs)), new TreeMap<>(Map.of("pool", pool)), 1);
    }

    @Test
    void nodeThatIsGoneOrWasSeenAnewDoesNotStarve() {
        seen(node("holder", 1, "10.244.0.0/22"));
        for (var name : List.of("gone", "seen", "starving")) {
            seen(node(name, 2));
            var _ = term.next(name, NOW);
        }

        gone("gone", 3);
        seen(node("seen", 4));

        assertThat(term.takeStarving(3)).containsExactly("starving");
    }

    @Test
    void nodeThatHasABlockDoesNotStarve() {
        seen(node("holder", 1, "10.244.0.0/22"));
        seen(node("a", 2));
        var _ = term.next("a", NOW);
        gone("holder", 3);

        assertThat(begun("a")).containsExactly(BLOCK_0);

        assertThat(term.takeStarving(4)).isEmpty();
    }

    @Test
    void nodeThatWasNeverSeenNeedsNothing() {
        assertThat(term.next("unknown", NOW)).isEqualTo(new Step.Nothing());
    }
}
