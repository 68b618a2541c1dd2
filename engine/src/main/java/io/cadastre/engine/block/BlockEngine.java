package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.assign.AddressAssignment;
import io.cadastre.engine.block.assign.AssignAddressRequest;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.Assignment;
import io.cadastre.engine.block.assign.Assignment.Share;
import io.cadastre.engine.block.assign.Attempt;
import io.cadastre.engine.block.assign.BlockClaims;
import io.cadastre.engine.block.assign.EnsureRequest;
import io.cadastre.engine.block.assign.EnsuredBlocks;
import io.cadastre.engine.block.assign.FamilyAssignment;
import io.cadastre.engine.block.assign.PoolSelection;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.assign.SingleAssignment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Assigns addresses from blocks leased to nodes, the way Calico does.
public final class BlockEngine {

    private BlockEngine() {}

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

    /// Makes sure that earlier attempts at a request have no effect any more, for a caller that refuses it as a whole.
    public static <O> Decision<BlockChange, O> bar(BlockView view, AssignRequest request, O refusal) {
        return barred(view, request.attempted(), request.requester(), request.now(), refusal);
    }

    /// Makes sure that earlier attempts at a request for one certain address have no effect any more.
    public static <O> Decision<BlockChange, O> bar(BlockView view, AssignAddressRequest request, O refusal) {
        return barred(view, request.attempted(), request.requester(), request.now(), refusal);
    }

    private static <A, O> Decision<BlockChange, O> barred(
            BlockView view, List<Attempt<A>> attempted, Requester requester, Instant now, O refusal) {
        var draft = new Draft(view, now);
        Attempt.bar(draft, view, attempted, requester);
        return draft.decided(refusal);
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

    /// Makes sure that a host has a block in each family for which it reserves something, even a full
    /// one.
    public static Decision<BlockChange, EnsuredBlocks> ensureBlock(BlockView view, EnsureRequest request) {
        var draft = new Draft(view, request.now());
        var blocks = new ArrayList<Prefix>();
        for (var family : Family.values()) {
            if (request.ask(family).hostReserve() instanceof HostReserve.Ends) {
                switch (ensured(draft, request, family)) {
                    case BlockClaims.Found.Usable(var block) -> blocks.add(block.cidr());
                    case BlockClaims.Found.Refused(var refusal) -> {
                        return draft.decided(new EnsuredBlocks.Refused(blocks, refusal));
                    }
                    case BlockClaims.Found.NoFreeBlocks _, BlockClaims.Found.LimitReached _ -> {
                        var refusal = new BlockRefusal.Because("No Free Blocks");
                        return draft.decided(new EnsuredBlocks.Refused(blocks, refusal));
                    }
                }
            }
        }
        return draft.decided(new EnsuredBlocks.Ensured(blocks));
    }

    private static BlockClaims.Found ensured(Draft draft, EnsureRequest request, Family family) {
        var ask = request.ask(family);
        var mixed = FamilyAssignment.mixedFamilies(ask, family);
        if (mixed.isPresent()) {
            return new BlockClaims.Found.Refused(mixed.get());
        }
        var node = draft.view().findNode(request.host());
        if (node.isEmpty()) {
            return new BlockClaims.Found.Refused(BlockRefusal.NotThere.node(request.host()));
        }
        var need = new PoolSelection.Need(
                request.host(),
                family,
                ask.pools(),
                AddressUse.WORKLOAD,
                ask.hostReserve(),
                node.get().labels(),
                Collections.emptySortedMap());
        return switch (PoolSelection.of(draft, need)) {
            case PoolSelection.Refused(var refusal) -> new BlockClaims.Found.Refused(refusal);
            case PoolSelection.Chosen chosen ->
                BlockClaims.in(draft, Owner.host(request.host()), need, chosen, BlockClaims.Limit.NONE)
                        .next(0);
        };
    }

    /// Gives one certain address.
    public static Decision<BlockChange, AddressAssignment> assignAddress(BlockView view, AssignAddressRequest request) {
        var draft = new Draft(view, request.now());
        return draft.decided(new SingleAssignment(draft, request).run());
    }
}
