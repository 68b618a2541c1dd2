package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.controller.collection.Collector.Outcome;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.CalicoKey;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the collector takes back and what not, on any store. Ids are those of
/// `docs/compat/calico.md`.
abstract class CollectionContract {

    private static final String V4 = "10.0.0.0/24";

    private CollectorCluster cluster = new CollectorCluster(new MemoryDatastore());

    /// A store with nothing in it.
    abstract Datastore emptyStore();

    @BeforeEach
    void settle() {
        cluster = new CollectorCluster(emptyStore())
                .pool("default", V4, 30)
                .node("node-1")
                .node("node-2");
    }

    /// CAL-104
    @Test
    void theAddressOfAPodThatIsGoneIsReleasedAfterTheGraceAndItsBlockStays() {
        cluster.give("10.0.0.1", "default/web", "node-1");

        var first = cluster.look();
        var within = cluster.held();
        cluster.pass(CollectorCluster.GRACE);
        cluster.look();
        var atTheEnd = cluster.held();
        cluster.pass(Duration.ofMillis(1));
        cluster.look();

        assertThat(first).isEqualTo(Outcome.SETTLED);
        assertThat(within).containsExactly("10.0.0.1");
        assertThat(atTheEnd).containsExactly("10.0.0.1");
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isEmpty();
        assertThat(cluster.blocks()).containsExactly("10.0.0.0/30");
        assertThat(cluster.reports()).containsExactly("released leaked 10.0.0.1");
    }

    /// CAL-105
    @Test
    void withoutAGraceItStaysACandidate() {
        cluster.give("10.0.0.1", "default/web", "node-1");

        cluster.look(Duration.ZERO);
        cluster.pass(Duration.ofDays(1));
        cluster.look(Duration.ZERO);

        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.figures("ipam_allocations_gc_candidates"))
                .contains("ipam_allocations_gc_candidates{ippool=\"default\",node=\"node-1\"} 1");
    }

    /// CAL-106
    @Test
    void aNodeThatIsGoneIsCleanedOnceItsPodsAre() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.2", "default/b", "node-1");
        cluster.pod("default/a", "node-1", "10.0.0.1");
        cluster.pod("default/b", "node-1", "10.0.0.2");
        cluster.nodeDies("node-1");

        cluster.look();
        var withPods = cluster.held();
        cluster.podDies("default/a");
        cluster.podDies("default/b");
        cluster.look();

        assertThat(withPods).containsExactly("10.0.0.1", "10.0.0.2");
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isEmpty();
        assertThat(cluster.blocks()).isEmpty();
        assertThat(cluster.has("/calico/ipam/v2/host/node-1/ipv4/block/10.0.0.0-30"))
                .isFalse();
    }

    @Test
    void theRecordOfANodeIsRemovedOnceNothingIsIts() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.pod("default/a", "node-1", "10.0.0.1");
        cluster.nodeDies("node-1");
        var record = new CalicoKey.OfNode("node-1").text();
        var oldRecord = new CalicoKey.OfHostRecord("node-1").text();
        cluster.put(oldRecord, "{}");

        cluster.look();
        boolean whileInUse = cluster.has(record);
        cluster.podDies("default/a");
        cluster.look();
        cluster.look();

        assertThat(whileInUse).isTrue();
        assertThat(cluster.has(record)).isFalse();
        assertThat(cluster.has(oldRecord)).isFalse();
        assertThat(cluster.has(new CalicoKey.OfNode("node-2").text())).isTrue();
    }

    @Test
    void aNodeOutsideKubernetesIsLeftAlone() {
        cluster.calicoNode("router", "{}");
        cluster.give("10.0.0.1", "default/a", "router");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.has(new CalicoKey.OfNode("router").text())).isTrue();
    }

    /// CAL-107
    @Test
    void tunnelsGoWithTheirNodeAndNotBefore() {
        cluster.giveTunnel("10.0.0.1", "node-1");
        cluster.giveTunnel("10.0.0.9", "node-2");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();
        var alive = cluster.held();
        cluster.nodeDies("node-1");
        cluster.look();

        assertThat(alive).containsExactly("10.0.0.1", "10.0.0.9");
        assertThat(cluster.held()).containsExactly("10.0.0.9");
        assertThat(cluster.blocks()).containsExactly("10.0.0.8/30");
    }

    /// CAL-108
    @Test
    void anAddressThatItsPodDoesNotHaveIsReleasedAndOneOfAPodWithNoneYetIsKept() {
        cluster.give("10.0.0.1", "default/other", "node-1");
        cluster.give("10.0.0.2", "default/early", "node-1");
        cluster.pod("default/other", "node-1", "10.0.0.77");
        cluster.pod("default/early", "node-1");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.2");
    }

    @Test
    void aPodThatMovedLosesTheAddressOfItsFormerNode() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.pod("default/web", "node-2", "10.0.0.1");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void anEvictedPodLosesItsAddressAndOneThatFailedDoesNot() {
        cluster.give("10.0.0.1", "default/evicted", "node-1");
        cluster.give("10.0.0.2", "default/failed", "node-1");
        cluster.peculiarPod(
                "default/evicted", "node-1", "\"phase\":\"Failed\",\"reason\":\"Evicted\"", "{}", "10.0.0.1");
        cluster.peculiarPod("default/failed", "node-1", "\"phase\":\"Failed\"", "{}", "10.0.0.2");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.2");
    }

    @Test
    void addressesOfExtraNetworksCount() {
        cluster.give("10.0.0.1", "default/annotated", "node-1");
        cluster.give("10.0.0.2", "default/several", "node-1");
        cluster.peculiarPod(
                "default/annotated",
                "node-1",
                "\"phase\":\"Running\"",
                "{\"cni.projectcalico.org/podIPs\":\"192.0.2.7/32,10.0.0.1/32\"}",
                "192.0.2.7");
        cluster.peculiarPod(
                "default/several",
                "node-1",
                "\"phase\":\"Running\"",
                "{\"k8s.v1.cni.cncf.io/network-status\":\"[{\\\"name\\\":\\\"x\\\",\\\"ips\\\":[\\\"10.0.0.2\\\"]}]\"}",
                "192.0.2.8");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1", "10.0.0.2");
    }

    @Test
    void aPodThatCannotBeReadCountsAsAlive() {
        cluster.give("10.0.0.1", "default/odd", "node-1");
        cluster.give("10.0.0.2", "default/broken", "node-1");
        cluster.pod("default/odd", "node-1", "no-address");
        cluster.put("/cadastre/api/v1/pods/default/broken", "[]");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1", "10.0.0.2");
    }

    /// CAL-109
    @Test
    void whatSaysTooLittleIsKeptAndKeepsItsNode() {
        cluster.give("10.0.0.1", "stranger", "node-1", "node", "node-1");
        cluster.give("10.0.0.2", "default/web", "node-1");
        cluster.nodeDies("node-1");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.blocks()).containsExactly("10.0.0.0/30");
    }

    /// CAL-110
    @Test
    void bothAddressesOfAHandleAreReleasedOrNone() {
        cluster.pool("six", "fd00::/120", 126);
        cluster.give("10.0.0.1", "default/dual", "node-1");
        cluster.give("fd00::1", "default/dual", "node-1");
        cluster.pod("default/dual", "node-1", "10.0.0.1");

        cluster.look();
        cluster.graceHasPassed();
        var outcome = cluster.look();
        var alive = cluster.held();
        cluster.podDies("default/dual");
        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(alive).containsExactly("10.0.0.1", "fd00::1");
        assertThat(cluster.held()).isEmpty();
    }

    /// CAL-111
    @Test
    void anEmptyBlockIsGivenUpAfterTheGraceIfItsNodeHasAnother() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.5", "default/b", "node-1");
        cluster.pod("default/a", "node-1", "10.0.0.1");
        cluster.release("net.default-b");

        cluster.look();
        cluster.pass(CollectorCluster.GRACE);
        cluster.look();
        var within = cluster.blocks();
        cluster.pass(Duration.ofMillis(1));
        cluster.look();

        assertThat(within).containsExactly("10.0.0.0/30", "10.0.0.4/30");
        assertThat(cluster.blocks()).containsExactly("10.0.0.0/30");
        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void theLastBlockOfANodeStaysHoweverLongItIsEmpty() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.5", "default/b", "node-1");
        cluster.release("net.default-a");
        cluster.release("net.default-b");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.blocks()).hasSize(1);
    }

    @Test
    void aNodeThatIsBeingMigratedKeepsItsEmptyBlocks() {
        cluster.kubernetesNode("node-1", "{\"projectcalico.org/node-flannel-migration-in-progress\":\"true\"}");
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.5", "default/b", "node-1");
        cluster.release("net.default-a");
        cluster.release("net.default-b");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.blocks()).containsExactly("10.0.0.0/30", "10.0.0.4/30");
    }

    /// CAL-113
    @Test
    void whatHasCooledDownIsFreed() {
        cluster.cooldown(60);
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.release("net.default-a");

        cluster.pass(Duration.ofSeconds(59));
        cluster.look();
        int cool = cluster.freeIn("10.0.0.0/30");
        cluster.pass(Duration.ofSeconds(2));
        cluster.look();

        assertThat(cool).isEqualTo(3);
        assertThat(cluster.freeIn("10.0.0.0/30")).isEqualTo(4);
    }

    /// CAL-114
    @Test
    void anAddressThatIsGivenAnewIsSuspectedAnew() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.release("net.default-web");
        cluster.give("10.0.0.1", "default/web", "node-1");

        cluster.look();
        var anew = cluster.held();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(anew).containsExactly("10.0.0.1");
        assertThat(cluster.held()).isEmpty();
    }

    /// CAL-115
    @Test
    void theEmptyBlockOfANodeThatVanishedIsGivenUpByALookAtEverything() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.release("net.default-a");
        cluster.nodeDies("node-1");
        cluster.drop(new CalicoKey.OfNode("node-1").text());

        cluster.lookAt("node-2");
        var before = cluster.blocks();
        cluster.look();

        assertThat(before).containsExactly("10.0.0.0/30");
        assertThat(cluster.blocks()).isEmpty();
    }

    /// CAL-116
    @Test
    void aNodeThatCannotBeCleanedDoesNotKeepOthersFromBeingCleaned() {
        cluster.node("node-3");
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.5", "default/b", "node-2");
        cluster.give("10.0.0.9", "default/c", "node-3");
        cluster.put("/calico/ipam/v2/handle/net.default-b", "not a handle");
        cluster.nodeDies("node-1");
        cluster.nodeDies("node-2");
        cluster.nodeDies("node-3");

        var outcome = cluster.look();
        var left = cluster.held();
        cluster.put(
                "/calico/ipam/v2/handle/net.default-b",
                "{\"handle_id\":\"net.default-b\",\"block\":{\"10.0.0.4/30\":1},\"deleted\":false}");
        cluster.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(left).containsExactly("10.0.0.5");
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.blocks()).isEmpty();
    }

    /// CAL-117
    @Test
    void whileTheStoreIsLockedNothingHappens() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.nodeDies("node-1");
        cluster.ready(false);

        cluster.look();
        var locked = cluster.held();
        cluster.ready(true);
        cluster.look();

        assertThat(locked).containsExactly("10.0.0.1");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void aPodThatTheWatchesHaveNotReportedYetKeepsItsAddress() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.catchUp();
        cluster.pod("default/web", "node-1", "10.0.0.1");

        var outcome = cluster.lookAtReportedState(CollectorCluster.GRACE);
        var later = cluster.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(later).isEqualTo(Outcome.SETTLED);
        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anAddressThatWasReassignedAfterTheLastEventIsKept() {
        cluster.give("10.0.0.1", "default/old", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.catchUp();
        cluster.release("net.default-old");
        cluster.give("10.0.0.1", "default/new", "node-1");
        cluster.pod("default/new", "node-1", "10.0.0.1");

        cluster.lookAtReportedState(CollectorCluster.GRACE);

        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.handles()).containsExactly("net.default-new");
    }

    @Test
    void aNodeThatCameBackAfterTheLastEventKeepsItsTunnel() {
        cluster.giveTunnel("10.0.0.1", "node-1");
        cluster.nodeDies("node-1");
        cluster.catchUp();
        cluster.kubernetesNode("node-1", "{}");

        var outcome = cluster.lookAtReportedState(CollectorCluster.GRACE);

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.has(new CalicoKey.OfNode("node-1").text())).isTrue();
    }

    @Test
    void aNodeRecordThatCannotBeReadIsNotTakenForADeadNode() {
        cluster.giveTunnel("10.0.0.1", "node-1");
        cluster.put(new CalicoKey.OfNode("node-1").text(), "[]");

        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void inAStoreWithoutPodsNoPodIsTakenForDead() {
        var wilderness =
                new CollectorCluster(emptyStore()).pool("default", V4, 30).node("node-1");
        wilderness.podDies("kube-system/dns");
        wilderness.give("10.0.0.1", "default/web", "node-1");

        wilderness.look();
        wilderness.graceHasPassed();
        wilderness.look();

        assertThat(wilderness.held()).containsExactly("10.0.0.1");
    }

    @Test
    void inAStoreWithoutNodesOfKubernetesNoPodIsTakenForDead() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.nodeDies("home");
        cluster.nodeDies("node-1");
        cluster.nodeDies("node-2");

        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aNewTermSuspectsNoAddressYet() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();

        cluster.newTerm();
        cluster.look();
        var atFirst = cluster.held();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(atFirst).containsExactly("10.0.0.1");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void moreLeaksThanFitIntoOneCommitAreReleasedInSeveral() {
        cluster.pool("wide", "10.1.0.0/24", 26);
        for (int number = 0; number < 200; number++) {
            cluster.give("10.1.0." + number, "default/web-" + number, "node-1");
        }

        cluster.look();
        cluster.graceHasPassed();
        var outcome = cluster.look();

        assertThat(outcome).isEqualTo(Outcome.SETTLED);
        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.handles()).isEmpty();
    }

    @Test
    void reclaimedAddressIsInTheLedger() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();

        cluster.look();

        var last =
                cluster.ledger().of("handle/net.default-web", 1, 10).getLast().entry();
        assertThat(last.request()).isEqualTo("controller: release leaked 10.0.0.1");
        assertThat(last.returned()).isNotEmpty();
    }

    @Test
    void figuresAreCalicosByNameAndLabels() {
        cluster.pool("six", "fd00::/64", 122).reservation("first", "10.0.0.0/28");
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.give("10.0.0.2", "default/b", "node-2");
        cluster.give("fd00::1", "stranger", "node-2", "note", "by hand");
        cluster.pod("default/a", "node-1", "10.0.0.1");
        cluster.pod("default/b", "node-2", "10.0.0.2");
        cluster.give("10.0.0.9", "default/gone", "node-2");
        cluster.look();
        cluster.graceHasPassed();
        cluster.look();
        cluster.give("10.0.0.9", "default/gone", "node-2");

        cluster.look();

        assertThat(cluster.allFigures()).isEqualTo("""
            # HELP ipam_allocations_in_use Addresses in use, by pool and node.
            # TYPE ipam_allocations_in_use gauge
            ipam_allocations_in_use{ippool="default",node="home"} 0
            ipam_allocations_in_use{ippool="default",node="node-1"} 1
            ipam_allocations_in_use{ippool="default",node="node-2"} 2
            ipam_allocations_in_use{ippool="six",node="home"} 0
            ipam_allocations_in_use{ippool="six",node="node-1"} 0
            ipam_allocations_in_use{ippool="six",node="node-2"} 0
            ipam_allocations_in_use{ippool="six",node="unknown_node"} 1
            # HELP ipam_allocations_borrowed Addresses in use on a node that does not own their block.
            # TYPE ipam_allocations_borrowed gauge
            ipam_allocations_borrowed{ippool="default",node="home"} 0
            ipam_allocations_borrowed{ippool="default",node="node-1"} 0
            ipam_allocations_borrowed{ippool="default",node="node-2"} 1
            ipam_allocations_borrowed{ippool="six",node="home"} 0
            ipam_allocations_borrowed{ippool="six",node="node-1"} 0
            ipam_allocations_borrowed{ippool="six",node="node-2"} 0
            ipam_allocations_borrowed{ippool="six",node="unknown_node"} 1
            # HELP ipam_blocks Blocks, by pool and node.
            # TYPE ipam_blocks gauge
            ipam_blocks{ippool="default",node="node-1"} 1
            ipam_blocks{ippool="default",node="node-2"} 1
            ipam_blocks{ippool="six",node="node-2"} 1
            # HELP ipam_allocations_gc_candidates Addresses suspected to be leaked.
            # TYPE ipam_allocations_gc_candidates gauge
            ipam_allocations_gc_candidates{ippool="default",node="home"} 0
            ipam_allocations_gc_candidates{ippool="default",node="node-1"} 0
            ipam_allocations_gc_candidates{ippool="default",node="node-2"} 1
            ipam_allocations_gc_candidates{ippool="six",node="home"} 0
            ipam_allocations_gc_candidates{ippool="six",node="node-1"} 0
            ipam_allocations_gc_candidates{ippool="six",node="node-2"} 0
            # HELP ipam_allocations_gc_reclamations Addresses released because they were leaked.
            # TYPE ipam_allocations_gc_reclamations counter
            ipam_allocations_gc_reclamations{ippool="default",node="node-2"} 1
            # HELP ipam_ippool_size Addresses in a pool.
            # TYPE ipam_ippool_size gauge
            ipam_ippool_size{ippool="default"} 256
            ipam_ippool_size{ippool="six"} 1.8446744073709552E19
            # HELP ipam_ippool_reserved Reserved addresses in a pool.
            # TYPE ipam_ippool_reserved gauge
            ipam_ippool_reserved{ippool="default"} 16
            ipam_ippool_reserved{ippool="six"} 0
            # HELP ipam_allocations_per_node Addresses in use, by node.
            # TYPE ipam_allocations_per_node gauge
            ipam_allocations_per_node{node="node-1"} 1
            ipam_allocations_per_node{node="node-2"} 2
            ipam_allocations_per_node{node="unknown_node"} 1
            # HELP ipam_allocations_borrowed_per_node Addresses in use on a node that does not own their block, by node.
            # TYPE ipam_allocations_borrowed_per_node gauge
            ipam_allocations_borrowed_per_node{node="node-2"} 1
            ipam_allocations_borrowed_per_node{node="unknown_node"} 1
            # HELP ipam_blocks_per_node Blocks, by node.
            # TYPE ipam_blocks_per_node gauge
            ipam_blocks_per_node{node="node-1"} 1
            ipam_blocks_per_node{node="node-2"} 2
            """);
    }

    @Test
    void blocksWithoutPoolOrOwnerHaveNamesInTheFigures() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.pod("default/a", "node-1", "10.0.0.1");
        cluster.drop(new CalicoKey.OfPool("default").text());
        cluster.catchUp();

        assertThat(cluster.figures("ipam_blocks"))
                .containsExactly("ipam_blocks{ippool=\"no_ippool\",node=\"node-1\"} 1");
    }

    @Test
    void whatWasReclaimedIsForgottenWithThePool() {
        cluster.give("10.0.0.1", "default/a", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.look();
        var before = cluster.figures("ipam_allocations_gc_reclamations");
        cluster.drop(new CalicoKey.OfPool("default").text());
        cluster.catchUp();

        var after = cluster.figures("ipam_allocations_gc_reclamations");

        assertThat(before).containsExactly("ipam_allocations_gc_reclamations{ippool=\"default\",node=\"node-1\"} 1");
        assertThat(after).isEmpty();
    }

    // ---- Calico's own nodes and endpoints, beside those of Kubernetes ----

    @Test
    void aPodKeepsItsAddressWhereCalicoCallsItsNodeDifferently() {
        cluster.calicoNode("rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        cluster.give("10.0.0.1", "default/web", "rack-7");
        cluster.pod("default/web", "node-1", "10.0.0.1");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aPodKeepsItsAddressWhenCalicoForgetsANodeThatItCalledDifferently() {
        cluster.calicoNode("rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        cluster.give("10.0.0.1", "default/web", "rack-7");
        cluster.pod("default/web", "node-1", "10.0.0.1");
        cluster.drop(new CalicoKey.OfNode("rack-7").text());

        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aPodThatMovedToAnotherNodeLeavesItsAddressBehindAlsoThere() {
        cluster.calicoNode("rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        cluster.give("10.0.0.1", "default/web", "rack-7");
        cluster.pod("default/web", "node-2");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void anAddressIsKeptAsLongAsAnEndpointHasIt() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.endpoint("default/web", "node-1", "10.0.0.1");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();
        var withEndpoint = cluster.held();
        cluster.endpointGoes("default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(withEndpoint).containsExactly("10.0.0.1");
        assertThat(cluster.held()).isEmpty();
    }

    @Test
    void anEndpointThatTheWatchesHaveNotReportedYetKeepsItsAddress() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.look();
        cluster.graceHasPassed();
        cluster.endpoint("default/web", "node-1", "10.0.0.1");

        cluster.lookAtReportedState(CollectorCluster.GRACE);

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anEndpointThatCannotBeReadKeepsWhatItsPodHas() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.endpoint("default/web", "node-1", "nonsense");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anEndpointOfAnotherAddressKeepsNothing() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.give("10.0.0.2", "default/api", "node-1");
        cluster.endpoint("default/api", "node-1", "10.0.0.2");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.2");
    }

    @Test
    void anEndpointOfANodeThatIsGoneKeepsNothing() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.endpoint("default/web", "node-1", "10.0.0.1");
        cluster.nodeDies("node-1");

        cluster.look();

        assertThat(cluster.held()).isEmpty();
        assertThat(cluster.blocks()).isEmpty();
    }

    @Test
    void thePodsOfAnotherClusterProveNothing() {
        cluster.give("10.0.0.1", "default/web", "node-1");
        cluster.nodeDies("node-1");
        cluster.nodeDies("node-2");
        cluster.nodeDies("home");
        cluster.kubernetesNode("node-of-another-cluster", "{}");

        cluster.look();
        cluster.graceHasPassed();
        cluster.look();

        assertThat(cluster.held()).containsExactly("10.0.0.1");
        assertThat(cluster.has(new CalicoKey.OfNode("node-1").text())).isTrue();
    }

    @Test
    void withoutKubernetesOnlyBlocksThatStayEmptyAreTakenBack() {
        var alone = new CollectorCluster(emptyStore(), ClusterSource.CALICO_ALONE)
                .pool("default", V4, 30)
                .node("node-1");
        alone.give("10.0.0.1", "default/web", "node-1");
        alone.give("10.0.0.5", "default/brief", "node-1");
        alone.giveTunnel("10.0.0.9", "node-that-is-gone");
        alone.release("net.default-brief");

        alone.look();
        alone.graceHasPassed();
        alone.look();

        assertThat(alone.held()).containsExactly("10.0.0.1", "10.0.0.9");
        assertThat(alone.blocks()).containsExactly("10.0.0.0/30", "10.0.0.8/30");
        assertThat(alone.has(new CalicoKey.OfNode("node-1").text())).isTrue();
    }
}
