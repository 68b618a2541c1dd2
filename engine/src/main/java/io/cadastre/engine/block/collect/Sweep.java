package io.cadastre.engine.block.collect;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.collect.BlockCollector.Scope;
import io.cadastre.engine.block.collect.LeakTracker.Allocation;
import io.cadastre.engine.block.collect.LeakTracker.Suspicion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One look of the collector at all blocks, of which it concludes what is to be done.
final class Sweep {

    /// How long the pod of a virtual machine may be missing at least: it may be restarting.
    private static final Duration MACHINE_GRACE_MIN = Duration.ofMinutes(5);

    private final BlockView view;
    private final LiveOwners liveOwners;
    private final LeakTracker tracker;
    private final CollectorSettings settings;
    private final Scope scope;
    private final Instant now;

    private final SortedMap<Allocation, Suspicion> suspicions = new TreeMap<>();
    private final SortedMap<Prefix, Instant> emptySince = new TreeMap<>();
    private final SortedMap<Allocation, Leak> leaks = new TreeMap<>();
    private final SortedMap<String, NodeFindings> nodes = new TreeMap<>();
    private final List<Prefix> coldBlocks = new ArrayList<>();
    private final List<Prefix> unusedBlocks = new ArrayList<>();
    private final Map<Owner, Integer> blockCounts = new LinkedHashMap<>();
    private String lastNode = "";
    private @Nullable NodeFindings lastFindings;

    Sweep(
            BlockView view,
            LiveOwners liveOwners,
            LeakTracker tracker,
            CollectorSettings settings,
            Scope scope,
            Instant now) {
        this.view = view;
        this.liveOwners = liveOwners;
        this.tracker = tracker;
        this.settings = settings;
        this.scope = scope;
        this.now = now;
    }

    SweepPlan plan() {
        var blocks = new ArrayList<Block>();
        for (var family : Family.values()) {
            blocks.addAll(view.blocks(family));
        }
        blocks.forEach(block -> block.owner().ifPresent(owner -> blockCounts.merge(owner, 1, Integer::sum)));
        for (var block : blocks) {
            if (!block.damaged()) {
                lookAt(block);
            }
        }
        if (scope instanceof Scope.Everything) {
            findHostsWithoutAddresses();
        }
        var deadNodes = deadNodes();
        var incomplete = incompleteHandles(blocks);
        var complete = leaks.values().stream()
                .filter(leak -> !incomplete.contains(leak.allocation().handle()))
                .toList();
        return new SweepPlan(
                new LeakTracker(suspicions, emptySince),
                complete,
                List.copyOf(incomplete),
                coldBlocks,
                unusedBlocks,
                deadNodes);
    }

    private void lookAt(Block block) {
        lookForCold(block);
        lookForUnused(block);
        var attributes = block.attributes();
        int[] allocations = block.allocations();
        for (int ordinal = 0; ordinal < allocations.length; ordinal++) {
            int index = allocations[ordinal];
            if (index != Block.FREE
                    && attributes.get(index) instanceof Held held
                    && !held.handle().isEmpty()
                    && !held.keptByWindows()) {
                lookAt(block, ordinal, held);
            }
        }
    }

    private void lookForCold(Block block) {
        int cooldown = view.config().cooldownSeconds();
        if (block.coolingSince()
                .filter(since -> since.plusSeconds(cooldown).isBefore(now))
                .isPresent()) {
            coldBlocks.add(block.cidr());
        }
    }

    /// What Windows keeps for itself does not make a block used. Calico never gives such a block
    /// up while the node lives.
    private void lookForUnused(Block block) {
        var owner = block.owner().filter(holder -> holder.kind() == Owner.Kind.HOST);
        if (owner.isEmpty()
                || !block.empty()
                || settings.leakGrace().isZero()
                || liveOwners.migratingNodes().contains(owner.get().name())) {
            return;
        }
        var since = tracker.emptySince().getOrDefault(block.cidr(), now);
        emptySince.put(block.cidr(), since);
        if (since.plus(settings.leakGrace()).isBefore(now) && blockCounts.getOrDefault(owner.get(), 0) >= 2) {
            blockCounts.merge(owner.get(), -1, Integer::sum);
            unusedBlocks.add(block.cidr());
        }
    }

    private void lookAt(Block block, int ordinal, Held held) {
        var user = AddressUser.of(held);
        var node = user.node();
        if (node.isEmpty()) {
            return;
        }
        var address = block.address(ordinal);
        long sequence = block.sequenceOf(ordinal);
        if (!scope.includes(node)) {
            keepSuspicion(new Allocation(held.cleanHandle(), address), sequence);
            return;
        }
        var findings = findingsOf(node);
        if (findings.presence == Presence.NOT_OURS) {
            return;
        }
        boolean tunnel = user.tunnel();
        if (!tunnel && (!user.isPod() || user.alive(address, liveOwners, view))) {
            findings.cleanable = false;
            return;
        }
        var allocation = new Allocation(held.cleanHandle(), address);
        if (tunnel) {
            findings.tunnels.add(new Leak(allocation, block.cidr(), sequence, node, Leak.Origin.TUNNEL_OF_GONE_NODE));
        } else {
            suspect(new Leak(allocation, block.cidr(), sequence, node, findings.origin()), user);
        }
    }

    private void keepSuspicion(Allocation allocation, long sequence) {
        var former = tracker.suspicions().get(allocation);
        if (former != null && former.sequence() == sequence) {
            suspicions.put(allocation, former);
        }
    }

    /// Neighbours are mostly of one node, so the last one is kept at hand.
    private NodeFindings findingsOf(String node) {
        if (lastFindings == null || !node.equals(lastNode)) {
            lastNode = node;
            lastFindings = nodes.computeIfAbsent(node, this::findings);
        }
        return lastFindings;
    }

    private void suspect(Leak leak, AddressUser user) {
        var former = tracker.suspicions().get(leak.allocation());
        var since = former != null && former.sequence() == leak.sequence() ? former.since() : now;
        suspicions.put(leak.allocation(), new Suspicion(leak.sequence(), since));
        if (leak.origin() == Leak.Origin.NODE_GONE) {
            leaks.put(leak.allocation(), leak);
            return;
        }
        var grace = settings.leakGrace();
        if (user.machine() && grace.compareTo(MACHINE_GRACE_MIN) < 0) {
            grace = MACHINE_GRACE_MIN;
        }
        if (!grace.isZero() && since.plus(grace).isBefore(now)) {
            leaks.put(leak.allocation(), leak);
        }
    }

    private NodeFindings findings(String name) {
        var node = view.findNode(name);
        if (node.isEmpty()) {
            return new NodeFindings(Presence.GONE);
        }
        var kubernetesName = node.get().kubernetesName();
        if (kubernetesName.isEmpty()) {
            return new NodeFindings(Presence.NOT_OURS);
        }
        return new NodeFindings(liveOwners.kubernetesNodes().contains(kubernetesName) ? Presence.THERE : Presence.GONE);
    }

    /// A block may have an owner that keeps no affinity to it, where an answer was lost.
    private void findHostsWithoutAddresses() {
        Stream.concat(view.affinities().stream().map(Affinity::owner), blockCounts.keySet().stream())
                .filter(owner -> owner.kind() == Owner.Kind.HOST)
                .forEach(owner -> nodes.computeIfAbsent(owner.name(), this::findings));
    }

    private List<String> deadNodes() {
        var dead = new ArrayList<String>();
        nodes.forEach((name, findings) -> {
            if (findings.presence == Presence.GONE && findings.cleanable) {
                findings.tunnels.forEach(leak -> leaks.put(leak.allocation(), leak));
                dead.add(name);
            }
        });
        return dead;
    }

    /// The handles that have leaks and also addresses that are not leaked.
    private SortedSet<String> incompleteHandles(List<Block> blocks) {
        var counts = new LinkedHashMap<String, Integer>();
        for (var leak : leaks.values()) {
            counts.merge(leak.allocation().handle(), 1, Integer::sum);
        }
        var incomplete = new TreeSet<String>();
        if (counts.isEmpty()) {
            return incomplete;
        }
        var held = new LinkedHashMap<String, Integer>();
        for (var block : blocks) {
            if (!block.damaged()) {
                countHeld(block, counts, held);
            }
        }
        counts.forEach((handle, count) -> {
            if (held.getOrDefault(handle, 0) > count) {
                incomplete.add(handle);
            }
        });
        return incomplete;
    }

    private static void countHeld(Block block, Map<String, Integer> wanted, Map<String, Integer> held) {
        var handles = new TreeSet<String>();
        for (var attribute : block.attributes()) {
            if (attribute instanceof Held h && wanted.containsKey(h.cleanHandle())) {
                handles.add(h.cleanHandle());
            }
        }
        for (var handle : handles) {
            held.merge(handle, block.ordinalsOf(handle).length, Integer::sum);
        }
    }

    private enum Presence {
        THERE,
        GONE,
        /// It is a node, but not one of Kubernetes, so it is not known here what runs on it.
        NOT_OURS
    }

    /// What a look found on one node.
    private static final class NodeFindings {

        private final Presence presence;
        private final List<Leak> tunnels = new ArrayList<>();
        private boolean cleanable = true;

        NodeFindings(Presence presence) {
            this.presence = presence;
        }

        Leak.Origin origin() {
            return presence == Presence.GONE ? Leak.Origin.NODE_GONE : Leak.Origin.POD_GONE;
        }
    }
}
