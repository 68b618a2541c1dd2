package io.cadastre.engine.block.collect;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockAffinities;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockReason.Cold;
import io.cadastre.engine.block.BlockReason.GiveUpRule;
import io.cadastre.engine.block.BlockReason.Kept;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.BlockGiveUp;
import io.cadastre.engine.block.release.BlockReleases;
import io.cadastre.engine.block.release.ReleaseAttempt;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Finds what is no longer in use and takes it back.
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

    /// Looks at all blocks and plans what is to be done. Nothing is decided yet.
    public static SweepPlan plan(
            BlockView view,
            LiveOwners liveOwners,
            LeakTracker tracker,
            CollectorSettings settings,
            Scope scope,
            Instant now) {
        if (settings.store() == CollectorSettings.Store.LOCKED) {
            return SweepPlan.nothing(tracker);
        }
        return new Sweep(view, liveOwners, tracker, settings, scope, now).plan();
    }

    /// Releases leaks whose pods are still not seen.
    ///
    /// @param recheck which owners are alive, looked up as directly as possible
    public static Decision<BlockChange, LeakRelease> releaseLeaks(
            BlockView view, List<Leak> leaks, LiveOwners recheck, Attempts<LeakRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        var before = new TreeSet<>(ReleaseAttempt.takenIn(attempts));
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
                        && AddressUser.of(held.get()).alive(leak.allocation().address(), recheck, view)) {
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
                        .map(leak -> ReleaseOption.of(
                                        leak.allocation().address().toString())
                                .withHandle(leak.allocation().handle())
                                .withSequence(leak.sequence()))
                        .toList(),
                List.of());
        return draft.decided(new LeakRelease(released, alive, changed));
    }

    /// What is recorded about the leaked address, unless it was released or given anew meanwhile.
    private static Optional<Held> held(BlockView view, Leak leak) {
        return view.findBlock(leak.block())
                .filter(block -> !block.damaged())
                .flatMap(block -> {
                    int ordinal = block.ordinal(leak.allocation().address()).orElseThrow();
                    return block.attribute(ordinal).filter(_ -> block.sequenceOf(ordinal) == leak.sequence());
                })
                .filter(Held.class::isInstance)
                .map(Held.class::cast)
                .filter(held -> held.cleanHandle().equals(leak.allocation().handle()));
    }

    /// Frees the cold addresses of a block. Calico never deletes a block without an owner in which the
    /// last address cools down.
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
            draft.explain(new Cold(cidr, freed, Duration.ofSeconds(view.config().cooldownSeconds())));
            draft.updateOrDrop(stored, block);
        }
        return draft.decided(freed);
    }

    /// Gives up a block that is not used, unless it is the last of its host.
    public static Decision<BlockChange, AffinityRelease> giveUpUnused(BlockView view, Prefix cidr, Instant now) {
        var draft = new Draft(view, now);
        var owner = view.findBlock(cidr).flatMap(Block::owner).filter(holder -> holder.kind() == Owner.Kind.HOST);
        if (owner.isEmpty() || blockCount(view, owner.get()) < 2) {
            return draft.decided(new AffinityRelease.Done(List.of()));
        }
        var refusal = BlockGiveUp.of(draft, owner.get(), cidr, ReleaseCondition.REQUIRED, GiveUpRule.EMPTY_FOR_LONG);
        refusal.ifPresent(reason -> draft.explain(new Kept(cidr, reason.sentence())));
        return draft.decided(new AffinityRelease.Done(refusal.isEmpty() ? List.of(cidr) : List.of()));
    }

    private static int blockCount(BlockView view, Owner owner) {
        int count = 0;
        for (var family : Family.values()) {
            count += (int) view.affinitiesOf(owner, family).stream()
                    .filter(Affinity::confirmed)
                    .count();
        }
        return count;
    }

    /// Gives up the empty blocks of a host that is gone, also those of which it kept no affinity.
    public static Decision<BlockChange, AffinityRelease> cleanNode(
            BlockView view, String host, Attempts<AffinityRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        var owner = Owner.host(host);
        var release = BlockAffinities.releaseHost(
                draft, owner, ReleaseCondition.REQUIRED, BlockAffinities.releasedIn(attempts));
        var released = new ArrayList<>(release.released());
        for (var family : Family.values()) {
            for (var block : view.blocks(family)) {
                if (block.owner().filter(owner::equals).isPresent()
                        && view.findAffinity(owner, block.cidr()).isEmpty()
                        && BlockGiveUp.of(draft, owner, block.cidr(), ReleaseCondition.REQUIRED, GiveUpRule.NO_AFFINITY)
                                .isEmpty()) {
                    released.add(block.cidr());
                }
            }
        }
        return draft.decided(
                switch (release) {
                    case AffinityRelease.Done _ -> new AffinityRelease.Done(released);
                    case AffinityRelease.Stopped(var _, var refusal) -> new AffinityRelease.Stopped(released, refusal);
                });
    }

    /// Gives up an empty block of a host that is gone, unless another host has the block by now.
    public static Decision<BlockChange, AffinityRelease> cleanBlock(
            BlockView view, String host, Prefix cidr, Instant now) {
        boolean own = view.findBlock(cidr)
                .filter(block -> block.ownedBy(Owner.host(host)))
                .isPresent();
        return own
                ? BlockAffinities.releaseBlock(view, cidr, ReleaseCondition.REQUIRED, now)
                : new Draft(view, now).decided(new AffinityRelease.Done(List.of()));
    }

    /// Forgets a host that is gone and has no block. If it has one after all, addresses in use must not be taken
    /// from it: then only empty blocks are given up.
    public static Decision<BlockChange, AffinityRelease> forgetNode(BlockView view, String host, Instant now) {
        var owner = Owner.host(host);
        boolean bare = Arrays.stream(Family.values())
                .allMatch(family -> view.affinitiesOf(owner, family).isEmpty());
        return bare
                ? BlockAffinities.removeHost(view, owner, Attempts.first(now))
                : cleanNode(view, host, Attempts.first(now));
    }
}
