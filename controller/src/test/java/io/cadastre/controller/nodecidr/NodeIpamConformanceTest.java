package io.cadastre.controller.nodecidr;

import static io.cadastre.controller.nodecidr.KnownNodes.cluster;
import static io.cadastre.controller.nodecidr.KnownNodes.config;
import static io.cadastre.controller.nodecidr.KubernetesCluster.body;
import static io.cadastre.controller.nodecidr.RunningAllocator.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.controller.nodecidr.NodeServer.Patch;
import io.cadastre.controller.nodecidr.NodeServer.PlannedReply;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.wire.pages.Metric;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The scenarios of kube-controller-manager's RangeAllocator, by their ids, with all threads of the loop.
@Timeout(180)
class NodeIpamConformanceTest {

    private static final String ALLOCATIONS = "node_ipam_controller_cidrset_cidrs_allocations_total";
    private static final String RELEASES = "node_ipam_controller_cidrset_cidrs_releases_total";
    private static final String MAX = "node_ipam_controller_cirdset_max_cidrs";
    private static final String USAGE = "node_ipam_controller_cidrset_usage_cidrs";
    private static final String TRIES = "node_ipam_controller_cidrset_allocation_tries_per_request";

    private static final String NOT_AVAILABLE = "CIDRNotAvailable";
    private static final String ASSIGNMENT_FAILED = "CIDRAssignmentFailed";

    private static final NodeCidrConfig IPV4 = cluster("10.244.0.0/16");
    private static final NodeCidrConfig FOUR_BLOCKS =
            config(NodeCidrFlags.forCluster("127.123.234.0/28").withMaskSize(30));

    private final KubernetesCluster cluster = new KubernetesCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private void addOneAfterTheOther(String... names) {
        for (var name : names) {
            cluster.addNode(name);
            cluster.awaitAnyCidrs(name);
        }
    }

    @Test
    void nc01NodesOneAfterTheOtherGetTheBlocksInOrderByOnePatchEach() {
        var allocator = cluster.allocator(IPV4);

        addOneAfterTheOther("a", "b", "c");
        allocator.awaitIdle();

        assertThat(cluster.server().patches())
                .containsExactly(
                        new Patch("a", body("10.244.0.0/24")),
                        new Patch("b", body("10.244.1.0/24")),
                        new Patch("c", body("10.244.2.0/24")));
        assertThat(body("10.244.0.0/24"))
                .isEqualTo("{\"spec\":{\"podCIDR\":\"10.244.0.0/24\",\"podCIDRs\":[\"10.244.0.0/24\"]}}");
        assertThat(cluster.cidrs("c")).containsExactly("10.244.2.0/24");
    }

    @Test
    void nc02FreedBlockRestsUntilTheCursorComesRound() {
        var allocator = cluster.allocator(IPV4);
        addOneAfterTheOther("a", "b", "c");

        cluster.removeNode("b");
        allocator.awaitFigure(RELEASES, 1);
        cluster.addNode("d");

        cluster.awaitCidrs("d", "10.244.3.0/24");
    }

    @Test
    void nc03CursorBeginsAnewWithEachTerm() {
        var allocator = cluster.allocator(IPV4);
        addOneAfterTheOther("a", "b", "c");
        allocator.close();
        cluster.removeNode("b");

        cluster.allocator(IPV4);
        cluster.addNode("d");

        cluster.awaitCidrs("d", "10.244.1.0/24");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nc04 | 10.244.0.0/16,fd00:10:244::/56 | 10.244.0.0/24      | fd00:10:244::/64
        nc05 | fd00:10:244::/56,10.244.0.0/16 | fd00:10:244::/64   | 10.244.0.0/24
        """)
    void nc04nc05DualStackNodeHasTheOrderOfTheClusterCidrs(
            String scenario, String clusterCidr, String first, String second) {
        cluster.allocator(cluster(clusterCidr));

        cluster.addNode(scenario);

        cluster.awaitCidrs(scenario, first, second);
        assertThat(cluster.server().patches()).containsExactly(new Patch(scenario, body(first, second)));
    }

    @Test
    void nc06nc07BlocksOfTheServiceRangeAndOfOtherNodesArePassedOver() {
        var config = config(
                NodeCidrFlags.forCluster("127.123.234.0/24").withMaskSize(30).withServiceRange("127.123.234.0/26"));
        var first = cluster.allocator(config);
        cluster.addNode("nc06");
        cluster.awaitCidrs("nc06", "127.123.234.64/30");
        first.close();
        cluster.addNode("b", "127.123.234.68/30");
        cluster.addNode("c", "127.123.234.72/30");
        cluster.addNode("d", "127.123.234.80/30");

        cluster.allocator(config);
        cluster.addNode("nc07");

        cluster.awaitCidrs("nc07", "127.123.234.76/30");
        assertThat(cluster.patched()).containsExactly("nc06", "nc07");
    }

    @Test
    void nc08NodesWithCidrsAreNotWrittenAtTheStart() {
        cluster.addNode("n0", "10.10.0.0/24");
        cluster.addNode("n1", "10.10.2.0/24");
        cluster.addNode("n2");

        cluster.allocator(cluster("10.10.0.0/22"));

        cluster.awaitCidrs("n2", "10.10.1.0/24");
        assertThat(cluster.patched()).containsExactly("n2");
    }

    private void fillFourBlocks() {
        cluster.addNode("o0", "127.123.234.0/30");
        cluster.addNode("o1", "127.123.234.4/30");
        cluster.addNode("o2", "127.123.234.8/30");
        cluster.addNode("o3", "127.123.234.12/30");
    }

    @Test
    void nc09NodeWithoutAFreeBlockHasAnEventAndIsTriedAgain() {
        fillFourBlocks();
        var allocator = cluster.allocator(FOUR_BLOCKS);

        cluster.addNode("fifth");
        cluster.awaitEvent("fifth", NOT_AVAILABLE);

        allocator.awaitReport(
                "error syncing 'fifth': failed to allocate cidr from cluster cidr at idx:0: CIDR allocation"
                        + " failed; there are no remaining CIDRs left to allocate in the accepted range, requeuing");
        await().atMost(PATIENCE)
                .until(() -> allocator.figure("workqueue_retries_total").orElse(0) >= 4);
        var event = cluster.events("fifth").getFirst();
        assertThat(event.path("metadata").path("namespace").asText()).isEqualTo("default");
        assertThat(event.path("type").asText()).isEqualTo("Normal");
        assertThat(event.path("message").asText()).isEqualTo("Node fifth status is now: CIDRNotAvailable");
        assertThat(event.path("source").path("component").asText()).isEqualTo("cidrAllocator");
        assertThat(event.path("involvedObject"))
                .hasToString("{\"kind\":\"Node\",\"name\":\"fifth\",\"uid\":\"uid-of-fifth\",\"apiVersion\":\"v1\"}");
        assertThat(cluster.server().patches()).isEmpty();
    }

    /// The Node waits longer for its next attempt than the test does, and is woken.
    @Test
    void nc10NodeWithoutABlockGetsTheFirstThatBecomesFree() {
        fillFourBlocks();
        var allocator = cluster.allocator(FOUR_BLOCKS);
        cluster.addNode("fifth");
        for (int attempt = 1; attempt <= 18; attempt++) {
            int failed = attempt;
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> allocator.figure("workqueue_retries_total").orElse(0) >= failed);
            if (attempt < 18) {
                allocator.skip(Duration.ofSeconds(1001));
            }
        }

        cluster.removeNode("o1");

        cluster.awaitCidrs("fifth", "127.123.234.4/30");
    }

    @Test
    void nc11ServiceRangeThatContainsTheClusterLeavesNothing() {
        var allocator =
                cluster.allocator(config(NodeCidrFlags.forCluster("10.0.0.0/16").withServiceRange("10.0.0.0/12")));

        cluster.addNode("a");

        cluster.awaitEvent("a", NOT_AVAILABLE);
        assertThat(allocator.loop().fault()).isEmpty();
        assertThat(cluster.server().patches()).isEmpty();
    }

    @Test
    void nc12SecondServiceRangeIsKeptFree() {
        cluster.allocator(config(
                NodeCidrFlags.forCluster("10.0.0.0/16,fd00:1::/48").withServiceRange("10.96.0.0/16,fd00:1::/108")));

        cluster.addNode("a");

        cluster.awaitCidrs("a", "10.0.0.0/24", "fd00:1:0:1::/64");
    }

    @Test
    void nc13ServiceRangeThatCannotBeReadKeepsNothingFree() {
        cluster.allocator(config(NodeCidrFlags.forCluster("10.0.0.0/16").withServiceRange("bogus")));

        cluster.addNode("a");

        cluster.awaitCidrs("a", "10.0.0.0/24");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nc14 | 172.10.0.0/24           | failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for node: bad: cidr \
        172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16
        nc16 | 10.10.0.0/24 a00::/86   | node:bad has an allocated cidr: a00::/86 at index:1 that does not exist in \
        cluster cidrs configuration
        """)
    void nc14nc16NothingIsGivenWhileANodeDoesNotFitAndAllIsWhenItIsDeleted(
            String scenario, String cidrs, String sentence) {
        cluster.addNode("bad", cidrs.split(" "));
        cluster.addNode("a");
        var allocator = cluster.allocator(cluster("10.10.0.0/16"));
        allocator.awaitReport("no CIDR is given to any Node until this is mended: " + sentence);
        assertThat(allocator.loop().fault()).as(scenario).contains(sentence);
        assertThat(allocator.figures()).isEmpty();

        cluster.removeNode("bad");
        cluster.awaitCidrs("a", "10.10.0.0/24");

        assertThat(allocator.loop().fault()).isEmpty();
        assertThat(cluster.server().patches()).hasSize(1);
        assertThat(allocator.reports())
                .filteredOn(report -> report.startsWith("no CIDR is given"))
                .hasSize(1);
    }

    @Test
    void nc15NodeThatJoinsWithAForeignCidrIsLeftAloneAndOthersAreServed() {
        var allocator = cluster.allocator(cluster("10.10.0.0/16"));
        addOneAfterTheOther("a");

        cluster.addNode("foreign", "172.10.0.0/24");
        allocator.awaitReport("error syncing 'foreign': failed to mark cidr[172.10.0.0/24] at idx [0] as occupied for"
                + " node: foreign: cidr 172.10.0.0/24 is out the range of cluster cidr 10.10.0.0/16, requeuing");
        await().atMost(PATIENCE)
                .until(() -> allocator.figure("workqueue_retries_total").orElse(0) >= 3);
        cluster.addNode("b");
        cluster.awaitCidrs("b", "10.10.1.0/24");

        assertThat(cluster.patched()).containsExactly("a", "b");
        assertThat(allocator.reports())
                .filteredOn(report -> report.contains("'foreign'"))
                .hasSize(1);
        allocator.close();
        var next = cluster.allocator(cluster("10.10.0.0/16"));
        next.awaitReport("no CIDR is given to any Node until this is mended");
        assertThat(next.loop().fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("172.10.0.0/24"));
    }

    @Test
    void nc17FamilyWithFreeBlocksLosesNoneWhileTheOtherIsExhausted() {
        cluster.addNode("only", "10.244.0.0/24", "fd00::/64");
        var allocator = cluster.allocator(cluster("10.244.0.0/16,fd00::/64"));

        cluster.addNode("b");
        cluster.awaitEvent("b", NOT_AVAILABLE);
        await().atMost(PATIENCE)
                .until(() -> allocator.figure("workqueue_retries_total").orElse(0) >= 3);

        allocator.awaitReport("cluster cidr at idx:1: CIDR allocation failed");
        assertThat(allocator.figure(USAGE)).hasValue(1 / 256.0);
        assertThat(cluster.server().patches()).isEmpty();
    }

    @Test
    void nc18BrokenServerIsAskedThreeTimesAndTheNextAttemptTakesTheNextBlock() {
        var allocator = cluster.allocator(IPV4);
        cluster.server().plan(PlannedReply.BROKEN, PlannedReply.BROKEN, PlannedReply.BROKEN);

        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.244.1.0/24");

        var first = body("10.244.0.0/24");
        assertThat(cluster.server().patchesOf("a")).containsExactly(first, first, first, body("10.244.1.0/24"));
        cluster.awaitEvent("a", ASSIGNMENT_FAILED);
        assertThat(cluster.events("a").getFirst().path("message").asText())
                .isEqualTo("Node a status is now: CIDRAssignmentFailed");
        assertThat(allocator.figure(USAGE)).hasValue(2 / 256.0);
        // The first write may yet be applied until then.
        allocator.skip(Duration.ofMinutes(2));
        allocator.awaitFigure(USAGE, 1 / 256.0);
        assertThat(allocator.figure(ALLOCATIONS)).hasValue(2);
        assertThat(allocator.figure(RELEASES)).hasValue(1);
    }

    @Test
    void nc19WriteWhoseAnswersAreLostIsSentAgainAndOneBlockIsUsed() {
        var allocator = cluster.allocator(IPV4);
        cluster.server().plan(PlannedReply.ANSWER_LOST, PlannedReply.ANSWER_LOST);

        cluster.addNode("a");
        await().atMost(PATIENCE).until(() -> cluster.patched().size() == 3);
        cluster.settle(allocator);

        assertThat(cluster.cidrs("a")).containsExactly("10.244.0.0/24");
        assertThat(cluster.server().patchesOf("a")).hasSize(3).containsOnly(body("10.244.0.0/24"));
        assertThat(cluster.cidrs("last")).containsExactly("10.244.1.0/24");
        assertThat(allocator.figure(USAGE)).hasValue(2 / 256.0);
        assertThat(cluster.events("a")).isEmpty();
    }

    @Test
    void nc20NodeThatAnotherWriterServedKeepsWhatItHasAndTheProposedBlockIsFree() {
        cluster.addNode("a");
        var allocator = cluster.waitingAllocator(IPV4, 30);
        allocator.view().lag();
        cluster.setCidrs("a", "10.244.5.0/24");

        allocator.elect();
        allocator.awaitReport("node a already has 10.244.5.0/24, given by field manager 'another-allocator';"
                + " 10.244.0.0/24 is free again");
        allocator.awaitFigure(USAGE, 1 / 256.0);
        allocator.view().catchUp();
        addOneAfterTheOther("n1", "n2", "n3", "n4", "n6");

        assertThat(cluster.server().patchesOf("a")).containsExactly(body("10.244.0.0/24"));
        assertThat(cluster.cidrs("a")).containsExactly("10.244.5.0/24");
        assertThat(cluster.cidrs("n4")).containsExactly("10.244.4.0/24");
        assertThat(cluster.cidrs("n6")).containsExactly("10.244.6.0/24");
        assertThat(allocator.figure(RELEASES)).hasValue(1);
        assertThat(cluster.events("a")).isEmpty();
    }

    @Test
    void nc21NodeThatHasTheProposedBlockByTheTimeItIsWrittenKeepsIt() {
        var allocator = cluster.waitingAllocator(IPV4, 1);
        allocator.elect();
        cluster.server().shutGate();
        cluster.addNode("first");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);

        cluster.addNode("a");
        cluster.setCidrs("a", "10.244.1.0/24");
        cluster.addNode("b");
        allocator.awaitFigure("workqueue_depth", 2);
        cluster.server().openGate();
        cluster.settle(allocator);

        assertThat(cluster.patched()).containsExactly("first", "b", "last");
        assertThat(cluster.cidrs("b")).containsExactly("10.244.2.0/24");
    }

    @Test
    void nc22NodeThatIsDeletedBeforeItsTurnIsNotWritten() {
        var allocator = cluster.waitingAllocator(IPV4, 1);
        allocator.elect();
        cluster.server().shutGate();
        cluster.addNode("first");
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 1);

        cluster.addNode("a");
        cluster.removeNode("a");
        cluster.addNode("b");
        allocator.awaitFigure("workqueue_depth", 2);
        cluster.server().openGate();
        cluster.settle(allocator);

        assertThat(cluster.patched()).containsExactly("first", "b", "last");
    }

    /// The server says so, since the watch does not yet.
    @Test
    void nc22NodeThatIsDeletedBeforeThePatchArrivesIsNotWrittenAgain() {
        cluster.addNode("a");
        var allocator = cluster.waitingAllocator(IPV4, 30);
        allocator.view().lag();
        cluster.removeNode("a");

        allocator.elect();
        allocator.awaitFigure(RELEASES, 1);
        allocator.awaitIdle();
        assertThat(cluster.patched()).containsExactly("a");
        allocator.view().catchUp();
        cluster.settle(allocator);

        assertThat(cluster.patched()).containsExactly("a", "last");
        assertThat(cluster.events("a")).isEmpty();
    }

    @Test
    void nc23NodeThatFinalizersKeepKeepsItsBlock() {
        cluster.addNode("dying", "10.10.0.0/24");
        cluster.beginDeletion("dying");
        var allocator = cluster.allocator(cluster("10.10.0.0/23"));

        cluster.addNode("a");
        cluster.awaitCidrs("a", "10.10.1.0/24");
        cluster.addNode("b");
        cluster.awaitEvent("b", NOT_AVAILABLE);
        cluster.removeNode("dying");

        cluster.awaitCidrs("b", "10.10.0.0/24");
        allocator.awaitFigure(RELEASES, 1);
    }

    @Test
    void nc24NodeThatIsBeingDeletedIsGivenNothing() {
        cluster.addNode("dying");
        cluster.beginDeletion("dying");
        var allocator = cluster.allocator(IPV4);

        cluster.settle(allocator);

        assertThat(cluster.patched()).containsExactly("last");
        assertThat(cluster.cidrs("last")).containsExactly("10.244.0.0/24");
    }

    @Test
    void nc25NodeThatIsDeletedWhileTheWatchIsInterruptedGivesItsBlockBack() {
        cluster.addNode("a", "10.10.0.0/24");
        cluster.addNode("b", "10.10.1.0/24");
        var allocator = cluster.allocator(cluster("10.10.0.0/23"));
        cluster.addNode("c");
        cluster.awaitEvent("c", NOT_AVAILABLE);

        allocator.view().lag();
        cluster.removeNode("a");
        allocator.view().breakWatches();

        cluster.awaitCidrs("c", "10.10.0.0/24");
        assertThat(allocator.figure(RELEASES)).hasValue(1);
    }

    @Test
    void nc26TwoHundredNodesAtOnceHaveTwoHundredBlocksAndThirtyAreWrittenAtATime() {
        var allocator = cluster.allocator(IPV4);
        cluster.server().shutGate();
        var names = IntStream.range(0, 200).mapToObj("node-%d"::formatted).toList();

        names.forEach(cluster::addNode);
        await().atMost(PATIENCE).until(() -> cluster.server().underWay() == 30);
        cluster.server().openGate();
        names.forEach(cluster::awaitAnyCidrs);
        allocator.awaitIdle();

        assertThat(names.stream().map(cluster::cidrs).distinct()).hasSize(200);
        assertThat(cluster.patched()).hasSize(200);
        assertThat(cluster.server().underWayMax()).isEqualTo(30);
        assertThat(allocator.figure(USAGE)).hasValue(200 / 256.0);
    }

    @Test
    void nc27ThousandUpdatesOfANodeWithCidrsWriteAndCountNothing() {
        var allocator = cluster.allocator(IPV4);
        addOneAfterTheOther("a");

        IntStream.range(0, 1000).forEach(time -> cluster.touch("a", time));
        cluster.settle(allocator);

        assertThat(cluster.patched()).containsExactly("a", "last");
        assertThat(allocator.figure(ALLOCATIONS)).hasValue(2);
        assertThat(allocator.figure(RELEASES)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nc28, an old spelling       | 10.10.0.0/16  | 010.010.000.000/24 | 10.10.1.0/24
        nc29, an older, bigger mask | 10.244.0.0/16 | 10.244.0.0/22      | 10.244.4.0/24
        """)
    void nc28nc29CidrOfANodeOccupiesTheBlocksThatItTouches(
            String scenario, String clusterCidr, String held, String next) {
        cluster.addNode("old", held);
        var allocator = cluster.allocator(cluster(clusterCidr));

        cluster.addNode("next");

        cluster.awaitCidrs("next", next);
        assertThat(cluster.cidrs("old")).as(scenario).containsExactly(held);
        assertThat(allocator.loop().fault()).isEmpty();
    }

    @Test
    void nc30CidrThatIsSmallerThanABlockOccupiesItAndFreesItWithItsNode() {
        cluster.addNode("half", "10.244.7.128/25");
        cluster.allocator(cluster("10.244.7.0/24"));
        cluster.addNode("a");
        cluster.awaitEvent("a", NOT_AVAILABLE);

        cluster.removeNode("half");

        cluster.awaitCidrs("a", "10.244.7.0/24");
    }

    /// Upstream frees the block with the first of them, which implementations may do as well or not.
    @Test
    void nc31BlockOfTwoNodesIsFreeWhenBothAreGone() {
        cluster.addNode("lower", "10.244.7.0/25");
        cluster.addNode("upper", "10.244.7.128/25");
        var allocator = cluster.allocator(cluster("10.244.6.0/23"));
        addOneAfterTheOther("a");
        cluster.addNode("b");
        cluster.awaitEvent("b", NOT_AVAILABLE);

        cluster.removeNode("lower");
        cluster.addNode("foreign", "172.16.0.0/24");
        allocator.awaitReport("error syncing 'foreign'");
        long before = cluster.eventCount("b");
        await().atMost(PATIENCE).until(() -> {
            allocator.skip(Duration.ofSeconds(1001));
            return cluster.eventCount("b") >= before + 2;
        });
        assertThat(cluster.cidrs("b")).isEmpty();
        cluster.removeNode("upper");

        cluster.awaitCidrs("b", "10.244.7.0/24");
    }

    @Test
    void nc40FiguresAfterThreeNodes() {
        var allocator = cluster.allocator(IPV4);
        addOneAfterTheOther("a", "b", "c");
        allocator.awaitIdle();

        var label = List.of("clusterCIDR", "10.244.0.0/16");
        assertThat(samples(allocator, ALLOCATIONS)).containsExactly(new Sample("", 3, label));
        assertThat(samples(allocator, RELEASES)).isEmpty();
        assertThat(samples(allocator, MAX)).containsExactly(new Sample("", 256, label));
        assertThat(samples(allocator, USAGE)).containsExactly(new Sample("", 3 / 256.0, label));
        assertThat(samples(allocator, TRIES)).contains(new Sample("_sum", 0, label), new Sample("_count", 3, label));
        assertThat(samples(allocator, "running_managed_controllers"))
                .containsExactly(Sample.of(1, "name", "nodeipam", "manager", "kube-controller-manager"));
        assertThat(allocator.figures())
                .extracting(Metric::name)
                .contains(
                        "workqueue_depth",
                        "workqueue_adds_total",
                        "workqueue_queue_duration_seconds",
                        "workqueue_work_duration_seconds",
                        "workqueue_unfinished_work_seconds",
                        "workqueue_longest_running_processor_seconds",
                        "workqueue_retries_total");
        assertThat(samples(allocator, "workqueue_depth")).containsExactly(Sample.of(0, "name", "cidrallocator_node"));
    }

    private static List<Sample> samples(RunningAllocator allocator, String name) {
        return allocator.figures().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .toList();
    }

    @Test
    void nc41NewLeaderLeavesAllNodesTheirCidrs() {
        var first = cluster.allocator(IPV4);
        var second = cluster.waitingAllocator(IPV4, 30);
        addOneAfterTheOther("a", "b", "c");
        assertThat(second.figures()).isEmpty();

        first.dismiss();
        second.skip(Duration.ofSeconds(15));
        second.elect();
        cluster.addNode("d");
        cluster.awaitCidrs("d", "10.244.3.0/24");
        second.awaitIdle();

        assertThat(cluster.patched()).containsExactly("a", "b", "c", "d");
        assertThat(List.of(cluster.cidrs("a"), cluster.cidrs("b"), cluster.cidrs("c")))
                .containsExactly(List.of("10.244.0.0/24"), List.of("10.244.1.0/24"), List.of("10.244.2.0/24"));
    }
}
