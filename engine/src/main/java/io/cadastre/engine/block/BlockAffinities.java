package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.BlockChange.DropHostRecord;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.GiveUpRule;
import io.cadastre.engine.block.BlockReason.Kept;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.BlockClaims;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.PoolSelection;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.BlockGiveUp;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/// Leases blocks to owners and takes them back, without any address.
public final class BlockAffinities {

    /// How many blocks one request may claim.
    static final int CLAIM_BLOCKS_MAX = 65_536;

    private BlockAffinities() {}

    /// Claims all blocks of a prefix. Those of others are not touched.
    public static Decision<BlockChange, AffinityClaim> claim(BlockView view, ClaimRequest request) {
        var draft = new Draft(view, request.now());
        var cidr = request.cidr();
        var pool = PoolSelection.enabledAround(view, cidr.first());
        // Calico does not ask whether a larger prefix fits into the pool.
        if (pool.filter(found -> found.cidr().contains(cidr)).isEmpty()) {
            return draft.decided(new AffinityClaim.Refused(notInPools(cidr)));
        }
        int length = pool.get().blockLength();
        if (cidr.length() > length) {
            return draft.decided(new AffinityClaim.Refused(new BlockRefusal.TooSmall(cidr)));
        }
        if (length - cidr.length() > Integer.numberOfTrailingZeros(CLAIM_BLOCKS_MAX)) {
            return draft.decided(new AffinityClaim.Refused(new BlockRefusal.Because(
                    "%s has more than %d blocks, too many for one request".formatted(cidr, CLAIM_BLOCKS_MAX))));
        }
        var claimed = new ArrayList<Prefix>();
        var failed = new ArrayList<Prefix>();
        var blocks = blocksOf(new Subdivision(cidr, length));
        NotReadException.lookAtAll(
                blocks,
                block -> draft.lookAtAll(
                        List.of(known -> known.findBlock(block), known -> known.findAffinity(request.owner(), block))));
        for (var block : blocks) {
            (claim(draft, request.owner(), block) ? claimed : failed).add(block);
            draft.seam();
        }
        return draft.decided(new AffinityClaim.Claimed(claimed, failed));
    }

    private static List<Prefix> blocksOf(Subdivision subdivision) {
        return LongStream.rangeClosed(0, subdivision.lastOrdinal())
                .mapToObj(subdivision::part)
                .toList();
    }

    private static boolean claim(Draft draft, Owner owner, Prefix cidr) {
        var found = draft.view().findBlock(cidr);
        if (found.isPresent()) {
            if (found.get().ownedBy(owner) && !found.get().damaged()) {
                BlockClaims.confirmed(draft, owner, found.get());
                return true;
            }
            if (!found.get().ownedBy(owner)
                    && draft.view().findAffinity(owner, cidr).isPresent()) {
                BlockGiveUp.dropAffinity(draft, owner, cidr, GiveUpRule.STALE);
            }
            draft.explain(new Kept(
                    cidr, new BlockRefusal.ClaimConflict(cidr, BlockGiveUp.ownerWords(found.get())).sentence()));
            return false;
        }
        if (draft.view().findKnownRival(cidr).isPresent()) {
            draft.explain(new PassedOver(cidr, BlockRule.OVERLAPPED));
            return false;
        }
        BlockClaims.created(draft, owner, cidr, new HostReserve.None());
        return true;
    }

    /// Gives up the blocks of a host inside a prefix, up to the first that is refused.
    public static Decision<BlockChange, AffinityRelease> release(
            BlockView view, Prefix cidr, String host, ReleaseCondition condition, Attempts<AffinityRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        var pool = PoolSelection.enabledAround(view, cidr.first());
        if (pool.isEmpty()) {
            return draft.decided(new AffinityRelease.Stopped(List.of(), notInPools(cidr)));
        }
        if (cidr.length() > pool.get().blockLength()) {
            return draft.decided(new AffinityRelease.Stopped(List.of(), new BlockRefusal.TooSmall(cidr)));
        }
        var owner = Owner.host(host);
        var released = new ArrayList<>(releasedIn(attempts));
        var affinities = inside(view.affinitiesOf(owner, cidr.family()), cidr);
        draft.lookAt(affinities.stream().map(Affinity::cidr).toList());
        for (var affinity : affinities) {
            var refusal = giveUp(draft, affinity, condition, released);
            if (refusal.filter(BlockAffinities::counts).isPresent()) {
                return draft.decided(new AffinityRelease.Stopped(released, refusal.get()));
            }
        }
        return draft.decided(new AffinityRelease.Done(released));
    }

    private static List<Affinity> inside(List<Affinity> affinities, Prefix cidr) {
        return affinities.stream()
                .filter(affinity -> cidr.contains(affinity.cidr().first()))
                .sorted(Comparator.comparing(Affinity::cidr))
                .toList();
    }

    /// Gives up a block on behalf of its owner.
    public static Decision<BlockChange, AffinityRelease> releaseBlock(
            BlockView view, Prefix cidr, ReleaseCondition condition, Instant now) {
        var draft = new Draft(view, now);
        var owner = view.findBlock(cidr).flatMap(Block::owner);
        if (owner.isEmpty()) {
            return draft.decided(new AffinityRelease.Done(List.of()));
        }
        if (owner.get().kind() == Owner.Kind.FOREIGN) {
            return draft.decided(new AffinityRelease.Stopped(
                    List.of(), new BlockRefusal.Because("could not parse affinity config")));
        }
        var released = new ArrayList<Prefix>();
        var refusal = giveUp(draft, Affinity.pending(owner.get(), cidr), condition, released)
                .filter(BlockAffinities::counts);
        return draft.decided(refusal.<AffinityRelease>map(reason -> new AffinityRelease.Stopped(released, reason))
                .orElseGet(() -> new AffinityRelease.Done(released)));
    }

    /// Gives up all blocks of an owner, whether or not there is a pool for them. If several are
    /// refused, the last refusal is reported.
    public static Decision<BlockChange, AffinityRelease> releaseHost(
            BlockView view, Owner owner, ReleaseCondition condition, Attempts<AffinityRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        return draft.decided(releaseHost(draft, owner, condition, releasedIn(attempts)));
    }

    /// Gives up the blocks of a host, as a part of another decision.
    ///
    /// @param before what parts of it that were saved have given up
    public static AffinityRelease releaseHost(
            Draft draft, Owner owner, ReleaseCondition condition, List<Prefix> before) {
        var released = new ArrayList<>(before);
        Optional<BlockRefusal> last = Optional.empty();
        for (var family : Family.values()) {
            var affinities = draft.view().affinitiesOf(owner, family);
            draft.lookAt(affinities.stream().map(Affinity::cidr).toList());
            for (var affinity : affinities) {
                var refusal = giveUp(draft, affinity, condition, released).filter(BlockAffinities::counts);
                last = refusal.isPresent() ? refusal : last;
            }
        }
        return last.<AffinityRelease>map(reason -> new AffinityRelease.Stopped(released, reason))
                .orElseGet(() -> new AffinityRelease.Done(released));
    }

    /// Gives up all blocks inside a prefix, whichever owners have them. Those in use stay, without an
    /// owner.
    public static Decision<BlockChange, AffinityRelease> releasePool(
            BlockView view, Prefix pool, Attempts<AffinityRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        var released = new ArrayList<>(releasedIn(attempts));
        Optional<BlockRefusal> last = Optional.empty();
        var affinities = inside(view.affinities(), pool);
        draft.lookAt(affinities.stream().map(Affinity::cidr).toList());
        for (var affinity : affinities) {
            var refusal = giveUp(draft, affinity, ReleaseCondition.NOT_REQUIRED, released)
                    .filter(BlockAffinities::counts);
            last = refusal.isPresent() ? refusal : last;
        }
        return draft.decided(last.<AffinityRelease>map(reason -> new AffinityRelease.Stopped(released, reason))
                .orElseGet(() -> new AffinityRelease.Done(released)));
    }

    /// Gives up all blocks of an owner, in use or not, and forgets it. Its addresses stay.
    public static Decision<BlockChange, AffinityRelease> removeHost(
            BlockView view, Owner owner, Attempts<AffinityRelease> attempts) {
        var draft = new Draft(view, attempts.now());
        var release = releaseHost(draft, owner, ReleaseCondition.NOT_REQUIRED, releasedIn(attempts));
        if (release instanceof AffinityRelease.Done && view.hasHostRecord(owner.name())) {
            draft.write(new DropHostRecord(owner.name()));
        }
        return draft.decided(release);
    }

    /// The blocks that were given up by the parts that were saved: the affinity goes last.
    public static List<Prefix> releasedIn(Attempts<AffinityRelease> attempts) {
        var released = new LinkedHashSet<Prefix>();
        for (var part : attempts.savedParts()) {
            var givenUp = givenUp(part.changes());
            part.outcome().released().stream().filter(givenUp::contains).forEach(released::add);
        }
        return List.copyOf(released);
    }

    private static Set<Prefix> givenUp(List<BlockChange> changes) {
        var blocks = new TreeSet<Prefix>();
        for (var change : changes) {
            switch (change) {
                case BlockChange.DropAffinity(var _, var cidr) -> blocks.add(cidr);
                case BlockChange.DropBlock(var seen) -> blocks.add(seen.cidr());
                case BlockChange.PutBlock _,
                        BlockChange.PutAffinity _,
                        BlockChange.PutHandle _,
                        BlockChange.DropHandle _,
                        BlockChange.PutConfig _,
                        BlockChange.DropHostRecord _ -> {}
            }
        }
        return blocks;
    }

    private static Optional<BlockRefusal> giveUp(
            Draft draft, Affinity affinity, ReleaseCondition condition, List<Prefix> released) {
        var refusal = BlockGiveUp.of(draft, affinity.owner(), affinity.cidr(), condition, GiveUpRule.ASKED_FOR);
        if (refusal.isEmpty()) {
            released.add(affinity.cidr());
        } else {
            draft.explain(new Kept(affinity.cidr(), refusal.get().sentence()));
        }
        return refusal;
    }

    /// What is not there or is another's need not be given up.
    private static boolean counts(BlockRefusal refusal) {
        return !(refusal instanceof BlockRefusal.NotThere || refusal instanceof BlockRefusal.ClaimConflict);
    }

    private static BlockRefusal notInPools(Prefix cidr) {
        return new BlockRefusal.Because("The requested CIDR (%s) is not within any configured pools.".formatted(cidr));
    }
}
