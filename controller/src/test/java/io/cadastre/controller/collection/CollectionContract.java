package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.controller.collection.Collector.Outcome;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.calico.CalicoKey;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// What the collector takes back and what not, on any store. Ids are those of
/// `docs/compat/calico.md`.
abstract class CollectionContract {

    private static final String V4 = "10.0.0.0/24";

    private Settlement town = new Settlement(new MemoryDatastore());

    /// A store with nothing in it.
    abstract Datastore emptyStore();

    @BeforeEach
    void settle() {
        town = new Settlement(emptyStore()).pool("default", V4, 30).node("node-1").node("node-2");
    }

    /// CAL-104
    @Test
    void theAddressOfAPodThatIsGoneIsReleasedAfterTheGraceAndItsBlockStays() {
        town.give("10.0.0.1", "default/web", "node-1");

        var first = town.look();
        var within = town.held();
        town.pass(Settlement.GRACE);
        town.look();
        var atTheEnd = town.held();
        town.pass(Duration.ofMillis(1));
        town.look();

        assertThat(first).isEqualTo(Outcome.SETTLED);
        assertThat(within).containsExactly("10.0.0.1");
        assertThat(atTheEnd).containsExactly("10.0.0.1");
        assertThat(town.held()).isEmpty();
        assertThat(town.handles()).isEmpty();
        assertThat(town.blocks()).containsExactly("10.0.0.0/30");
        assertThat(town.reports()).containsExactly("released leaked 10.0.0.1");
    }

    /// CAL-105
    @Test
    void withoutAGraceItStaysACandidate() {
        town.give("10.0.0.1", "default/web", "node-1");

        town.look(Duration.ZERO);
        town.pass(Duration.ofDays(1));
        town.look(Duration.ZERO);

        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.figures("ipam_allocations_gc_candidates"))
                .contains("ipam_allocations_gc_candidates{ippool=\"default\",node=\"node-1\"} 1");
    }

    /// CAL-106
    @Test
    void aNodeThatIsGoneIsCleanedOnceItsPodsAre() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.2", "default/b", "node-1");
        town.pod("default/a", "node-1", "10.0.0.1");
        town.pod("default/b", "node-1", "10.0.0.2");
        town.nodeDies("node-1");

        town.look();
        var withPods = town.held();
        town.podDies("default/a");
        town.podDies("default/b");
        town.look();

        assertThat(withPods).containsExactly("10.0.0.1", "10.0.0.2");
        assertThat(town.held()).isEmpty();
        assertThat(town.handles()).isEmpty();
        assertThat(town.blocks()).isEmpty();
        assertThat(town.has("/calico/ipam/v2/host/node-1/ipv4/block/10.0.0.0-30")).isFalse();
    }

    @Test
    void theRecordOfANodeIsRemovedOnceNothingIsIts() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.pod("default/a", "node-1", "10.0.0.1");
        town.nodeDies("node-1");
        var record = new CalicoKey.OfNode("node-1").text();
        var oldRecord = new CalicoKey.OfHostRecord("node-1").text();
        town.put(oldRecord, "{}");

        town.look();
        boolean whileInUse = town.has(record);
        town.podDies("default/a");
        town.look();
        town.look();

        assertThat(whileInUse).isTrue();
        assertThat(town.has(record)).isFalse();
        assertThat(town.has(oldRecord)).isFalse();
        assertThat(town.has(new CalicoKey.OfNode("node-2").text())).isTrue();
    }

    @Test
    void aNodeThatIsNoneOfKubernetesIsLeftAlone() {
        town.calicoNode("router", "{}");
        town.give("10.0.0.1", "default/a", "router");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.has(new CalicoKey.OfNode("router").text())).isTrue();
    }

    /// CAL-107
    @Test
    void tunnelsGoWithTheirNodeAndNotBefore() {
        town.giveTunnel("10.0.0.1", "node-1");
        town.giveTunnel("10.0.0.9", "node-2");

        town.look();
        town.graceHasPassed();
        town.look();
        var alive = town.held();
        town.nodeDies("node-1");
        town.look();

        assertThat(alive).containsExactly("10.0.0.1", "10.0.0.9");
        assertThat(town.held()).containsExactly("10.0.0.9");
        assertThat(town.blocks()).containsExactly("10.0.0.8/30");
    }

    /// CAL-108
    @Test
    void anAddressThatItsPodDoesNotHaveIsReleasedAndOneOfAPodWithNoneYetIsKept() {
        town.give("10.0.0.1", "default/other", "node-1");
        town.give("10.0.0.2", "default/early", "node-1");
        town.pod("default/other", "node-1", "10.0.0.77");
        town.pod("default/early", "node-1");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.2");
    }

    @Test
    void aPodThatMovedLosesTheAddressOfItsFormerNode() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.pod("default/web", "node-2", "10.0.0.1");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).isEmpty();
    }

    @Test
    void anEvictedPodLosesItsAddressAndOneThatFailedDoesNot() {
        town.give("10.0.0.1", "default/evicted", "node-1");
        town.give("10.0.0.2", "default/failed", "node-1");
        town.peculiarPod(
                "default/evicted",
                "node-1",
                "\"phase\":\"Failed\",\"reason\":\"Evicted\"",
                "{}",
                "10.0.0.1");
        town.peculiarPod("default/failed", "node-1", "\"phase\":\"Failed\"", "{}", "10.0.0.2");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.2");
    }

    @Test
    void addressesOfExtraNetworksCount() {
        town.give("10.0.0.1", "default/annotated", "node-1");
        town.give("10.0.0.2", "default/several", "node-1");
        town.peculiarPod(
                "default/annotated",
                "node-1",
                "\"phase\":\"Running\"",
                "{\"cni.projectcalico.org/podIPs\":\"192.0.2.7/32,10.0.0.1/32\"}",
                "192.0.2.7");
        town.peculiarPod(
                "default/several",
                "node-1",
                "\"phase\":\"Running\"",
                "{\"k8s.v1.cni.cncf.io/network-status\":\"[{\\\"name\\\":\\\"x\\\",\\\"ips\\\":[\\\"10.0.0.2\\\"]}]\"}",
                "192.0.2.8");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1", "10.0.0.2");
    }

    @Test
    void aPodThatCannotBeReadCountsAsAlive() {
        town.give("10.0.0.1", "default/odd", "node-1");
        town.give("10.0.0.2", "default/broken", "node-1");
        town.pod("default/odd", "node-1", "no-address");
        town.put("/cadastre/api/v1/pods/default/broken", "[]");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1", "10.0.0.2");
    }

    /// CAL-109
    @Test
    void whatSaysTooLittleIsKeptAndKeepsItsNode() {
        town.give("10.0.0.1", "somebody", "node-1", "node", "node-1");
        town.give("10.0.0.2", "default/web", "node-1");
        town.nodeDies("node-1");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.blocks()).containsExactly("10.0.0.0/30");
    }

    /// CAL-110
    @Test
    void bothAddressesOfAHandleAreReleasedOrNone() {
        town.pool("six", "fd00::/120", 126);
        town.give("10.0.0.1", "default/dual", "node-1");
        town.give("fd00::1", "default/dual", "node-1");
        town.pod("default/dual", "node-1", "10.0.0.1");

        town.look();
        town.graceHasPassed();
        var outcome = town.look();
        var alive = town.held();
        town.podDies("default/dual");
        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(alive).containsExactly("10.0.0.1", "fd00::1");
        assertThat(town.held()).isEmpty();
    }

    /// CAL-111
    @Test
    void anEmptyBlockIsGivenUpAfterTheGraceIfItsNodeHasAnother() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.5", "default/b", "node-1");
        town.pod("default/a", "node-1", "10.0.0.1");
        town.release("net.default-b");

        town.look();
        town.pass(Settlement.GRACE);
        town.look();
        var within = town.blocks();
        town.pass(Duration.ofMillis(1));
        town.look();

        assertThat(within).containsExactly("10.0.0.0/30", "10.0.0.4/30");
        assertThat(town.blocks()).containsExactly("10.0.0.0/30");
        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void theLastBlockOfANodeStaysHoweverLongItIsEmpty() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.5", "default/b", "node-1");
        town.release("net.default-a");
        town.release("net.default-b");

        town.look();
        town.graceHasPassed();
        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.blocks()).hasSize(1);
    }

    @Test
    void aNodeThatIsBeingMigratedKeepsItsEmptyBlocks() {
        town.kubernetesNode(
                "node-1", "{\"projectcalico.org/node-flannel-migration-in-progress\":\"true\"}");
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.5", "default/b", "node-1");
        town.release("net.default-a");
        town.release("net.default-b");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.blocks()).containsExactly("10.0.0.0/30", "10.0.0.4/30");
    }

    /// CAL-113
    @Test
    void whatHasCooledDownIsFreed() {
        town.cooldown(60);
        town.give("10.0.0.1", "default/a", "node-1");
        town.release("net.default-a");

        town.pass(Duration.ofSeconds(59));
        town.look();
        int cool = town.freeIn("10.0.0.0/30");
        town.pass(Duration.ofSeconds(2));
        town.look();

        assertThat(cool).isEqualTo(3);
        assertThat(town.freeIn("10.0.0.0/30")).isEqualTo(4);
    }

    /// CAL-114
    @Test
    void anAddressThatIsGivenAnewIsSuspectedAnew() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.look();
        town.graceHasPassed();
        town.release("net.default-web");
        town.give("10.0.0.1", "default/web", "node-1");

        town.look();
        var anew = town.held();
        town.graceHasPassed();
        town.look();

        assertThat(anew).containsExactly("10.0.0.1");
        assertThat(town.held()).isEmpty();
    }

    /// CAL-115
    @Test
    void theEmptyBlockOfANodeThatVanishedIsGivenUpByALookAtEverything() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.release("net.default-a");
        town.nodeDies("node-1");
        town.drop(new CalicoKey.OfNode("node-1").text());

        town.lookAt("node-2");
        var before = town.blocks();
        town.look();

        assertThat(before).containsExactly("10.0.0.0/30");
        assertThat(town.blocks()).isEmpty();
    }

    /// CAL-116
    @Test
    void aNodeThatCannotBeCleanedDoesNotKeepOthersFromBeingCleaned() {
        town.node("node-3");
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.5", "default/b", "node-2");
        town.give("10.0.0.9", "default/c", "node-3");
        town.put("/calico/ipam/v2/handle/net.default-b", "not a handle");
        town.nodeDies("node-1");
        town.nodeDies("node-2");
        town.nodeDies("node-3");

        var outcome = town.look();
        var left = town.held();
        town.put(
                "/calico/ipam/v2/handle/net.default-b",
                "{\"handle_id\":\"net.default-b\",\"block\":{\"10.0.0.4/30\":1},\"deleted\":false}");
        town.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(left).containsExactly("10.0.0.5");
        assertThat(town.held()).isEmpty();
        assertThat(town.blocks()).isEmpty();
    }

    /// CAL-117
    @Test
    void whileTheStoreIsLockedNothingHappens() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.nodeDies("node-1");
        town.ready(false);

        town.look();
        var locked = town.held();
        town.ready(true);
        town.look();

        assertThat(locked).containsExactly("10.0.0.1");
        assertThat(town.held()).isEmpty();
    }

    @Test
    void aPodThatTheWatchesHaveNotToldYetKeepsItsAddress() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.look();
        town.graceHasPassed();
        town.catchUp();
        town.pod("default/web", "node-1", "10.0.0.1");

        var outcome = town.lookAtWhatWasTold(Settlement.GRACE);
        var later = town.look();

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(later).isEqualTo(Outcome.SETTLED);
        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anAddressThatWasGivenToAnotherSinceTheWatchesToldIsKept() {
        town.give("10.0.0.1", "default/old", "node-1");
        town.look();
        town.graceHasPassed();
        town.catchUp();
        town.release("net.default-old");
        town.give("10.0.0.1", "default/new", "node-1");
        town.pod("default/new", "node-1", "10.0.0.1");

        town.lookAtWhatWasTold(Settlement.GRACE);

        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.handles()).containsExactly("net.default-new");
    }

    @Test
    void aNodeThatCameBackSinceTheWatchesToldKeepsItsTunnel() {
        town.giveTunnel("10.0.0.1", "node-1");
        town.nodeDies("node-1");
        town.catchUp();
        town.kubernetesNode("node-1", "{}");

        var outcome = town.lookAtWhatWasTold(Settlement.GRACE);

        assertThat(outcome).isEqualTo(Outcome.UNFINISHED);
        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.has(new CalicoKey.OfNode("node-1").text())).isTrue();
    }

    @Test
    void aNodeRecordThatCannotBeReadIsNotTakenForADeadNode() {
        town.giveTunnel("10.0.0.1", "node-1");
        town.put(new CalicoKey.OfNode("node-1").text(), "[]");

        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void inAStoreWithoutPodsNobodyIsTakenForDead() {
        var wilderness = new Settlement(emptyStore()).pool("default", V4, 30).node("node-1");
        wilderness.podDies("kube-system/dns");
        wilderness.give("10.0.0.1", "default/web", "node-1");

        wilderness.look();
        wilderness.graceHasPassed();
        wilderness.look();

        assertThat(wilderness.held()).containsExactly("10.0.0.1");
    }

    @Test
    void inAStoreWithoutNodesOfKubernetesNobodyIsTakenForDead() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.nodeDies("home");
        town.nodeDies("node-1");
        town.nodeDies("node-2");

        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aNewTermSuspectsNobodyYet() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.look();
        town.graceHasPassed();

        town.newTerm();
        town.look();
        var atFirst = town.held();
        town.graceHasPassed();
        town.look();

        assertThat(atFirst).containsExactly("10.0.0.1");
        assertThat(town.held()).isEmpty();
    }

    @Test
    void moreLeaksThanFitIntoOneCommitAreReleasedInSeveral() {
        town.pool("wide", "10.1.0.0/24", 26);
        for (int number = 0; number < 200; number++) {
            town.give("10.1.0." + number, "default/web-" + number, "node-1");
        }

        town.look();
        town.graceHasPassed();
        var outcome = town.look();

        assertThat(outcome).isEqualTo(Outcome.SETTLED);
        assertThat(town.held()).isEmpty();
        assertThat(town.handles()).isEmpty();
    }

    @Test
    void whatIsTakenBackIsInTheLedger() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.look();
        town.graceHasPassed();

        town.look();

        var last = town.ledger().of("handle/net.default-web", 1, 10).getLast().entry();
        assertThat(last.request()).isEqualTo("controller: release leaked 10.0.0.1");
        assertThat(last.returned()).isNotEmpty();
    }

    @Test
    void figuresAreCalicosByNameAndLabels() {
        town.pool("six", "fd00::/64", 122).reservation("first", "10.0.0.0/28");
        town.give("10.0.0.1", "default/a", "node-1");
        town.give("10.0.0.2", "default/b", "node-2");
        town.give("fd00::1", "somebody", "node-2", "note", "by hand");
        town.pod("default/a", "node-1", "10.0.0.1");
        town.pod("default/b", "node-2", "10.0.0.2");
        town.give("10.0.0.9", "default/gone", "node-2");
        town.look();
        town.graceHasPassed();
        town.look();
        town.give("10.0.0.9", "default/gone", "node-2");

        town.look();

        assertThat(town.allFigures())
                .isEqualTo(
                        """
                        # HELP ipam_allocations_in_use Addresses that somebody holds, by pool and node.
                        # TYPE ipam_allocations_in_use gauge
                        ipam_allocations_in_use{ippool="default",node="home"} 0
                        ipam_allocations_in_use{ippool="default",node="node-1"} 1
                        ipam_allocations_in_use{ippool="default",node="node-2"} 2
                        ipam_allocations_in_use{ippool="six",node="home"} 0
                        ipam_allocations_in_use{ippool="six",node="node-1"} 0
                        ipam_allocations_in_use{ippool="six",node="node-2"} 0
                        ipam_allocations_in_use{ippool="six",node="unknown_node"} 1
                        # HELP ipam_allocations_borrowed Addresses on another node than the one that has their block.
                        # TYPE ipam_allocations_borrowed gauge
                        ipam_allocations_borrowed{ippool="default",node="home"} 0
                        ipam_allocations_borrowed{ippool="default",node="node-1"} 0
                        ipam_allocations_borrowed{ippool="default",node="node-2"} 1
                        ipam_allocations_borrowed{ippool="six",node="home"} 0
                        ipam_allocations_borrowed{ippool="six",node="node-1"} 0
                        ipam_allocations_borrowed{ippool="six",node="node-2"} 0
                        ipam_allocations_borrowed{ippool="six",node="unknown_node"} 1
                        # HELP ipam_blocks Blocks, by pool and by who has them.
                        # TYPE ipam_blocks gauge
                        ipam_blocks{ippool="default",node="node-1"} 1
                        ipam_blocks{ippool="default",node="node-2"} 1
                        ipam_blocks{ippool="six",node="node-2"} 1
                        # HELP ipam_allocations_gc_candidates Addresses that nobody seems to use.
                        # TYPE ipam_allocations_gc_candidates gauge
                        ipam_allocations_gc_candidates{ippool="default",node="home"} 0
                        ipam_allocations_gc_candidates{ippool="default",node="node-1"} 0
                        ipam_allocations_gc_candidates{ippool="default",node="node-2"} 1
                        ipam_allocations_gc_candidates{ippool="six",node="home"} 0
                        ipam_allocations_gc_candidates{ippool="six",node="node-1"} 0
                        ipam_allocations_gc_candidates{ippool="six",node="node-2"} 0
                        # HELP ipam_allocations_gc_reclamations Addresses that were taken back since nobody used them.
                        # TYPE ipam_allocations_gc_reclamations counter
                        ipam_allocations_gc_reclamations{ippool="default",node="node-2"} 1
                        # HELP ipam_ippool_size Addresses of a pool.
                        # TYPE ipam_ippool_size gauge
                        ipam_ippool_size{ippool="default"} 256
                        ipam_ippool_size{ippool="six"} 1.8446744073709552E19
                        # HELP ipam_ippool_reserved Addresses of a pool that are reserved.
                        # TYPE ipam_ippool_reserved gauge
                        ipam_ippool_reserved{ippool="default"} 16
                        ipam_ippool_reserved{ippool="six"} 0
                        # HELP ipam_allocations_per_node Addresses that somebody holds, by node.
                        # TYPE ipam_allocations_per_node gauge
                        ipam_allocations_per_node{node="node-1"} 1
                        ipam_allocations_per_node{node="node-2"} 2
                        ipam_allocations_per_node{node="unknown_node"} 1
                        # HELP ipam_allocations_borrowed_per_node Addresses on another node than the one that has their block, by node.
                        # TYPE ipam_allocations_borrowed_per_node gauge
                        ipam_allocations_borrowed_per_node{node="node-2"} 1
                        ipam_allocations_borrowed_per_node{node="unknown_node"} 1
                        # HELP ipam_blocks_per_node Blocks, by who has them.
                        # TYPE ipam_blocks_per_node gauge
                        ipam_blocks_per_node{node="node-1"} 1
                        ipam_blocks_per_node{node="node-2"} 2
                        """);
    }

    @Test
    void blocksOfNoPoolAndOfNobodyHaveNamesInTheFigures() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.pod("default/a", "node-1", "10.0.0.1");
        town.drop(new CalicoKey.OfPool("default").text());
        town.catchUp();

        assertThat(town.figures("ipam_blocks"))
                .containsExactly("ipam_blocks{ippool=\"no_ippool\",node=\"node-1\"} 1");
    }

    @Test
    void whatWasReclaimedIsForgottenWithThePool() {
        town.give("10.0.0.1", "default/a", "node-1");
        town.look();
        town.graceHasPassed();
        town.look();
        var before = town.figures("ipam_allocations_gc_reclamations");
        town.drop(new CalicoKey.OfPool("default").text());
        town.catchUp();

        var after = town.figures("ipam_allocations_gc_reclamations");

        assertThat(before)
                .containsExactly(
                        "ipam_allocations_gc_reclamations{ippool=\"default\",node=\"node-1\"} 1");
        assertThat(after).isEmpty();
    }

    // ---- Calico's own nodes and endpoints, beside those of Kubernetes ----

    @Test
    void aPodKeepsItsAddressWhereCalicoCallsItsNodeDifferently() {
        town.calicoNode(
                "rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        town.give("10.0.0.1", "default/web", "rack-7");
        town.pod("default/web", "node-1", "10.0.0.1");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aPodKeepsItsAddressWhenCalicoForgetsANodeThatItCalledDifferently() {
        town.calicoNode(
                "rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        town.give("10.0.0.1", "default/web", "rack-7");
        town.pod("default/web", "node-1", "10.0.0.1");
        town.drop(new CalicoKey.OfNode("rack-7").text());

        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void aPodThatMovedToAnotherNodeLeavesItsAddressBehindAlsoThere() {
        town.calicoNode(
                "rack-7", "{\"orchRefs\":[{\"orchestrator\":\"k8s\",\"nodeName\":\"node-1\"}]}");
        town.give("10.0.0.1", "default/web", "rack-7");
        town.pod("default/web", "node-2");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).isEmpty();
    }

    @Test
    void anAddressIsKeptAsLongAsAnEndpointHasIt() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.endpoint("default/web", "node-1", "10.0.0.1");

        town.look();
        town.graceHasPassed();
        town.look();
        var withEndpoint = town.held();
        town.endpointGoes("default/web", "node-1");
        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(withEndpoint).containsExactly("10.0.0.1");
        assertThat(town.held()).isEmpty();
    }

    @Test
    void anEndpointThatTheWatchesHaveNotToldYetKeepsItsAddress() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.look();
        town.graceHasPassed();
        town.endpoint("default/web", "node-1", "10.0.0.1");

        town.lookAtWhatWasTold(Settlement.GRACE);

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anEndpointThatCannotBeReadKeepsWhatItsPodHas() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.endpoint("default/web", "node-1", "nonsense");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
    }

    @Test
    void anEndpointOfAnotherAddressKeepsNothing() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.give("10.0.0.2", "default/api", "node-1");
        town.endpoint("default/api", "node-1", "10.0.0.2");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.2");
    }

    @Test
    void anEndpointOfANodeThatIsGoneKeepsNothing() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.endpoint("default/web", "node-1", "10.0.0.1");
        town.nodeDies("node-1");

        town.look();

        assertThat(town.held()).isEmpty();
        assertThat(town.blocks()).isEmpty();
    }

    @Test
    void thePodsOfAnotherClusterProveNothing() {
        town.give("10.0.0.1", "default/web", "node-1");
        town.nodeDies("node-1");
        town.nodeDies("node-2");
        town.nodeDies("home");
        town.kubernetesNode("node-of-another-cluster", "{}");

        town.look();
        town.graceHasPassed();
        town.look();

        assertThat(town.held()).containsExactly("10.0.0.1");
        assertThat(town.has(new CalicoKey.OfNode("node-1").text())).isTrue();
    }

    @Test
    void withoutKubernetesOnlyBlocksThatStayEmptyAreTakenBack() {
        var alone =
                new Settlement(emptyStore(), ClusterSource.CALICO_ALONE)
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
