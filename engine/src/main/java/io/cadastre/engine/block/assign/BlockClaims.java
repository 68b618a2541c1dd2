package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.engine.block.Affinity;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange.CreateBlock;
import io.cadastre.engine.block.BlockChange.DropAffinity;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.PutAffinity;
import io.cadastre.engine.block.BlockReason.BlockRule;
import io.cadastre.engine.block.BlockReason.Claimed;
import io.cadastre.engine.block.BlockReason.GiveUpRule;
import io.cadastre.engine.block.BlockReason.Kept;
import io.cadastre.engine.block.BlockReason.PassedOver;
import io.cadastre.engine.block.BlockReason.PassedOverFull;
import io.cadastre.engine.block.BlockReason.Reclaimed;
import io.cadastre.engine.block.BlockReason.Recreated;
import io.cadastre.engine.block.BlockReason.Resumed;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.IpPool;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.index.BlockGenerator;
import io.cadastre.engine.block.release.BlockGiveUp;
import io.cadastre.engine.block.release.ReleaseCondition;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// The blocks of one owner and family, during one decision: those it has, and how it comes to more.
///
/// An owner first uses blocks that it has ([#own]), in the order of its affinities, and finishes what is half
/// done with them. Then it claims ([#claim]) the first place in its pools, in the order that its name gives, where
/// no block is. Then it takes an empty block from another ([#reclaim]).
///
/// Finding a place does not reserve it. Two owners that choose the same place conflict when the block
/// is created.
public final class BlockClaims {

    /// How long an empty block is left to its owner after it was claimed: the owner is about to use it.
    static final Duration RECLAIM_AGE_MIN = Duration.ofSeconds(60);

    /// Up to this many full blocks are named one by one.
    private static final int FULL_NAMED_MAX = 3;

    private final Draft draft;
    private final Owner owner;
    private final Family family;
    private final HostReserve hostReserve;
    private final List<IpPool> usable;
    private final Deque<Affinity> untried;

    /// Looked at only when the others give nothing: a block that was full rarely has something to give,
    /// and to find that out would be a reading for each.
    private final Deque<Affinity> lastSeenFull = new ArrayDeque<>();

    private final Limit limit;

    /// How many blocks the owner had, or wanted to have, at the start, and has claimed since.
    private int owned;

    /// How many blocks the owner has or wants to have, as far as that is known by now.
    private int wanted;

    private BlockClaims(
            Draft draft,
            Owner owner,
            Family family,
            HostReserve hostReserve,
            List<IpPool> usable,
            List<Affinity> owned,
            Limit limit) {
        this.draft = draft;
        this.owner = owner;
        this.family = family;
        this.hostReserve = hostReserve;
        this.usable = usable;
        this.untried = new ArrayDeque<>(owned);
        this.limit = limit;
        this.owned = owned.size();
        this.wanted = owned.size();
    }

    /// What the owner has in the pools that serve a request. Empty blocks in pools that do not select
    /// it any more are given up on the way.
    public static BlockClaims in(
            Draft draft, Owner owner, PoolSelection.Need need, PoolSelection.Chosen pools, Limit limit) {
        var owned = new ArrayList<Affinity>();
        for (var affinity : draft.view().affinitiesOf(owner, need.family())) {
            var cidr = affinity.cidr();
            if (within(pools.usable(), cidr)) {
                owned.add(affinity);
            } else if (!within(pools.matching(), cidr)) {
                PoolSelection.enabledAround(draft.view(), cidr.first())
                        .filter(pool -> pool.deselects(need.nodeLabels()))
                        .ifPresent(_ -> BlockGiveUp.giveUpDeselected(draft, owner, cidr));
            }
        }
        return new BlockClaims(draft, owner, need.family(), need.hostReserve(), pools.usable(), owned, limit);
    }

    private static boolean within(List<IpPool> pools, Prefix cidr) {
        for (var pool : pools) {
            if (pool.cidr().contains(cidr)) {
                return true;
            }
        }
        return false;
    }

    /// How many blocks an owner may have.
    ///
    /// @param stated whether the configuration or the request says so. Then the owner's blocks are looked up
    ///     among all blocks before it claims another, as Calico does with every claim; otherwise those count
    ///     that are known
    public record Limit(int blocksMax, boolean stated) {

        public static final Limit NONE = new Limit(Integer.MAX_VALUE, false);
    }

    /// A block of the owner's, or why there is none.
    public sealed interface Found {

        /// There is one.
        ///
        /// @param block as it is stored now
        record Usable(Block block) implements Found {}

        /// The owner may have no more.
        ///
        /// @param owned how many blocks the owner has
        record LimitReached(int owned) implements Found {}

        record Refused(BlockRefusal refusal) implements Found {}
    }

    /// The next block that the owner has with at least `freeMin` free addresses.
    public Optional<Found> own(int freeMin) {
        var full = new ArrayList<Prefix>();
        // Ends: each round takes one from a queue, and those that were full come twice at most.
        while (!untried.isEmpty() || !lastSeenFull.isEmpty()) {
            boolean again = untried.isEmpty();
            var affinity = again ? lastSeenFull.removeFirst() : untried.removeFirst();
            if (!again && draft.view().lastSeenFull(affinity.cidr())) {
                lastSeenFull.add(affinity);
            } else {
                var block = affine(affinity);
                if (block.isPresent()) {
                    if (free(block.get()) >= freeMin) {
                        passOverFull(full);
                        return Optional.of(new Found.Usable(block.get()));
                    }
                    full.add(block.get().cidr());
                }
            }
        }
        passOverFull(full);
        return Optional.empty();
    }

    /// A block in the first place where there is none, or why the owner may not have another; empty if there is no
    /// such place.
    public Optional<Found> claim(int freeMin) {
        if (owned >= limit.blocksMax()) {
            return Optional.of(new Found.LimitReached(owned));
        }
        if (!draft.view().config().autoAllocateBlocks()) {
            return Optional.of(refused("failed to find or claim a block"));
        }
        var forgotten = forgotten();
        if (owned + forgotten.size() >= limit.blocksMax()) {
            return Optional.of(counted(resumeOne(forgotten)));
        }
        for (var pool : usable) {
            var found = Round.of(pool, owner, draft).flatMap(round -> claimIn(round, freeMin));
            if (found.isPresent()) {
                return found.map(this::counted);
            }
        }
        return Optional.empty();
    }

    /// A block in the place of an empty one of another owner; empty if none may be taken.
    public Optional<Found> reclaim(int freeMin) {
        for (var pool : usable) {
            var round = Round.of(pool, owner, draft);
            if (round.isPresent()) {
                var place = reclaimIn(round.get());
                if (place.isPresent()) {
                    return Optional.of(counted(claimedAt(place.get(), round.get(), freeMin)));
                }
            }
        }
        return Optional.empty();
    }

    private Found counted(Found found) {
        owned += found instanceof Found.Usable ? 1 : 0;
        return found;
    }

    /// The owner's blocks to which it keeps no affinity. A store that writes one by one has such a block if
    /// another process took back its announcement before the block was there, and the owner was stopped after
    /// that.
    private List<Block> forgotten() {
        var blocks = limit.stated()
                ? draft.view().blocksOf(owner, family)
                : draft.view().knownBlocksOf(owner, family);
        return blocks.stream()
                .filter(block -> within(usable, block.cidr()))
                .filter(block -> draft.view().findAffinity(owner, block.cidr()).isEmpty())
                .toList();
    }

    /// The owner may have no more blocks than it has, and uses one of those that it forgot.
    private Found resumeOne(List<Block> forgotten) {
        return forgotten.stream()
                .filter(this::usable)
                .findFirst()
                .<Found>map(block -> new Found.Usable(confirmed(block)))
                .orElseGet(() -> new Found.LimitReached(owned + forgotten.size()));
    }

    private boolean usable(Block block) {
        return !block.damaged() && free(block) > 0;
    }

    private int free(Block block) {
        return draft.normalised(block).free(draft.view().reservations());
    }

    /// The block that an affinity of the owner's is for, with everything finished that was half done.
    private Optional<Block> affine(Affinity affinity) {
        var cidr = affinity.cidr();
        if (draft.view().reservations().containWhole(cidr)) {
            passOver(cidr, BlockRule.WHOLLY_RESERVED);
            return Optional.empty();
        }
        var found = draft.view().findBlock(cidr);
        if (found.isEmpty()) {
            return recreated(cidr);
        }
        var block = found.get();
        if (!block.ownedBy(owner)) {
            drop(cidr);
            passOver(cidr, BlockRule.LEASED_TO_ANOTHER);
            return Optional.empty();
        }
        if (block.damaged()) {
            passOver(cidr, BlockRule.DAMAGED);
            return Optional.empty();
        }
        if (affinity.confirmed()) {
            return found;
        }
        var rewritten = confirmed(block);
        draft.seam();
        return Optional.of(rewritten);
    }

    /// An owner may have more affinities to drop than one commit takes.
    private void drop(Prefix cidr) {
        draft.write(new DropAffinity(owner, cidr));
        draft.seam();
        wanted--;
    }

    private Optional<Block> recreated(Prefix cidr) {
        boolean blockOfPool =
                usable.stream().anyMatch(pool -> pool.cidr().contains(cidr) && pool.blockLength() == cidr.length());
        if (!blockOfPool) {
            drop(cidr);
            passOver(cidr, BlockRule.WRONG_LENGTH);
            return Optional.empty();
        }
        if (draft.view().findKnownRival(cidr).isPresent()) {
            drop(cidr);
            passOver(cidr, BlockRule.OVERLAPPED);
            return Optional.empty();
        }
        if (wanted + forgotten().size() > limit.blocksMax()) {
            drop(cidr);
            passOver(cidr, BlockRule.BEYOND_LIMIT);
            return Optional.empty();
        }
        draft.explain(new Recreated(cidr));
        return Optional.of(created(draft, owner, cidr, hostReserve));
    }

    /// A new block of the owner's. The intention is written first, so that a stop leaves a trace that
    /// the owner finds.
    public static Block created(Draft draft, Owner owner, Prefix cidr, HostReserve hostReserve) {
        var block = Block.fresh(cidr, owner, hostReserve, draft.now());
        var affinity = Affinity.pending(owner, cidr);
        draft.write(new PutAffinity(affinity));
        draft.write(new CreateBlock(block));
        draft.write(new PutAffinity(affinity.in(Affinity.State.CONFIRMED)));
        return block;
    }

    /// The owner's block with a confirmed affinity. If the affinity is not confirmed, another process
    /// may be about to delete the block; so the block is rewritten between the two steps, and that
    /// process fails.
    private Block confirmed(Block block) {
        return confirmed(draft, owner, block);
    }

    public static Block confirmed(Draft draft, Owner owner, Block block) {
        var cidr = block.cidr();
        var affinity = draft.view().findAffinity(owner, cidr);
        if (affinity.filter(Affinity::confirmed).isPresent()) {
            return block;
        }
        var pending = Affinity.pending(owner, cidr);
        draft.write(new PutAffinity(pending));
        var rewritten = draft.update(block, draft.normalised(block));
        draft.write(new PutAffinity(pending.in(Affinity.State.CONFIRMED)));
        affinity.ifPresent(former -> draft.explain(new Resumed(cidr, former.state())));
        return rewritten;
    }

    /// The first place in the round where the owner has a block that its affinities miss, or where
    /// there is no block.
    private Optional<Found> claimIn(Round round, int freeMin) {
        var place = firstUnclaimed(round);
        var forgotten = draft.view().knownBlocksOf(owner, family).stream()
                .filter(block -> round.pool.cidr().contains(block.cidr()))
                .filter(block -> block.cidr().length() == round.pool.blockLength())
                .filter(this::usable)
                .min((one, other) -> round.compare(one.cidr(), other.cidr()));
        if (forgotten.isPresent()
                && (place.isEmpty() || round.compare(forgotten.get().cidr(), place.get()) < 0)) {
            return Optional.of(new Found.Usable(confirmed(forgotten.get())));
        }
        return place.map(cidr -> claimedAt(cidr, round, freeMin));
    }

    private Found claimedAt(Prefix cidr, Round round, int freeMin) {
        int free = Block.fresh(cidr, owner, hostReserve, draft.now())
                .free(draft.view().reservations());
        if (free < freeMin) {
            return refused(
                    "Block '%s' has %d free ips which is less than %d ips required.".formatted(cidr, free, freeMin));
        }
        draft.explain(new Claimed(cidr, round.pool.name(), round.start, round.steps(cidr)));
        return new Found.Usable(created(draft, owner, cidr, hostReserve));
    }

    private Optional<Prefix> firstUnclaimed(Round round) {
        for (var stretch : round.stretches()) {
            var from = stretch.first();
            // Ends: each round begins after another range that is reserved.
            while (true) {
                var place = draft.view().findUnclaimed(round.pool, from, stretch.last());
                if (place.isEmpty()) {
                    break;
                }
                if (!draft.view().reservations().containWhole(place.get())) {
                    return place;
                }
                passOver(place.get(), BlockRule.WHOLLY_RESERVED);
                var end = reservedUpTo(place.get());
                if (end.compareTo(stretch.last()) >= 0) {
                    break;
                }
                from = round.pool.block(end.next()).first();
                if (from.compareTo(stretch.last()) > 0) {
                    break;
                }
            }
        }
        return Optional.empty();
    }

    private Address reservedUpTo(Prefix place) {
        return draft.view().reservations().addresses().ranges().stream()
                .filter(range -> range.contains(place.last()))
                .map(Range::last)
                .findFirst()
                .orElse(place.last());
    }

    /// The first place in the round from which an empty block could be taken.
    private Optional<Prefix> reclaimIn(Round round) {
        for (var stretch : round.stretches()) {
            var hollow = draft.view().findHollowBlock(round.pool, stretch.first());
            // Ends: each round begins after the block that the round before met.
            while (hollow.isPresent() && stretch.contains(hollow.get().cidr().first())) {
                var cidr = hollow.get().cidr();
                if (reclaim(hollow.get())) {
                    return Optional.of(cidr);
                }
                hollow = cidr.last().compareTo(round.pool.cidr().last()) >= 0
                        ? Optional.empty()
                        : draft.view().findHollowBlock(round.pool, cidr.last().next());
            }
        }
        return Optional.empty();
    }

    private boolean reclaim(Block stored) {
        var cidr = stored.cidr();
        var block = draft.normalised(stored);
        var barred = barred(block);
        if (barred.isPresent()) {
            passOver(cidr, barred.get());
            return false;
        }
        var holder = block.owner();
        boolean indexed = holder.filter(
                        owner -> draft.view().findAffinity(owner, cidr).isPresent())
                .isPresent();
        if (indexed) {
            var refusal =
                    BlockGiveUp.of(draft, holder.orElseThrow(), cidr, ReleaseCondition.REQUIRED, GiveUpRule.ASKED_FOR);
            if (refusal.isPresent()) {
                draft.explain(new Kept(cidr, refusal.get().sentence()));
                return false;
            }
        } else {
            // A block without an owner, or without an affinity of its owner. Calico leaves it unused
            // for good.
            draft.write(new DropBlock(stored));
        }
        draft.explain(new Reclaimed(cidr, holder.map(Owner::toString).orElse("no owner")));
        return true;
    }

    private Optional<BlockRule> barred(Block block) {
        if (!block.empty()) {
            return Optional.of(BlockRule.STILL_COOLING);
        }
        if (draft.view().reservations().containWhole(block.cidr())) {
            return Optional.of(BlockRule.WHOLLY_RESERVED);
        }
        if (block.free(draft.view().reservations()) == 0) {
            return Optional.of(BlockRule.FULL);
        }
        if (block.owner().filter(holder -> holder.kind() == Owner.Kind.FOREIGN).isPresent()) {
            return Optional.of(BlockRule.FOREIGN_OWNER);
        }
        return block.claimedAt()
                .filter(time -> time.plus(RECLAIM_AGE_MIN).isAfter(draft.now()))
                .map(_ -> BlockRule.CLAIMED_RECENTLY);
    }

    /// A few are named. Of many the first are named and all are counted: a busy host has hundreds, and each
    /// request passes over all of them.
    private void passOverFull(List<Prefix> full) {
        if (full.size() > FULL_NAMED_MAX) {
            draft.explain(
                    new PassedOverFull(full.size(), owner.toString(), List.copyOf(full.subList(0, FULL_NAMED_MAX))));
        } else {
            full.forEach(block -> passOver(block, BlockRule.FULL));
        }
    }

    private void passOver(Prefix block, BlockRule rule) {
        draft.explain(new PassedOver(block, rule));
    }

    private static Found refused(String sentence) {
        return new Found.Refused(new BlockRefusal.Because(sentence));
    }

    /// The order in which an owner tries the blocks of a pool: from its start to the end, and from the
    /// beginning up to its start.
    record Round(IpPool pool, Prefix start) {

        /// Empty if the pool is too small for a block.
        static Optional<Round> of(IpPool pool, Owner owner, Draft draft) {
            if (pool.blockLength() < pool.cidr().length()) {
                return Optional.empty();
            }
            var generator = BlockGenerator.of(owner.name(), pool.cidr(), pool.blockLength(), draft.now());
            return Optional.of(new Round(pool, generator.block(BigInteger.ZERO)));
        }

        List<Range> stretches() {
            var first = pool.cidr().first();
            var fromStart =
                    new Range(start.first(), pool.block(pool.cidr().last()).first());
            return start.first().equals(first)
                    ? List.of(fromStart)
                    : List.of(
                            fromStart,
                            new Range(
                                    first, pool.block(start.first().previous()).first()));
        }

        int compare(Prefix one, Prefix other) {
            boolean oneWraps = one.compareTo(start) < 0;
            boolean otherWraps = other.compareTo(start) < 0;
            return oneWraps == otherWraps ? one.compareTo(other) : Boolean.compare(oneWraps, otherWraps);
        }

        /// How many places come before this one.
        BigInteger steps(Prefix block) {
            int hostBits = block.family().bits() - block.length();
            if (block.compareTo(start) >= 0) {
                return start.first().distanceTo(block.first()).shiftRight(hostBits);
            }
            var toEnd = start.first().distanceTo(pool.cidr().last()).shiftRight(hostBits);
            return toEnd.add(BigInteger.ONE)
                    .add(pool.cidr().first().distanceTo(block.first()).shiftRight(hostBits));
        }
    }
}
