package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.NotReadException;
import io.cadastre.engine.block.OwnerUpdate.Expectation;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AffinityClaim;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Assignment.Share;
import io.cadastre.engine.block.assign.AttachRequest;
import io.cadastre.engine.block.assign.AttachResult;
import io.cadastre.engine.block.assign.Attempt;
import io.cadastre.engine.block.assign.ClaimRequest;
import io.cadastre.engine.block.assign.EnsureRequest;
import io.cadastre.engine.block.assign.EnsuredBlocks;
import io.cadastre.engine.block.assign.FamilyAssignment;
import io.cadastre.engine.block.assign.HostBlocks;
import io.cadastre.engine.block.assign.InterfaceAssignment;
import io.cadastre.engine.block.assign.SingleAssignment;
import io.cadastre.engine.block.collect.BlockCollector;
import io.cadastre.engine.block.collect.Leak;
import io.cadastre.engine.block.collect.LeakRelease;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.engine.block.release.BlockReleases;
import io.cadastre.engine.block.release.DetachRequest;
import io.cadastre.engine.block.release.DetachResult;
import io.cadastre.engine.block.release.HandleRelease;
import io.cadastre.engine.block.release.InterfaceRelease;
import io.cadastre.engine.block.release.Release;
import io.cadastre.engine.block.release.ReleaseCondition;
import io.cadastre.engine.block.release.ReleaseOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The verbs of the law of blocks leased to nodes, the way Calico does it. Questions that change nothing are
/// [BlockQueries]; [io.cadastre.engine.block.collect.BlockCollector#plan] finds what is to be collected.
public final class BlockEngine {

    private BlockEngine() {}

    // ---- giving addresses ----

    /// Gives an interface the addresses that it is to have and does not have yet.
    public static Decision<BlockChange, AttachResult> attach(BlockView view, AttachRequest request) {
        return new InterfaceAssignment(view, request).decide();
    }

    /// Gives any addresses on a host: from blocks it has, from blocks it claims, from empty blocks it
    /// takes from others, and at last single ones from blocks of others.
    public static Decision<BlockChange, Assignment> assign(BlockView view, AssignRequest request) {
        var draft = new Draft(view, request.now());
        var attempted = request.attempted();
        var served = Attempt.served(draft, attempted, request.requester());
        if (served.isPresent()) {
            return draft.decided(served.get());
        }
        var assignment = given(draft, request);
        Attempt.bar(draft, view, attempted, request.requester());
        return draft.decided(assignment);
    }

    /// What earlier attempts gave is found before any pool is chosen: it was given by the rules of then.
    private static Assignment given(Draft draft, AssignRequest request) {
        var parts = new ArrayList<FamilyAssignment>();
        for (var family : Family.values()) {
            if (request.ask(family).count() > 0) {
                var part = new FamilyAssignment(draft, request, family);
                part.recogniseEarlierAttempts();
                parts.add(part);
            }
        }
        NotReadException.lookAtAll(parts, FamilyAssignment::look);
        for (var part : parts) {
            var refusal = part.run();
            if (refusal.isPresent()) {
                return new Assignment.Stopped(shares(parts), refusal.get());
            }
        }
        return new Assignment.Done(shares(parts));
    }

    private static List<Share> shares(List<FamilyAssignment> parts) {
        return parts.stream()
                .filter(FamilyAssignment::begun)
                .map(FamilyAssignment::share)
                .toList();
    }

    /// Gives one certain address.
    public static Decision<BlockChange, AddressAssignment> assignAddress(BlockView view, AssignAddressRequest request) {
        var draft = new Draft(view, request.now());
        return draft.decided(new SingleAssignment(draft, request).run());
    }

    // ---- taking addresses back ----

    /// Takes back the addresses of an interface.
    public static Decision<BlockChange, DetachResult> detach(BlockView view, DetachRequest request) {
        return new InterfaceRelease(view, request).decide();
    }

    /// Takes back these addresses. Each block's are taken back together or not at all.
    public static Decision<BlockChange, Release> release(
            BlockView view, List<ReleaseOption> options, Attempts<Release> attempts) {
        return BlockReleases.release(view, options, attempts);
    }

    /// Takes back all that a handle holds.
    public static Decision<BlockChange, HandleRelease> releaseByHandle(
            BlockView view, String handle, Attempts<HandleRelease> attempts) {
        return BlockReleases.releaseByHandle(view, handle, attempts);
    }

    // ---- blocks without any address ----

    /// Makes sure that a host has a block in each family for which it reserves something, even a full
    /// one.
    public static Decision<BlockChange, EnsuredBlocks> ensureBlock(BlockView view, EnsureRequest request) {
        var draft = new Draft(view, request.now());
        return draft.decided(HostBlocks.ensure(draft, request));
    }

    /// Claims all blocks of a prefix. Those of others are not touched.
    public static Decision<BlockChange, AffinityClaim> claimAffinity(BlockView view, ClaimRequest request) {
        return BlockAffinities.claim(view, request);
    }

    /// Gives up the blocks of a host inside a prefix, up to the first that is refused.
    public static Decision<BlockChange, AffinityRelease> releaseAffinity(
            BlockView view, Prefix cidr, String host, ReleaseCondition condition, Attempts<AffinityRelease> attempts) {
        return BlockAffinities.release(view, cidr, host, condition, attempts);
    }

    /// Gives up a block on behalf of its owner.
    public static Decision<BlockChange, AffinityRelease> releaseBlock(
            BlockView view, Prefix cidr, ReleaseCondition condition, Instant now) {
        return BlockAffinities.releaseBlock(view, cidr, condition, now);
    }

    /// Gives up all blocks of an owner, whether or not there is a pool for them. If several are
    /// refused, the last refusal is reported.
    public static Decision<BlockChange, AffinityRelease> releaseHost(
            BlockView view, Owner owner, ReleaseCondition condition, Attempts<AffinityRelease> attempts) {
        return BlockAffinities.releaseHost(view, owner, condition, attempts);
    }

    /// Gives up all blocks inside a prefix, whichever owners have them. Those in use stay, without an
    /// owner.
    public static Decision<BlockChange, AffinityRelease> releasePool(
            BlockView view, Prefix pool, Attempts<AffinityRelease> attempts) {
        return BlockAffinities.releasePool(view, pool, attempts);
    }

    /// Gives up all blocks of an owner, in use or not, and forgets it. Its addresses stay.
    public static Decision<BlockChange, AffinityRelease> removeHost(
            BlockView view, Owner owner, Attempts<AffinityRelease> attempts) {
        return BlockAffinities.removeHost(view, owner, attempts);
    }

    // ---- users of held addresses ----

    /// Changes what is recorded about the user of one address. Calico changes it for all addresses that
    /// share the attribute; here the others keep theirs.
    public static Decision<BlockChange, OwnerChange> setOwner(BlockView view, OwnerRequest request) {
        return BlockOwners.set(view, request);
    }

    /// Makes the target of a migration the active owner of all addresses of a virtual machine, and the
    /// former active owner the alternate.
    ///
    /// @param handle the virtual machine's
    public static Decision<BlockChange, OwnerChange> swapOwner(
            BlockView view, String handle, Expectation.Pod target, Instant now) {
        return BlockOwners.swap(view, handle, target, now);
    }

    // ---- collection ----

    /// Releases leaks whose pods are still not seen.
    ///
    /// @param recheck which owners are alive, looked up as directly as possible
    public static Decision<BlockChange, LeakRelease> releaseLeaks(
            BlockView view, List<Leak> leaks, LiveOwners recheck, Attempts<LeakRelease> attempts) {
        return BlockCollector.releaseLeaks(view, leaks, recheck, attempts);
    }

    /// Frees the cold addresses of a block. Calico never deletes a block without an owner in which the
    /// last address cools down.
    public static Decision<BlockChange, Integer> thaw(BlockView view, Prefix cidr, Instant now) {
        return BlockCollector.thaw(view, cidr, now);
    }

    /// Gives up a block that is not used, unless it is the last of its host.
    public static Decision<BlockChange, AffinityRelease> giveUpUnused(BlockView view, Prefix cidr, Instant now) {
        return BlockCollector.giveUpUnused(view, cidr, now);
    }

    /// Gives up the empty blocks of a host that is gone, also those of which it kept no affinity.
    public static Decision<BlockChange, AffinityRelease> cleanNode(
            BlockView view, String host, Attempts<AffinityRelease> attempts) {
        return BlockCollector.cleanNode(view, host, attempts);
    }

    /// Gives up an empty block of a host that is gone, unless another host has the block by now.
    public static Decision<BlockChange, AffinityRelease> cleanBlock(
            BlockView view, String host, Prefix cidr, Instant now) {
        return BlockCollector.cleanBlock(view, host, cidr, now);
    }

    /// Forgets a host that is gone and has no block. If it has one after all, addresses in use must not be taken
    /// from it: then only empty blocks are given up.
    public static Decision<BlockChange, AffinityRelease> forgetNode(BlockView view, String host, Instant now) {
        return BlockCollector.forgetNode(view, host, now);
    }
}
