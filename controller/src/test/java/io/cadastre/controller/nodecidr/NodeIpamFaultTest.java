package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static io.cadastre.controller.nodecidr.RunningAllocator.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Address;
import io.cadastre.controller.nodecidr.NodeServer.PlannedReply;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.registry.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the loop does when answers are lost, rights are missing, Nodes change meanwhile or the term ends.
@Timeout(180)
class NodeIpamFaultTest {

    private static final String RELEASES = "node_ipam_controller_cidrset_cidrs_releases_total";
    private static final String USAGE = "node_ipam_controller_cidrset_usage_cidrs";
    private static final NodeCidrConfig TWO_BLOCKS = cluster("10.10.0.0/23");

    private final KubernetesCluster cluster = new KubernetesCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private void planBroken(int count) {
        cluster.server().plan(Collections.nCopies(count, PlannedReply.BROKEN).toArray(PlannedReply[]::new));
    }

    @Test
    void blocksOfUnansweredWritesGoToNoOtherNodeForTwoMinutes() {
        cluster.addNode("a");
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 1);
        // Three for each of the two blocks.
        planBroken(6);
        allocator.elect();
        cluster.awaitCidrs("a", "10.10.0.0/24");
        cluster.addNode("b");
        cluster.awaitEvent("b", "CIDRNotAvailable");
        assertThat(cluster.cidrs("b")).isEmpty();

        allocator.skip(Duration.ofMinutes(2));

        cluster.awaitCidrs("b", "10.10.1.0/24");
        allocator.awaitFigure(USAGE, 1);
    }

    @Test
    void blockOfAnUnansweredWriteIsFreeTwoMinutesAfterItsNodeIsGone() {
        var allocator = cluster.waitingAllocator(cluster("10.10.0.0/24"), 1);
        allocator.elect();
        cluster.server().shutGate();
        planBroken(1);
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);
        cluster.removeNode("a");
        cluster.addNode("b");
        allocator.awaitFigure("workqueue_depth", 1);
        cluster.server().openGate();
        cluster.awaitEvent("b", "CIDRNotAvailable");

        allocator.skip(Duration.ofSeconds(60));
        long before = cluster.eventCount("b");
        cluster.touch("b", 1);
        await().atMost(PATIENCE).until(() -> cluster.eventCount("b") > before);
        assertThat(cluster.cidrs("b")).isEmpty();
        allocator.skip(Duration.ofSeconds(61));

        cluster.awaitCidrs("b", "10.10.0.0/24");
        assertThat(cluster.events("a")).isEmpty();
    }

    @Test
    void nodeMadeAnewUnderItsNameIsServedAsANewOne() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.0.0/24");

        cluster.removeNode("a");
        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.1.0/24");
        cluster.addNode("b");

        cluster.awaitCidrs("b", "10.10.0.0/24");
        allocator.awaitFigure(USAGE, 1);
    }

    @Test
    void nodeMadeAnewWhileItIsWrittenKeepsItsBlock() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.server().shutGate();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);

        cluster.removeNode("a");
        cluster.addNode("a");
        cluster.server().openGate();
        cluster.awaitCidrs("a", "10.10.0.0/24");
        cluster.addNode("b");
        cluster.awaitCidrs("b", "10.10.1.0/24");
        allocator.awaitIdle();

        assertThat(cluster.patched()).containsExactly("a", "b");
        allocator.awaitFigure(USAGE, 1);
        assertThat(allocator.figure(RELEASES)).isEmpty();
    }

    @Test
    void missingRightToPatchIsReportedOthersAreServedAndItIsTriedAgain() {
        var allocator = cluster.allocator(cluster("10.10.0.0/16"));
        cluster.server().plan(PlannedReply.FORBIDDEN, PlannedReply.FORBIDDEN, PlannedReply.FORBIDDEN);

        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.1.0/24");

        allocator.awaitReport("error syncing 'a': cannot give 10.10.0.0/24 to node a: the server does not allow us to"
                + " patch nodes/a, requeuing");
        cluster.awaitEvent("a", "CIDRAssignmentFailed");
        allocator.awaitFigure(USAGE, 1 / 256.0);
    }

    @Test
    void missingRightToWriteEventsIsReportedAndNodesAreServed() {
        cluster.server().refuseEvents(true);
        cluster.addNode("holder", "10.10.0.0/23");
        var allocator = cluster.allocator(cluster("10.10.0.0/22"));
        planBroken(3);

        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.3.0/24");

        allocator.awaitReport("cannot record the event CIDRAssignmentFailed of node a: the server does not allow us to"
                + " create events");
    }

    @Test
    void eventThatHappensAgainRaisesTheCountOfTheFirst() {
        cluster.addNode("holder", "10.10.0.0/23");
        cluster.allocator(TWO_BLOCKS);

        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.eventCount("a") >= 3);

        assertThat(cluster.events("a")).hasSize(1);
    }

    @Test
    void eventsOfOneNodeEndAfterTwentyFiveAndGoOnOneEveryFiveMinutes() {
        cluster.addNode("holder", "10.10.0.0/23");
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addNode("a");
        cluster.awaitEvent("a", "CIDRNotAvailable");

        // Ends: with each of them the Node is tried again at once.
        for (int time = 1; time <= 60; time++) {
            int tried = time;
            cluster.touch("a", tried);
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> allocator.figure("workqueue_retries_total").orElse(0) > tried);
        }
        cluster.addNode("other");
        cluster.awaitEvent("other", "CIDRNotAvailable");
        assertThat(cluster.eventCount("a")).isEqualTo(25);
        allocator.skip(Duration.ofMinutes(5));
        cluster.touch("a", 61);

        await().atMost(PATIENCE).until(() -> cluster.eventCount("a") == 26);
    }

    @Test
    void nodeThatAppearsWithTheBlockOfAnotherHasAWarning() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.0.0/24");

        cluster.addNode("twin", "10.10.0.0/24");
        cluster.awaitEvent("twin", "CIDRHeldTwice");

        var event = cluster.events("twin").getFirst();
        assertThat(event.path("type").asText()).isEqualTo("Warning");
        assertThat(event.path("message").asText()).contains("10.10.0.0", "node/a", "node/twin");
        allocator.awaitReport("two hold one CIDR: ");
    }

    @Test
    void noCidrIsGivenWhileAnUnknownNodeCannotBeRead() {
        cluster.addUnreadableNode("strange");
        var allocator = cluster.allocator(TWO_BLOCKS);

        cluster.addNode("a");

        allocator.awaitReport("cannot read a Node: ");
        allocator.awaitReport("no CIDR is given to any Node, since Node strange cannot be read");
        assertThat(allocator.loop().fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("strange"));
        assertThat(cluster.patched()).isEmpty();
        cluster.removeNode("strange");
        cluster.awaitCidrs("a", "10.10.0.0/24");
        assertThat(allocator.loop().fault()).isEmpty();
    }

    @Test
    void noCidrIsGivenWhileANodeThatJoinedCannotBeRead() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addUnreadableNode("strange");
        allocator.awaitReport("cannot read a Node: ");

        cluster.addNode("a");

        allocator.awaitReport("no CIDR is given to any Node, since Node strange cannot be read");
        assertThat(cluster.patched()).isEmpty();
        cluster.removeNode("strange");
        cluster.awaitCidrs("a", "10.10.0.0/24");
    }

    @Test
    void nodeThatCannotBeReadAnyMoreKeepsItsCidrInALaterList() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addNode("a");
        cluster.addNode("b");
        cluster.awaitAnyCidrs("a");
        cluster.awaitAnyCidrs("b");

        allocator.view().lag();
        cluster.spoilNode("a");
        allocator.view().breakWatches();
        cluster.addNode("c");
        allocator.view().catchUp();

        cluster.awaitEvent("c", "CIDRNotAvailable");
        assertThat(allocator.loop().fault()).isEmpty();
    }

    @Test
    void nodeThatCannotBeReadAfterAWriteIsNotTakenForOneThatIsGone() {
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 1);
        allocator.elect();
        cluster.server().shutGate();
        cluster.server().plan(PlannedReply.BROKEN, PlannedReply.BROKEN, PlannedReply.BROKEN);
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);

        allocator.view().lag();
        cluster.spoilNode("a");
        cluster.server().openGate();

        cluster.awaitEvent("a", "CIDRAssignmentFailed");
        allocator.awaitReport("cannot give 10.10.0.0/24 to node a: cannot read a Node: ");
    }

    @Test
    void leaderWhoseTermEndsDuringAWriteSendsNoOther() {
        var allocator = cluster.allocator(cluster("10.10.0.0/16"));
        cluster.server().plan(PlannedReply.FORBIDDEN);
        cluster.server().shutGate();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);
        cluster.addNode("b");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 2);

        allocator.loseTerm();
        cluster.server().openGate();
        cluster.awaitAnyCidrs("b");
        cluster.addNode("c");
        allocator.awaitIdle();
        allocator.dismiss();
        allocator.elect();
        cluster.awaitAnyCidrs("a");
        cluster.awaitAnyCidrs("c");

        assertThat(cluster.patched()).startsWith("a", "b").hasSize(4);
        assertThat(allocator.reports()).noneMatch(report -> report.contains("syncing"));
    }

    @Test
    void whatANodeWasSeenWithDuringAWriteThatDidNotEndWellIsInTheLedger() {
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 2);
        allocator.elect();
        cluster.server().plan(PlannedReply.ANSWER_LOST);
        cluster.server().shutGate();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);
        cluster.setCidrs("a", "10.10.0.0/24");
        cluster.addNode("b");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 2);

        allocator.loseTerm();
        cluster.server().openGate();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(allocator
                                .ledger()
                                .holders(
                                        Address.parse("10.10.0.0"),
                                        Instant.parse("2026-02-02T03:04:05Z"),
                                        Ledger.Writers.OTHERS_TOO)
                                .periods())
                        .hasSize(1));
    }

    @Test
    void patchWhoseTurnIsLongInComingIsNoFailure() {
        var allocator = cluster.waitingAllocator(cluster("10.10.0.0/16"), 1);
        cluster.server().plan(Collections.nCopies(20, PlannedReply.UNSENT).toArray(PlannedReply[]::new));
        cluster.addNode("a");
        allocator.elect();

        cluster.awaitCidrs("a", "10.10.0.0/24");
        cluster.settle(allocator);

        assertThat(cluster.reasons("a")).isEmpty();
        assertThat(cluster.patched()).containsExactly("a", "last");
        assertThat(cluster.cidrs("last")).containsExactly("10.10.1.0/24");
    }

    @Test
    void patchWhoseTurnIsLongInComingIsNotSentBeyondTheTerm() {
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 1);
        cluster.server().refuseTurns();
        cluster.addNode("a");
        allocator.elect();
        await().atMost(PATIENCE).until(() -> cluster.server().waited() > 2);

        allocator.loseTerm();
        allocator.awaitIdle();

        assertThat(cluster.server().patches()).isEmpty();
        assertThat(cluster.reasons("a")).isEmpty();
    }

    @Test
    void patchThatWaitsForAPermitBeyondTheTermIsNotSent() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.server().withholdPermits();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().waited() == 1);

        allocator.loseTerm();
        cluster.server().grantPermits();
        allocator.awaitIdle();

        assertThat(cluster.server().patches()).isEmpty();
        assertThat(cluster.cidrs("a")).isEmpty();
    }

    @Test
    void newTermListsAllNodesAfterTheLastWriteOfTheFormerHasEnded() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.server().shutGate();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);
        allocator.view().lag();
        cluster.addNode("b");

        allocator.skip(Duration.ofSeconds(10));
        allocator.dismiss();
        allocator.elect();
        cluster.server().openGate();
        cluster.awaitCidrs("b", "10.10.1.0/24");
        allocator.awaitIdle();

        assertThat(cluster.cidrs("a")).containsExactly("10.10.0.0/24");
        assertThat(cluster.patched()).containsExactly("a", "b");
    }

    @Test
    void nodeWhoseWorkEndsByABugIsTriedAgainAndOthersAreServedMeanwhile() {
        var allocator = cluster.waitingAllocator(cluster("10.10.0.0/22"), 1);
        allocator.elect();
        cluster.server().plan(PlannedReply.BUG);

        cluster.addNode("a");
        // The patch that met the bug may have been sent, so its block is held.
        cluster.awaitCidrs("a", "10.10.1.0/24");
        cluster.addNode("b");
        cluster.awaitCidrs("b", "10.10.2.0/24");

        allocator.awaitReport("node-cidr-1 goes on after a failure that is a bug: java.lang.IllegalStateException: ");
    }

    @Test
    void newTermBeginsWhenTheWritesOfTheFormerHaveEnded() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.server().shutGate();
        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);

        allocator.dismiss();
        allocator.elect();
        cluster.addNode("b");
        assertThat(allocator.figures()).isEmpty();
        cluster.server().openGate();
        cluster.awaitAnyCidrs("a");
        cluster.awaitAnyCidrs("b");

        assertThat(cluster.cidrs("a")).isNotEqualTo(cluster.cidrs("b"));
        assertThat(cluster.server().underWayMax()).isEqualTo(1);
    }

    @Test
    void newLeaderWhoseListIsOldListsAllNodesAndGivesNoneOfTheirBlocks() {
        cluster.addNode("a");
        cluster.addNode("b");
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 30);
        allocator.view().lag();
        cluster.setCidrs("a", "10.10.0.0/24");
        allocator.skip(Duration.ofSeconds(5));

        allocator.elect();
        cluster.awaitCidrs("b", "10.10.1.0/24");
        allocator.awaitIdle();

        assertThat(cluster.patched()).containsExactly("b");
        assertThat(allocator.view().listed()).hasSize(2);
    }

    @Test
    void leaderAfterAHandoverGivesNoBlockThatTheLeaderBeforeGaveAfterItsList() {
        cluster.addNode("a");
        cluster.addNode("b");
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 30);
        allocator.view().lag();
        cluster.setCidrs("a", "10.10.0.0/24");

        allocator.electAfterHandover();
        cluster.awaitCidrs("b", "10.10.1.0/24");

        assertThat(cluster.patched()).containsExactly("b");
    }

    @Test
    void cidrsThatTwoNodesHaveBeforeTheElectionAreReported() {
        cluster.addNode("a", "10.10.0.0/24");
        cluster.addNode("twin", "10.10.0.0/24");

        var allocator = cluster.allocator(TWO_BLOCKS);

        cluster.awaitEvent("twin", "CIDRHeldTwice");
        allocator.awaitReport("two hold one CIDR: ");
    }

    @Test
    void processWithAnUnansweredWriteIsUnsettledForTwoMinutes() {
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 1);
        allocator.elect();
        assertThat(allocator.loop().unsettled()).isFalse();
        planBroken(1);

        cluster.addNode("a");
        cluster.awaitAnyCidrs("a");
        allocator.awaitIdle();

        assertThat(allocator.loop().unsettled()).isTrue();
        allocator.skip(Duration.ofMinutes(2));
        assertThat(allocator.loop().unsettled()).isFalse();
    }

    @Test
    void deletionThatTheWatchShowsLateFreesNothingOfANodeMadeAnewThatTheLeaderListed() {
        cluster.addNode("a");
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 30);
        allocator.view().lag();
        cluster.removeNode("a");
        cluster.addNode("a", "10.10.0.0/24");
        allocator.skip(Duration.ofSeconds(5));
        allocator.elect();
        allocator.awaitFigure(USAGE, 0.5);

        allocator.view().catchUp();
        cluster.addNode("b");
        cluster.awaitCidrs("b", "10.10.1.0/24");

        assertThat(allocator.figure(RELEASES)).isEmpty();
        assertThat(allocator.figure(USAGE)).hasValue(1);
    }

    @Test
    void nodeMadeAnewWhileTheLeaderListsAllNodesKeepsItsBlock() {
        cluster.addNode("a");
        var allocator = cluster.waitingAllocator(TWO_BLOCKS, 30);
        allocator.skip(Duration.ofSeconds(5));
        allocator.view().shutLists();
        allocator.elect();
        cluster.removeNode("a");
        cluster.addUnreadableNode("after-the-deletion");
        allocator.awaitReport("cannot read a Node: ");

        allocator.view().lag();
        cluster.removeNode("after-the-deletion");
        cluster.addNode("a", "10.10.0.0/24");
        cluster.addNode("b");
        allocator.view().openLists();

        cluster.awaitCidrs("b", "10.10.1.0/24");
    }

    @Test
    void nodeMadeAnewWhileTheWatchIsInterruptedHasWhatItsSuccessorHas() {
        var allocator = cluster.allocator(TWO_BLOCKS);
        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.0.0/24");

        allocator.view().lag();
        cluster.removeNode("a");
        cluster.addNode("a", "10.10.1.0/24");
        allocator.view().breakWatches();
        cluster.addNode("b");

        cluster.awaitCidrs("b", "10.10.0.0/24");
    }
}
