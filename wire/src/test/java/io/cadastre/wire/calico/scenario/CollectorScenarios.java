package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.address;
import static io.cadastre.wire.calico.scenario.Words.labels;
import static io.cadastre.wire.calico.scenario.Words.pool;
import static io.cadastre.wire.calico.scenario.Words.prefix;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.CollectorSettings;
import io.cadastre.engine.block.collect.LeakTracker;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Machines;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Phase;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
import io.cadastre.engine.block.collect.SweepPlan;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Unused addresses and blocks are found and released. The grace is five seconds.
public abstract class CollectorScenarios extends ScenarioContract {

    private static final CollectorSettings SETTINGS =
            new CollectorSettings(Duration.ofSeconds(5), CollectorSettings.Store.READY);

    /// A cluster with one pod's address at 10.0.0.0, and what its collector remembers.
    private final class Cluster {

        private final ScenarioCluster cluster;
        private final TreeSet<String> nodes = new TreeSet<>(List.of("node-a", "node-b"));
        private final Map<Name, Pod> pods = new HashMap<>();
        private Machines machines = new Machines.None();
        private CollectorSettings settings = SETTINGS;
        private LeakTracker tracker = LeakTracker.NOTHING_SEEN;

        Cluster() {
            cluster = cluster(pool("p", "10.0.0.0/24", 30), pool("v6", "fd00::/120", 126));
        }

        void give(String handle, SortedMap<String, String> attributes, String... addresses) {
            for (var address : addresses) {
                cluster.enact(view -> BlockEngine.assignAddress(
                        view,
                        AssignAddressRequest.of(
                                address(address),
                                attributes.getOrDefault("node", "node-a"),
                                Requester.of(handle, attributes),
                                cluster.now())));
            }
        }

        void run(String name, String... addresses) {
            List<Address> all = Arrays.stream(addresses).map(Address::parse).toList();
            pods.put(new Name("shop", name), new Pod("node-a", Phase.RUNNING, all, all));
        }

        LiveOwners liveOwners() {
            return new LiveOwners(nodes, pods, new TreeSet<>(), machines, new TreeSet<>());
        }

        SweepPlan plan() {
            var plan = cluster.see(view -> BlockCollector.plan(
                    view, liveOwners(), tracker, settings, new BlockCollector.Scope.Everything(), cluster.now()));
            tracker = plan.tracker();
            return plan;
        }

        /// Looks now and again after some seconds, and does what is to be done then.
        SweepPlan sweepAfter(int seconds) {
            plan();
            cluster.later(Duration.ofSeconds(seconds));
            return sweep();
        }

        SweepPlan sweep() {
            var plan = plan();
            cluster.enact(
                    view -> BlockEngine.releaseLeaks(view, plan.leaks(), liveOwners(), Attempts.first(cluster.now())));
            for (var cidr : plan.coldBlocks()) {
                cluster.enact(view -> BlockEngine.thaw(view, cidr, cluster.now()));
            }
            for (var cidr : plan.unusedBlocks()) {
                cluster.enact(view -> BlockEngine.giveUpUnused(view, cidr, cluster.now()));
            }
            for (var node : plan.deadNodes()) {
                cluster.enact(view -> BlockEngine.cleanNode(view, node, Attempts.first(cluster.now())));
            }
            return plan;
        }

        boolean held(String address) {
            var at = address(address);
            return cluster.view()
                    .findBlockAround(at)
                    .flatMap(block -> block.attribute(block.ordinal(at).orElseThrow()))
                    .isPresent();
        }
    }

    private static SortedMap<String, String> pod(String name) {
        return labels("namespace", "shop", "node", "node-a", "pod", name);
    }

    @Test
    @DisplayName("CAL-104: the address of a missing pod is released after the grace")
    void missingPodLosesItsAddressAfterTheGrace() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");

        var tooSoon = cluster.sweepAfter(5);
        cluster.cluster.later(Duration.ofSeconds(1));
        var late = cluster.sweep();

        assertThat(tooSoon.leaks()).isEmpty();
        assertThat(tooSoon.tracker().suspicions()).hasSize(1);
        assertThat(late.leaks()).hasSize(1);
        assertThat(cluster.held("10.0.0.0")).isFalse();
        assertThat(cluster.cluster.affinities("node-a")).containsExactly("10.0.0.0/30 confirmed");
    }

    @Test
    @DisplayName("CAL-105: without a grace nothing on a live node is leaked")
    void withoutGraceNothingIsLeaked() {
        var cluster = new Cluster();
        cluster.settings = new CollectorSettings(Duration.ZERO, CollectorSettings.Store.READY);
        cluster.give("h", pod("web"), "10.0.0.0");

        var plan = cluster.sweepAfter(100_000);

        assertThat(plan.leaks()).isEmpty();
        assertThat(plan.tracker().suspicions()).hasSize(1);
        assertThat(cluster.held("10.0.0.0")).isTrue();
    }

    @Test
    @DisplayName("CAL-106: a gone node is cleaned once its pods are gone too")
    void goneNodeIsCleanedOnceItsPodsAreGone() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.give("i", pod("db"), "10.0.0.4");
        cluster.run("web", "10.0.0.0");
        cluster.run("db", "10.0.0.4");
        cluster.nodes.remove("node-a");

        var withPods = cluster.sweep();
        cluster.pods.clear();
        var without = cluster.sweep();

        assertThat(withPods.leaks()).isEmpty();
        assertThat(withPods.deadNodes()).isEmpty();
        assertThat(without.leaks()).hasSize(2);
        assertThat(cluster.cluster.blocks()).isEmpty();
        assertThat(cluster.cluster.affinities("node-a")).isEmpty();
        assertThat(cluster.cluster.view().handles()).isEmpty();
    }

    @Test
    @DisplayName("CAL-107: tunnel addresses live and die with their node")
    void tunnelAddressesLiveWithTheirNode() {
        var cluster = new Cluster();
        cluster.give("vxlan-tunnel-addr-node-a", labels("node", "node-a", "type", "vxlanTunnelAddress"), "10.0.0.0");

        cluster.sweepAfter(1000);
        boolean whileAlive = cluster.held("10.0.0.0");
        cluster.nodes.remove("node-a");
        cluster.sweep();

        assertThat(whileAlive).isTrue();
        assertThat(cluster.cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-108: a pod with another address loses this one, a pod without any does not")
    void podWithAnotherAddressLosesThisOne() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.give("i", pod("new"), "10.0.0.1");
        cluster.run("web", "10.0.0.9");
        cluster.run("new");

        cluster.sweepAfter(6);

        assertThat(cluster.held("10.0.0.0")).isFalse();
        assertThat(cluster.held("10.0.0.1")).isTrue();
    }

    @Test
    @DisplayName("CAL-109: an address that says too little is kept, and so is its node")
    void addressThatSaysTooLittleIsKept() {
        var cluster = new Cluster();
        cluster.give("h", labels("node", "node-a"), "10.0.0.0");
        cluster.nodes.remove("node-a");

        var plan = cluster.sweepAfter(1000);

        assertThat(plan.leaks()).isEmpty();
        assertThat(plan.deadNodes()).isEmpty();
        assertThat(cluster.held("10.0.0.0")).isTrue();
    }

    @Test
    @DisplayName("CAL-110: all addresses of a handle are released, or none")
    void allOfAHandleOrNone() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0", "fd00::4");
        cluster.run("web", "10.0.0.0");

        var half = cluster.sweepAfter(6);
        boolean kept = cluster.held("10.0.0.0") && cluster.held("fd00::4");
        cluster.pods.clear();
        cluster.sweepAfter(6);

        assertThat(half.leaks()).isEmpty();
        assertThat(half.incomplete()).containsExactly("h");
        assertThat(kept).isTrue();
        assertThat(cluster.held("10.0.0.0")).isFalse();
        assertThat(cluster.held("fd00::4")).isFalse();
    }

    @Test
    @DisplayName("CAL-111: of several blocks the empty ones are given up after the grace")
    void emptyBlocksAreGivenUpAfterTheGrace() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.give("i", pod("db"), "10.0.0.4");
        cluster.run("web", "10.0.0.0");
        cluster.cluster.releaseByHandle("i");

        cluster.sweepAfter(5);
        var within = cluster.cluster.blocks();
        cluster.cluster.later(Duration.ofSeconds(1));
        cluster.sweep();

        assertThat(within).hasSize(2);
        assertThat(cluster.cluster.blocks()).containsExactly("10.0.0.0/30");
    }

    @Test
    void lastBlockOfAHostStays() {
        var cluster = new Cluster();
        for (var address : List.of("10.0.0.0", "10.0.0.4", "10.0.0.8")) {
            cluster.give("h", pod("web"), address);
        }
        cluster.cluster.releaseByHandle("h");

        cluster.sweepAfter(6);
        cluster.sweepAfter(6);

        assertThat(cluster.cluster.blocks()).hasSize(1);
    }

    @Test
    @DisplayName("CAL-112: a virtual machine keeps its address while it is there, or restarts")
    void virtualMachineKeepsItsAddress() {
        var cluster = new Cluster();
        var attributes = pod("launcher");
        attributes.put("vmi-name", "vm");
        cluster.give("h", attributes, "10.0.0.0");
        var name = new Name("shop", "vm");
        var vms = new TreeSet<>(List.of(name));
        var none = new TreeSet<Name>();

        var noKubeVirt = cluster.plan();
        cluster.machines = new Machines.Known(none, none);
        var missing = cluster.sweepAfter(299);
        cluster.machines = new Machines.Known(vms, none);
        var back = cluster.plan();
        cluster.machines = new Machines.Known(none, vms);
        var loneInstance = cluster.plan();
        cluster.machines = new Machines.Known(none, none);
        var gone = cluster.sweepAfter(301);

        assertThat(noKubeVirt.tracker().suspicions()).isEmpty();
        assertThat(missing.leaks()).isEmpty();
        assertThat(missing.tracker().suspicions()).hasSize(1);
        assertThat(back.tracker().suspicions()).isEmpty();
        assertThat(loneInstance.tracker().suspicions()).isEmpty();
        assertThat(gone.leaks()).hasSize(1);
        assertThat(cluster.held("10.0.0.0")).isFalse();
    }

    @Test
    @DisplayName("CAL-113: only blocks in which something is cold are visited")
    void onlyColdBlocksAreVisited() {
        var cluster = new Cluster();
        cluster.cluster.config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.give("i", pod("db"), "10.0.0.4");
        cluster.cluster.release(ReleaseOption.of("10.0.0.0"));
        cluster.cluster.later(Duration.ofSeconds(40)).release(ReleaseOption.of("10.0.0.4"));
        cluster.cluster.later(Duration.ofSeconds(30));

        var plan = cluster.sweep();

        assertThat(plan.coldBlocks()).containsExactly(prefix("10.0.0.0/30"));
        assertThat(cluster.held("10.0.0.0")).isFalse();
        assertThat(cluster.held("10.0.0.4")).isTrue();
    }

    @Test
    void blockWithoutAnOwnerGoesWhenItsLastAddressIsCold() {
        var cluster = new Cluster();
        cluster.cluster.config(IpamConfig.DEFAULT.withCooldownSeconds(60));
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.cluster.enact(
                view -> BlockEngine.removeHost(view, Owner.host("node-a"), Attempts.first(cluster.cluster.now())));
        cluster.cluster.releaseByHandle("h");
        List<String> cooling = cluster.cluster.blocks();

        cluster.cluster.later(Duration.ofSeconds(61));
        cluster.sweep();

        assertThat(cooling).hasSize(1);
        assertThat(cluster.cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-114: an address that was given anew is not the one that was suspected")
    void addressGivenAnewIsNotSuspected() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.plan();
        cluster.cluster.later(Duration.ofSeconds(6));
        var stale = cluster.plan().leaks();
        cluster.cluster.releaseByHandle("h");
        cluster.give("h", pod("web"), "10.0.0.0");

        var anew = cluster.plan();
        var release = cluster.cluster.explain(view ->
                BlockEngine.releaseLeaks(view, stale, cluster.liveOwners(), Attempts.first(cluster.cluster.now())));

        assertThat(anew.leaks()).isEmpty();
        assertThat(anew.tracker().suspicions().values())
                .extracting(LeakTracker.Suspicion::since)
                .containsExactly(cluster.cluster.now());
        assertThat(release.outcome().changed()).isEqualTo(stale).hasSize(1);
        assertThat(release.changes()).isEmpty();
    }

    @Test
    void podThatIsSeenAgainKeepsItsAddress() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.plan();
        cluster.cluster.later(Duration.ofSeconds(6));
        var leaks = cluster.plan().leaks();
        cluster.run("web", "10.0.0.0");

        var release = cluster.cluster.explain(view ->
                BlockEngine.releaseLeaks(view, leaks, cluster.liveOwners(), Attempts.first(cluster.cluster.now())));

        assertThat(release.outcome().alive()).isEqualTo(leaks).hasSize(1);
        assertThat(release.changes()).isEmpty();
    }

    @Test
    @DisplayName("CAL-115: an empty block of a node that vanished is found by a full look")
    void emptyBlockOfAVanishedNodeIsFound() {
        var cluster = new Cluster();
        cluster.cluster.enact(view -> BlockEngine.assign(
                view, cluster.cluster.request("node-b").ipv4(Ask.of(1)).by(Requester.of("h"))));
        cluster.cluster.releaseByHandle("h");
        cluster.nodes.remove("node-b");

        var plan = cluster.sweep();

        assertThat(plan.deadNodes()).containsExactly("node-b");
        assertThat(cluster.cluster.blocks()).isEmpty();
    }

    @Test
    @DisplayName("CAL-116: a dead node that cannot be cleaned does not hinder the others")
    void deadNodeThatCannotBeCleanedDoesNotHinderOthers() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        var onB = pod("db");
        onB.put("node", "node-b");
        cluster.give("i", onB, "10.0.0.4");
        // Without a handle it is not judged, and its block is not empty.
        cluster.give("", pod("web"), "10.0.0.1");
        cluster.nodes.clear();

        cluster.sweep();

        assertThat(cluster.cluster.blocks()).containsExactly("10.0.0.0/30");
        assertThat(cluster.plan().deadNodes()).containsExactly("node-a");
    }

    @Test
    @DisplayName("CAL-117: a locked store is left alone")
    void lockedStoreIsLeftAlone() {
        var cluster = new Cluster();
        cluster.settings = new CollectorSettings(Duration.ofSeconds(5), CollectorSettings.Store.LOCKED);
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.nodes.remove("node-a");

        var plan = cluster.sweep();

        assertThat(plan.tracker()).isEqualTo(LeakTracker.NOTHING_SEEN);
        assertThat(plan.leaks()).isEmpty();
        assertThat(plan.deadNodes()).isEmpty();
        assertThat(cluster.held("10.0.0.0")).isTrue();
    }

    @Test
    void nodeThatWasNotLookedAtKeepsItsSuspicions() {
        var cluster = new Cluster();
        cluster.give("h", pod("web"), "10.0.0.0");
        cluster.plan();

        var plan = cluster.cluster.see(view -> BlockCollector.plan(
                view,
                cluster.liveOwners(),
                cluster.tracker,
                SETTINGS,
                new BlockCollector.Scope.Nodes(new TreeSet<>(List.of("node-b"))),
                cluster.cluster.now().plusSeconds(60)));

        assertThat(plan.leaks()).isEmpty();
        assertThat(plan.tracker().suspicions())
                .isEqualTo(cluster.tracker.suspicions())
                .hasSize(1);
        assertThat(plan.unusedBlocks()).isEqualTo(List.<Prefix>of());
    }
}
