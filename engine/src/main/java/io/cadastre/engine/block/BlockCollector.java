package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockReason.Cold;
import io.cadastre.engine.block.BlockReason.GiveUpRule;
import io.cadastre.engine.block.BlockReason.Kept;
import io.cadastre.engine.block.Population.Name;
import io.cadastre.engine.block.Tracker.Allocation;
import io.cadastre.engine.block.Tracker.Suspicion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Finds what nobody uses any more and takes it back.
///
/// Judging looks at everything and concludes; the other verbs act on what it concluded, each in a
/// decision of its own, on whatever the view is by then. So what was concluded may be out of date, and
/// each verb asks again: a leak is released only if it was given at the very sequence number and its
/// pod is still not seen, and a block is given up only if it is empty.
///
/// An address is judged by what its attribute says about pod, namespace and node. One that says too
/// little is never judged, and keeps its node from being cleaned: better a leak than a pod without its
/// address. All addresses of a handle are released together or none, since a pod that reports one of
/// its two addresses is alive.
public final class BlockCollector {

    /// How long the pod of a virtual machine may be missing at least: it may be restarting.
    static final Duration MACHINE_GRACE_MIN = Duration.ofMinutes(5);

    /// How many leaks are released in one go at most.
    public static final int LEAKS_MAX = 10_000;

    private BlockCollector() {}

    /// Which nodes to look at.
    public sealed interface Scope {

        record Everything() implements Scope {}

        /// Only those where something changed.
        record Nodes(SortedSet<String> names) implements Scope {}

        default boolean includes(String node) {
            return switch (this) {
                case Everything _ -> true;
                case Nodes(var names) -> names.contains(node);
            };
        }
    }

    /// Looks at all blocks and tells what is to be done. Nothing is decided yet.
    public static Judgement judge(
            BlockView view,
            Population population,
            Tracker tracker,
            CollectorSettings settings,
            Scope scope,
            Instant now) {
        if (settings.store() == CollectorSettings.Store.LOCKED) {
            return Judgement.nothing(tracker);
        }
        return new Look(view, population, tracker, settings, scope, now).judgement();
    }

    /// Releases leaks whose pods are still not seen.
    ///
    /// @param recheck who is alive, looked up as directly as possible
    public static Decision<BlockChange, LeakRelease> releaseLeaks(
            BlockView view, List<Leak> leaks, Population recheck, Instant now) {
        return releaseLeaks(view, leaks, recheck, List.of(), now);
    }

    /// As [#releaseLeaks(BlockView, List, Population, Instant)], again.
    ///
    /// @param earlier decisions about this request, of which parts may have been saved
    public static Decision<BlockChange, LeakRelease> releaseLeaks(
            BlockView view,
            List<Leak> leaks,
            Population recheck,
            List<Decision<BlockChange, LeakRelease>> earlier,
            Instant now) {
        var draft = new Draft(view, now);
        var before = takenIn(earlier);
        var aliveHandles = new TreeSet<String>();
        var changed = new ArrayList<Leak>();
        var due = new ArrayList<Leak>();
        var released = new ArrayList<Leak>();
        for (var leak : leaks.subList(0, Math.min(leaks.size(), LEAKS_MAX))) {
            var held = held(view, leak);
            if (held.isEmpty() && before.contains(leak.allocation().address())) {
                released.add(leak);
            } else if (held.isEmpty()) {
                changed.add(leak);
            } else {
                due.add(leak);
                if (leak.origin() != Leak.Origin.TUNNEL_OF_GONE_NODE
                        && User.of(held.get()).alive(leak.allocation().address(), recheck)) {
                    aliveHandles.add(leak.allocation().handle());
                }
            }
        }
        var alive = new ArrayList<Leak>();
        var dead = new ArrayList<Leak>();
        for (var leak : due) {
            (aliveHandles.contains(leak.allocation().handle()) ? alive : dead).add(leak);
        }
        released.addAll(dead);
        BlockReleases.releaseInto(
                draft,
                dead.stream()
                        .map(
                                leak ->
                                        ReleaseOption.of(leak.allocation().address().toString())
                                                .withHandle(leak.allocation().handle())
                                                .withSequence(leak.sequence()))
                        .toList(),
                List.of());
        return draft.decided(new LeakRelease(released, alive, changed));
    }

    /// What parts of the request that were saved have taken back.
    private static SortedSet<Address> takenIn(List<Decision<BlockChange, LeakRelease>> earlier) {
        return earlier.stream()
                .filter(decision -> decision.extent() == Decision.Extent.SAVED_PART)
                .flatMap(part -> ReleaseAttempt.in(part).stream())
                .map(ReleaseAttempt::address)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// What is said about the leaked address, unless it was released or given anew meanwhile.
    private static Optional<Held> held(BlockView view, Leak leak) {
        return view.findBlock(leak.block())
                .filter(block -> !block.damaged())
                .flatMap(
                        block -> {
                            int ordinal = block.ordinal(leak.allocation().address()).orElseThrow();
                            return block.attribute(ordinal)
                                    .filter(_ -> block.sequenceOf(ordinal) == leak.sequence());
                        })
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .filter(held -> held.cleanHandle().equals(leak.allocation().handle()));
    }

    /// Frees what is cold in a block. Calico never deletes a block of nobody in which the last address
    /// cools down.
    public static Decision<BlockChange, Integer> thaw(BlockView view, Prefix cidr, Instant now) {
        var draft = new Draft(view, now);
        var found = view.findBlock(cidr);
        if (found.isEmpty()) {
            return draft.decided(0);
        }
        var stored = found.get();
        var block = draft.normalised(stored);
        int freed = block.freeCount() - stored.freeCount();
        if (freed > 0) {
            draft.explain(
                    new Cold(cidr, freed, Duration.ofSeconds(view.config().cooldownSeconds())));
            draft.updateOrDrop(stored, block);
        }
        return draft.decided(freed);
    }

    /// Gives up a block that is not used, unless it is the last of its host.
    public static Decision<BlockChange, AffinityRelease> giveUpUnused(
            BlockView view, Prefix cidr, Instant now) {
        var draft = new Draft(view, now);
        var owner =
                view.findBlock(cidr)
                        .flatMap(Block::owner)
                        .filter(holder -> holder.kind() == Owner.Kind.HOST);
        if (owner.isEmpty() || blockCount(view, owner.get()) < 2) {
            return draft.decided(new AffinityRelease.Done(List.of()));
        }
        var refusal =
                Surrender.of(
                        draft, owner.get(), cidr, Emptiness.REQUIRED, GiveUpRule.EMPTY_FOR_LONG);
        refusal.ifPresent(reason -> draft.explain(new Kept(cidr, reason.sentence())));
        return draft.decided(
                new AffinityRelease.Done(refusal.isEmpty() ? List.of(cidr) : List.of()));
    }

    private static int blockCount(BlockView view, Owner owner) {
        int count = 0;
        for (var family : Family.values()) {
            count +=
                    (int)
                            view.affinitiesOf(owner, family).stream()
                                    .filter(Affinity::confirmed)
                                    .count();
        }
        return count;
    }

    /// Gives up the empty blocks of a host that is gone, also those of which it kept no affinity.
    public static Decision<BlockChange, AffinityRelease> cleanNode(
            BlockView view, String host, Instant now) {
        return cleanNode(view, host, List.of(), now);
    }

    /// As [#cleanNode(BlockView, String, Instant)], again.
    ///
    /// @param earlier decisions about this request, of which parts may have been saved
    public static Decision<BlockChange, AffinityRelease> cleanNode(
            BlockView view,
            String host,
            List<Decision<BlockChange, AffinityRelease>> earlier,
            Instant now) {
        var draft = new Draft(view, now);
        var owner = Owner.host(host);
        var release =
                BlockAffinities.releaseHost(
                        draft, owner, Emptiness.REQUIRED, BlockAffinities.releasedIn(earlier));
        var released = new ArrayList<>(release.released());
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                if (block.owner().filter(owner::equals).isPresent()
                        && view.findAffinity(owner, block.cidr()).isEmpty()
                        && Surrender.of(
                                        draft,
                                        owner,
                                        block.cidr(),
                                        Emptiness.REQUIRED,
                                        GiveUpRule.NO_AFFINITY)
                                .isEmpty()) {
                    released.add(block.cidr());
                }
            }
        }
        return draft.decided(
                switch (release) {
                    case AffinityRelease.Done _ -> new AffinityRelease.Done(released);
                    case AffinityRelease.Stopped(_, var refusal) ->
                            new AffinityRelease.Stopped(released, refusal);
                });
    }

    /// One look at all blocks.
    private static final class Look {

        private final BlockView view;
        private final Population population;
        private final Tracker tracker;
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

        Look(
                BlockView view,
                Population population,
                Tracker tracker,
                CollectorSettings settings,
                Scope scope,
                Instant now) {
            this.view = view;
            this.population = population;
            this.tracker = tracker;
            this.settings = settings;
            this.scope = scope;
            this.now = now;
        }

        Judgement judgement() {
            var blocks = new ArrayList<Block>();
            for (var family : Family.values()) {
                blocks.addAll(view.blocks(family));
            }
            blocks.forEach(
                    block ->
                            block.owner()
                                    .ifPresent(owner -> blockCounts.merge(owner, 1, Integer::sum)));
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
            var complete =
                    leaks.values().stream()
                            .filter(leak -> !incomplete.contains(leak.allocation().handle()))
                            .toList();
            return new Judgement(
                    new Tracker(suspicions, emptySince),
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
                    || population.migratingNodes().contains(owner.get().name())) {
                return;
            }
            var since = tracker.emptySince().getOrDefault(block.cidr(), now);
            emptySince.put(block.cidr(), since);
            if (since.plus(settings.leakGrace()).isBefore(now)
                    && blockCounts.getOrDefault(owner.get(), 0) >= 2) {
                blockCounts.merge(owner.get(), -1, Integer::sum);
                unusedBlocks.add(block.cidr());
            }
        }

        private void lookAt(Block block, int ordinal, Held held) {
            var user = User.of(held);
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
            if (!tunnel && (!user.isPod() || user.alive(address, population))) {
                findings.cleanable = false;
                return;
            }
            var allocation = new Allocation(held.cleanHandle(), address);
            if (tunnel) {
                findings.tunnels.add(
                        new Leak(
                                allocation,
                                block.cidr(),
                                sequence,
                                node,
                                Leak.Origin.TUNNEL_OF_GONE_NODE));
            } else {
                suspect(
                        new Leak(allocation, block.cidr(), sequence, node, findings.origin()),
                        user);
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

        private void suspect(Leak leak, User user) {
            var former = tracker.suspicions().get(leak.allocation());
            var since =
                    former != null && former.sequence() == leak.sequence() ? former.since() : now;
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
            return new NodeFindings(
                    population.kubernetesNodes().contains(kubernetesName)
                            ? Presence.THERE
                            : Presence.GONE);
        }

        private void findHostsWithoutAddresses() {
            for (var affinity : view.affinities()) {
                if (affinity.owner().kind() == Owner.Kind.HOST) {
                    nodes.computeIfAbsent(affinity.owner().name(), this::findings);
                }
            }
        }

        private List<String> deadNodes() {
            var dead = new ArrayList<String>();
            nodes.forEach(
                    (name, findings) -> {
                        if (findings.presence == Presence.GONE && findings.cleanable) {
                            findings.tunnels.forEach(leak -> leaks.put(leak.allocation(), leak));
                            dead.add(name);
                        }
                    });
            return dead;
        }

        /// The handles that have leaks and also something that is none.
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
            counts.forEach(
                    (handle, count) -> {
                        if (held.getOrDefault(handle, 0) > count) {
                            incomplete.add(handle);
                        }
                    });
            return incomplete;
        }

        private static void countHeld(
                Block block, Map<String, Integer> wanted, Map<String, Integer> held) {
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
    }

    private enum Presence {
        THERE,
        GONE,
        /// It is a node, but not one of Kubernetes, so nobody here knows who runs on it.
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

    /// What an attribute says about who uses an address, read in one go: most of a look is this. What
    /// it does not say is empty.
    private record User(
            String node, String namespace, String pod, String type, boolean machine, String name) {

        static User of(Held held) {
            var node = "";
            var namespace = "";
            var pod = "";
            var type = "";
            var machine = false;
            var name = "";
            for (var entry : held.owner().entrySet()) {
                switch (entry.getKey()) {
                    case "node" -> node = entry.getValue();
                    case "namespace" -> namespace = entry.getValue();
                    case "pod" -> pod = entry.getValue();
                    case "type" -> type = entry.getValue();
                    case "vmi-name" -> {
                        machine = true;
                        name = entry.getValue();
                    }
                    default -> {}
                }
            }
            return new User(node, namespace, pod, type, machine, name);
        }

        boolean tunnel() {
            return switch (type) {
                case "ipipTunnelAddress",
                        "vxlanTunnelAddress",
                        "vxlanV6TunnelAddress",
                        "wireguardTunnelAddress",
                        "wireguardV6TunnelAddress" ->
                        true;
                default -> false;
            };
        }

        boolean isPod() {
            return !pod.isEmpty() && !namespace.isEmpty();
        }

        /// Whether somebody uses the address. In doubt somebody does.
        boolean alive(Address address, Population population) {
            if (machine) {
                return namespace.isEmpty()
                        || name.isEmpty()
                        || population.machines().alive(new Name(namespace, name));
            }
            if (!isPod()) {
                return true;
            }
            var podName = new Name(namespace, pod);
            if (!population.unknownPods().isEmpty() && population.unknownPods().contains(podName)) {
                return true;
            }
            var found = population.pods().get(podName);
            if (found == null) {
                return false;
            }
            if (!node.isEmpty() && !found.node().isEmpty() && !node.equals(found.node())) {
                return false;
            }
            if (found.statusAddresses().isEmpty()) {
                return true;
            }
            return found.phase() != Population.Phase.EVICTED
                    && found.endpointAddresses().contains(address);
        }
    }
}
