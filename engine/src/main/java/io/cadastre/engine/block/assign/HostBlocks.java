package io.cadastre.engine.block.assign;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.Draft;
import io.cadastre.engine.block.HostReserve;
import io.cadastre.engine.block.Owner;
import java.util.ArrayList;
import java.util.Collections;

/// The blocks that a host must have before its first pod.
public final class HostBlocks {

    private HostBlocks() {}

    /// Finds or claims a block in each family for which the host reserves something.
    public static EnsuredBlocks ensure(Draft draft, EnsureRequest request) {
        var blocks = new ArrayList<Prefix>();
        for (var family : Family.values()) {
            if (request.ask(family).hostReserve() instanceof HostReserve.Ends) {
                switch (find(draft, request, family)) {
                    case BlockClaims.Found.Usable(var block) -> blocks.add(block.cidr());
                    case BlockClaims.Found.Refused(var refusal) -> {
                        return new EnsuredBlocks.Refused(blocks, refusal);
                    }
                    case BlockClaims.Found.LimitReached _ -> {
                        return new EnsuredBlocks.Refused(blocks, NO_FREE_BLOCKS);
                    }
                }
            }
        }
        return new EnsuredBlocks.Ensured(blocks);
    }

    private static final BlockRefusal NO_FREE_BLOCKS = new BlockRefusal.Because("No Free Blocks");

    private static BlockClaims.Found find(Draft draft, EnsureRequest request, Family family) {
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
            case PoolSelection.Chosen chosen -> {
                var claims = BlockClaims.in(draft, Owner.host(request.host()), need, chosen, BlockClaims.Limit.NONE);
                yield claims.own(0)
                        .or(() -> claims.claim(0))
                        .or(() -> claims.reclaim(0))
                        .orElseGet(() -> new BlockClaims.Found.Refused(NO_FREE_BLOCKS));
            }
        };
    }
}
