package io.cadastre.controller.nodecidr.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.FencedDatastore;
import io.cadastre.controller.nodecidr.cloud.CloudIpamSettings.Kind;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.cloud.AliasRanges;
import io.cadastre.engine.nodecidr.cloud.CloudNode;
import io.cadastre.engine.nodecidr.cloud.CloudSetup;
import io.cadastre.engine.nodecidr.cloud.SyncBackoff;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.wire.kubernetes.NodeObject;
import io.cadastre.wire.pages.Metric.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The control loop with all its threads, on a store in memory. Its time runs a hundred times as fast.
@Timeout(180)
class CloudIpamTest {

    private static final Pause REAL = Thread::sleep;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05Z");
    private static final int SPEED = 100;
    private static final String OPENED =
            "{\"status\":{\"conditions\":[{\"type\":\"NetworkUnavailable\",\"status\":\"False\"";

    private final MemoryDatastore store = new MemoryDatastore();
    private final NodesOfServer nodes = new NodesOfServer(store);
    private final CloudOfMachines cloud = new CloudOfMachines();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final List<AutoCloseable> running = new CopyOnWriteArrayList<>();
    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final AtomicLong began = new AtomicLong(System.nanoTime());

    @AfterEach
    void close() throws Exception {
        for (var each : running) {
            each.close();
        }
        store.close();
    }

    @Test
    @DisplayName("NC-47: a node without a CIDR gets the alias range, and its network is open")
    void nc47_nodeGetsTheAliasRange() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");

        run(follow());

        eventually(() -> assertThat(nodes.patches())
                .hasSize(2)
                .first()
                .isEqualTo("n1 {\"spec\":{\"podCIDR\":\"10.8.0.0/24\",\"podCIDRs\":[\"10.8.0.0/24\"]}}"));
        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(nodes.patches().getLast())
                .startsWith("n1 " + OPENED)
                .endsWith("\"reason\":\"RouteCreated\",\"message\":\"NodeController create implicit route\"}]}}");
    }

    @Test
    void nodeThatJoinsLaterIsServedAndIsLeftAloneWhileNothingConcernsIt() {
        cloud.with("n1", "10.8.0.0/24", "fd00:8::/64");
        run(follow());

        nodes.register("n1");
        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        eventually(() -> assertThat(cloud.asked()).isEqualTo(1));
        nodes.touch("n1", labelled("a"));
        cloud.with("n2", "10.9.0.0/24");
        nodes.register("n2");
        eventually(() -> assertThat(node("n2").networkUnavailable()).isEqualTo("False"));

        assertThat(cloud.asked()).isEqualTo(2);
        assertThat(node("n1").entry().podCidrs()).containsExactly("10.8.0.0/24", "fd00:8::/64");
    }

    @Test
    void networkThatAnotherShutsIsOpenedAgain() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");
        run(follow());
        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));

        nodes.touch("n1", json -> {
            json.remove("status");
            return json;
        });

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(nodes.patches().stream().filter(patch -> patch.contains("podCIDR")))
                .hasSize(1);
    }

    @Test
    void failureIsRecordedRetriedTenTimesAndThenDropped() {
        nodes.register("n1");
        run(follow());

        eventually(() -> assertThat(reports).contains("error syncing 'n1': Exceeded retry count, dropping from queue"));

        assertThat(cloud.asked()).isEqualTo(11);
        assertThat(reports)
                .contains("error syncing 'n1': failed to get cidr(s) from provider: there is no machine gce://p/z/n1");
        eventually(() -> assertThat(nodes.events())
                .containsExactly("cidrAllocator CIDRNotAvailable: Node n1 status is now: CIDRNotAvailable"));
        cloud.with("n1", "10.8.0.0/24");
        nodes.touch("n1", labelled("a"));
        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.8.0.0/24"));
    }

    @Test
    void passingFailureOfTheCloudDelaysANode() {
        cloud.with("n1", "10.8.0.0/24").answering(new AliasRanges.Failed("away"), new AliasRanges.Failed("away"));
        nodes.register("n1");

        run(follow());

        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.8.0.0/24"));
        assertThat(reports).containsExactly("error syncing 'n1': failed to get cidr(s) from provider: away");
    }

    @Test
    void nodeWhoseAttemptEndsByABugIsTriedAgainAndTheBugIsReported() {
        cloud.with("n1", "10.8.0.0/24").withABug();
        nodes.register("n1");

        run(new CloudIpamSettings(new Kind.Follow(), 1));

        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.8.0.0/24"));
        assertThat(reports)
                .anyMatch(report -> report.startsWith("cloud-cidr-1 goes on after a failure that is a bug:"
                        + " java.lang.IllegalStateException: this is wrong, at "));
    }

    @Test
    void deletionThatTheWatchShowsLateFreesNothingOfANodeMadeAnewThatTheLeaderListed() {
        cloud.with("n1", "10.1.7.0/24");
        nodes.register("n1");
        nodes.delete("n1");
        long deletedAt = store.listAll(NodeObject.key("n1")).revision();
        nodes.register("n1", CloudOfMachines.providerId("n1"), "10.1.7.0/24");
        var loop = new CloudIpam(context(), sync(CloudSetup.IPAM_FROM_CLUSTER), cloud, nodes);
        running.add(() -> {
            loop.dismissed();
            loop.close();
        });
        loop.start();
        loop.elected(new FencedDatastore(store, leading::get, "a", 0));
        eventually(() -> assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs"))
                .isEqualTo(1 / 256.0));

        var late = new Watch.Change.Deleted(NodeObject.key("n1"), deletedAt);
        loop.handlers().getFirst().change(new Watch.Notice.Changed(deletedAt, List.of(late)));

        assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs")).isEqualTo(1 / 256.0);
    }

    @Test
    @DisplayName("IPAMFromCluster: a node that cannot be read may have any block")
    void noBlockIsGivenWhileAnUnknownNodeCannotBeRead() {
        cloud.with("n1");
        nodes.register("n1");
        var strange = NodeObject.key("strange");
        store.commit(List.of(new Write.Create(strange, Bytes.ofUtf8("[]"))));

        run(sync(CloudSetup.IPAM_FROM_CLUSTER));

        eventually(() -> assertThat(reports)
                .contains("no CIDR is given to any Node, since Node strange cannot be read and may have any:"
                        + " mend or delete it"));
        assertThat(cloud.rangesOf("n1")).isEmpty();
        store.commit(List.of(
                new Write.Delete(strange, store.get(strange).orElseThrow().revision())));
        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.1.1.0/24"));
    }

    @Test
    void nodeWithoutAProviderIdIsNotAskedFor() {
        nodes.register("n1", "");
        run(follow());

        eventually(() -> assertThat(reports).contains("error syncing 'n1': node n1 doesn't have providerID"));

        assertThat(cloud.asked()).isZero();
    }

    @Test
    void patchThatFailsThreeTimesIsRecordedAndTriedAgain() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");
        nodes.refusing(3);

        run(follow());

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        eventually(() -> assertThat(nodes.events())
                .containsExactly("cidrAllocator CIDRAssignmentFailed: Node n1 status is now: CIDRAssignmentFailed"));
        assertThat(nodes.patches().stream().filter(patch -> patch.contains("podCIDR")))
                .hasSize(4);
        assertThat(reports)
                .containsExactly("error syncing 'n1': cannot give 10.8.0.0/24 to node n1: the server refuses");
    }

    @Test
    void patchWhoseAnswerWasLostIsSentAgain() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");
        nodes.losing(new Commit.Unknown("no answer"), new Commit.Unknown("no answer"));

        run(follow());

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(nodes.patches().stream().filter(patch -> patch.contains("podCIDR")))
                .hasSize(3);
        assertThat(reports).isEmpty();
    }

    @Test
    void otherCidrOfANodeIsNotOverwritten() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1", CloudOfMachines.providerId("n1"), "10.7.0.0/24");

        run(follow());

        eventually(() -> assertThat(nodes.events())
                .containsExactly("cidrAllocator CIDRAssignmentFailed: Node n1 status is now: CIDRAssignmentFailed"));
        assertThat(node("n1").networkUnavailable()).isEmpty();
    }

    @Test
    @DisplayName("IPAMFromCluster: a block is chosen, added to the machine and given to the node")
    void blockIsGivenToMachineAndNode() {
        cloud.with("n1").with("n2");
        nodes.register("n1");

        run(sync(CloudSetup.IPAM_FROM_CLUSTER));

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(cloud.rangesOf("n1")).containsExactly("10.1.1.0/24");
        assertThat(nodes.patches().getFirst())
                .isEqualTo("n1 {\"apiVersion\":\"\",\"kind\":\"\",\"metadata\":{\"name\":\"n1\"},"
                        + "\"spec\":{\"podCIDR\":\"10.1.1.0/24\"}}");
        assertThat(nodes.patches().getLast()).contains("\"message\":\"NodeController created an implicit route\"");
        nodes.register("n2");
        eventually(() -> assertThat(node("n2").entry().podCidrs()).containsExactly("10.1.2.0/24"));
    }

    @Test
    @DisplayName("IPAMFromCluster: an attempt that stops after the cloud goes on there")
    void attemptThatStopsAfterTheCloudGoesOnThere() {
        cloud.with("n1");
        cloud.loseAnswers(true);
        nodes.register("n1");
        nodes.refusing(1);

        run(sync(CloudSetup.IPAM_FROM_CLUSTER));

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(cloud.rangesOf("n1")).containsExactly("10.1.1.0/24");
        assertThat(node("n1").entry().podCidrs()).containsExactly("10.1.1.0/24");
        assertThat(reports)
                .containsExactly(
                        "error syncing 'n1': the answer was lost",
                        "error syncing 'n1': cannot give 10.1.1.0/24 to node n1: the server refuses");
    }

    @Test
    @DisplayName("IPAMFromCluster: a network that could not be opened is opened by the next attempt")
    void networkIsOpenedByTheNextAttempt() {
        cloud.with("n1");
        nodes.register("n1");
        run(sync(CloudSetup.IPAM_FROM_CLUSTER, Duration.ofSeconds(30)));
        // The patch of the CIDR passes, and that of the status does not.
        nodes.losing(new Commit.Unknown("no answer"), new Commit.Unknown("no answer"));

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));

        assertThat(node("n1").entry().podCidrs()).isNotEmpty();
    }

    @Test
    @DisplayName("IPAMFromCluster: a block that the cloud refuses is passed over")
    void blockThatTheCloudRefusesIsPassedOver() {
        cloud.with("n1").with("foreign", "10.1.0.0/22");
        nodes.register("n1");

        run(sync(CloudSetup.IPAM_FROM_CLUSTER));

        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.1.4.0/24"));
        assertThat(reports)
                .containsExactly(
                        "error syncing 'n1': 10.1.1.0/24 is already being used by another resource",
                        "error syncing 'n1': 10.1.2.0/24 is already being used by another resource",
                        "error syncing 'n1': 10.1.3.0/24 is already being used by another resource");
    }

    @Test
    @DisplayName("NC-48, IPAMFromCloud: a node without a CIDR and without an alias is in the wrong mode")
    void nc48_nothingToCopyFromTheCloud() {
        cloud.with("n1");
        nodes.register("n1");

        run(sync(CloudSetup.IPAM_FROM_CLOUD));

        eventually(() -> assertThat(nodes.events())
                .containsExactly("cloudCIDRAllocator CloudCIDRAllocatorInvalidMode: Cannot allocate CIDRs in mode"
                        + " \"SyncFromCloud\""));
        assertThat(nodes.patches()).isEmpty();
        assertThat(nodes.eventDocuments().getFirst().path("involvedObject"))
                .hasToString("{\"kind\":\"Node\",\"name\":\"n1\"}");
        cloud.with("n1", "10.1.9.0/24");
        eventually(() -> assertThat(node("n1").entry().podCidrs()).containsExactly("10.1.9.0/24"));
    }

    @Test
    void differenceIsRecordedAndLeftToAnOperator() {
        cloud.with("n1", "10.1.9.0/24");
        nodes.register("n1", CloudOfMachines.providerId("n1"), "10.1.7.0/24");

        run(sync(CloudSetup.IPAM_FROM_CLOUD));

        eventually(() -> assertThat(nodes.events())
                .containsExactly("cloudCIDRAllocator CloudCIDRAllocatorMismatch: Node.Spec.PodCIDR != cloud alias"
                        + " (10.1.7.0/24 != 10.1.9.0/24)"));
        assertThat(nodes.patches()).isEmpty();
        assertThat(reports).isEmpty();
    }

    @Test
    void deletedNodeGivesItsBlockBack() {
        cloud.with("n1");
        nodes.register("n1", CloudOfMachines.providerId("n1"), "10.1.7.0/24");
        var loop = run(sync(CloudSetup.IPAM_FROM_CLUSTER));
        eventually(() -> assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs"))
                .isEqualTo(1 / 256.0));

        nodes.delete("n1");

        eventually(() -> assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs"))
                .isZero());
        // One more, taken and given back at the beginning.
        assertThat(figure(loop, "node_ipam_controller_cidrset_cidrs_releases_total"))
                .isEqualTo(2);
        assertThat(figure(loop, "node_ipam_controller_cirdset_max_cidrs")).isEqualTo(256);
    }

    @Test
    void nodeThatIsDeletedWhileTheCloudIsAskedKeepsNoBlock() {
        cloud.with("n1");
        cloud.shutGate();
        nodes.register("n1");
        var loop = run(sync(CloudSetup.IPAM_FROM_CLUSTER));
        eventually(() -> assertThat(cloud.asked()).isEqualTo(1));

        nodes.delete("n1");
        nodes.register("n2", "", "bogus");
        eventually(() -> assertThat(reports).contains("error syncing 'n2': node n2 doesn't have providerID"));
        cloud.openGate();

        // The block that is taken and given back at the beginning, and the one of the node.
        eventually(() -> assertThat(figure(loop, "node_ipam_controller_cidrset_cidrs_releases_total"))
                .isEqualTo(2));
        assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs")).isZero();
    }

    @Test
    void deletedNodeWithAnUnreadableCidrIsRecorded() {
        nodes.register("n1", "", "bogus");
        var loop = run(sync(CloudSetup.IPAM_FROM_CLUSTER));
        eventually(() -> assertThat(reports).contains("error syncing 'n1': node n1 doesn't have providerID"));

        nodes.delete("n1");

        eventually(() -> assertThat(nodes.events())
                .containsExactly("cloudCIDRAllocator CloudCIDRAllocatorInvalidPodCIDR: Node \"n1\" has an invalid"
                        + " PodCIDR: \"bogus\""));
        assertThat(figure(loop, "node_ipam_controller_cidrset_usage_cidrs")).isZero();
    }

    @Test
    void nodeIsLookedAtAgainEveryThirtySeconds() {
        cloud.with("n1", "10.1.7.0/24");
        nodes.register("n1", CloudOfMachines.providerId("n1"), "10.1.7.0/24");

        run(sync(CloudSetup.IPAM_FROM_CLOUD, Duration.ofSeconds(30)));

        eventually(() -> assertThat(cloud.asked()).isGreaterThan(3));
        assertThat(nodes.patches()).isEmpty();
    }

    @Test
    void serviceRangesThatTakeEverythingAreAFault() {
        var settings = sync(CloudSetup.IPAM_FROM_CLUSTER, Duration.ofSeconds(30), "10.0.0.0/12");

        var loop = run(settings);

        assertThat(settings.fault())
                .hasValueSatisfying(sentence ->
                        assertThat(sentence).startsWith("failed after occupy serviceCIDR: CIDR allocation failed;"));
        eventually(() -> assertThat(loop.fault()).isEqualTo(settings.fault()));
    }

    @Test
    void processThatDoesNotLeadAsksAndWritesNothing() {
        cloud.with("n1", "10.8.0.0/24");
        var loop = run(follow());
        loop.dismissed();

        nodes.register("n1");
        cloud.with("n2", "10.9.0.0/24");
        leading.set(true);
        loop.elected(new FencedDatastore(store, leading::get, "a", 0));
        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        leading.set(false);
        nodes.register("n2");

        eventually(() -> assertThat(cloud.asked()).isEqualTo(2));
        assertThat(node("n2").entry().podCidrs()).isEmpty();
    }

    @Test
    void statusIsNotPatchedOnceTheTermIsOver() {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");
        var turns = new AtomicInteger();
        nodes.beforeStatus(() -> {
            leading.set(false);
            turns.incrementAndGet();
        });
        var loop = run(follow());
        eventually(() -> assertThat(turns).hasValue(1));

        loop.dismissed();
        loop.elected(new FencedDatastore(store, () -> true, "a", 0));

        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));
        assertThat(nodes.patches().stream().filter(patch -> patch.contains("NetworkUnavailable")))
                .hasSize(1);
    }

    @Test
    void whatANodeWasGivenIsInTheHistory() throws Exception {
        cloud.with("n1", "10.8.0.0/24");
        nodes.register("n1");
        run(follow());
        eventually(() -> assertThat(node("n1").networkUnavailable()).isEqualTo("False"));

        close();
        running.clear();

        assertThat(ledger.read(1, 10)).extracting(Ledger.Recorded::entry).anySatisfy(entry -> {
            assertThat(entry.request()).isEqualTo("node-cidr add n1");
            assertThat(entry.granted()).hasSize(1);
        });
    }

    private CloudNode node(String name) {
        return nodes.node(name).node();
    }

    private static UnaryOperator<ObjectNode> labelled(String label) {
        return json -> {
            ((ObjectNode) json.path("metadata")).putObject("labels").put("label", label);
            return json;
        };
    }

    private static CloudIpamSettings follow() {
        return new CloudIpamSettings(new Kind.Follow(), 4);
    }

    private static CloudIpamSettings sync(String type) {
        return sync(type, Duration.ofSeconds(30));
    }

    private static CloudIpamSettings sync(String type, Duration resync) {
        return sync(type, resync, "");
    }

    private static CloudIpamSettings sync(String type, Duration resync, String serviceRange) {
        var flags = NodeCidrFlags.forCluster("10.1.0.0/16")
                .withServiceRange(serviceRange)
                .withAllocatorType(type);
        return switch (CloudSetup.from(flags, CloudSetup.GCE)) {
            case CloudSetup.Sync sync ->
                new CloudIpamSettings(
                        new Kind.Sync(
                                sync,
                                new SyncBackoff(resync, SyncBackoff.DEFAULT.longest(), SyncBackoff.DEFAULT.first())),
                        4);
            case CloudSetup other -> throw new AssertionError("not configured: " + other);
        };
    }

    private ControllerContext context() {
        return new ControllerContext(
                store,
                ledger,
                () -> BEGINNING.plusNanos(nanos()),
                this::nanos,
                new SplittableRandom(1),
                wait -> REAL.pause(wait.dividedBy(SPEED)),
                reports::add);
    }

    private CloudIpam run(CloudIpamSettings settings) {
        var context = context();
        var loop = new CloudIpam(context, settings, cloud, nodes);
        var loops = ControlLoops.begin(context, "a", List.of(loop));
        running.add(() -> {
            loop.dismissed();
            loops.close();
        });
        loop.elected(new FencedDatastore(store, leading::get, "a", 0));
        return loop;
    }

    private long nanos() {
        return (System.nanoTime() - began.get()) * SPEED;
    }

    private static double figure(CloudIpam loop, String name) {
        return loop.figures().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(Sample::value)
                .findFirst()
                .orElse(0);
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).untilAsserted(check);
    }
}
