package io.cadastre.engine.block;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Assignment.Share;

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
        var served = Attempt.served(draft, attempted, request.claimant());
        if (served.isPresent()) {
            return draft.decided(served.get());
        }
        var assignment = given(draft, request);
        Attempt.bar(draft, view, attempted, request.claimant());
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
        for (var part : parts) {
            var refusal = part.run();
            if (refusal.isPresent()) {
                return new Assignment.Stopped(shares(parts), refusal.get());
            }
        }
        return new Assignment.Done(shares(parts));
    }

    private static List<Share> shares(List<FamilyAssignment> parts) {
        return parts.stream().filter(FamilyAssignment::begun).map(FamilyAssignment::share).toList();
    }

    /// Makes sure that a host has a block in each family for which it reserves something, be it full.
    public static Decision<BlockChange, BlockEnsurance> ensureBlock(
            BlockView view, EnsureRequest request) {
        var draft = new Draft(view, request.now());
        var blocks = new ArrayList<Prefix>();
        for (var family : Family.values()) {
            if (request.ask(family).hostReserve() instanceof HostReserve.Ends) {
                switch (ensured(draft, request, family)) {
                    case Claims.Found.Usable(var block, _) -> blocks.add(block.cidr());
                    case Claims.Found.Refused(var refusal) -> {
                        return draft.decided(new BlockEnsurance.Refused(blocks, refusal));
                    }
                    case Claims.Found.NoFreeBlocks _, Claims.Found.LimitReached _ -> {
                        var refusal = new BlockRefusal.Because("No Free Blocks");
                        return draft.decided(new BlockEnsurance.Refused(blocks, refusal));
                    }
                }
            }
        }
        return draft.decided(new BlockEnsurance.Ensured(blocks));
    }

    private static Claims.Found ensured(Draft draft, EnsureRequest request, Family family) {
        var ask = request.ask(family);
        var mixed = FamilyAssignment.mixedFamilies(ask, family);
        if (mixed.isPresent()) {
            return new Claims.Found.Refused(mixed.get());
        }
        var node = draft.view().findNode(request.host());
        if (node.isEmpty()) {
            return new Claims.Found.Refused(BlockRefusal.NotThere.node(request.host()));
        }
        var need =
                new PoolChoice.Need(
                        request.host(),
                        family,
                        ask.pools(),
                        Use.WORKLOAD,
                        ask.hostReserve(),
                        node.get().labels(),
                        Collections.emptySortedMap());
        return switch (PoolChoice.of(draft, need)) {
            case PoolChoice.Refused(var refusal) -> new Claims.Found.Refused(refusal);
            case PoolChoice.Chosen chosen ->
                    Claims.in(draft, Owner.host(request.host()), need, chosen, Integer.MAX_VALUE)
                            .next(0, Claims.Growth.ALLOWED);
        };
    }

    /// Gives one certain address.
    public static Decision<BlockChange, AddressAssignment> assignAddress(
            BlockView view, AssignAddressRequest request) {
        var draft = new Draft(view, request.now());
        return draft.decided(new SingleAssignment(draft, request).run());
    }
}
