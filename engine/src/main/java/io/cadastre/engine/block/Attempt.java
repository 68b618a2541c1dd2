package io.cadastre.engine.block;

import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockChange.UpdateBlock;

import java.util.ArrayList;
import java.util.List;

/// An address that an earlier decision about the same request would have given.
///
/// A write whose answer was lost may have been applied, and where writes are applied one by one, a
/// decision may have been applied in part. Whoever decides again passes on what was tried. An address
/// that is held by the request's handle and attributes and was given at the very sequence number was
/// given to this request, and is not given twice. A request without a handle cannot recognise its
/// own, since anybody without a name looks the same; it may then leave an address behind, which is
/// found like any other leak.
///
/// @param sequence the number of the block that the write was to replace
public record Attempt(Lease lease, long sequence) {

    /// What a decision would give.
    public static List<Attempt> in(Decision<BlockChange, ?> decision) {
        var attempts = new ArrayList<Attempt>();
        for (var change : decision.changes()) {
            if (change instanceof UpdateBlock(var seen, var after)) {
                for (int ordinal = 0; ordinal < after.size(); ordinal++) {
                    boolean given =
                            after.attribute(ordinal).orElse(null) instanceof Held
                                    && !(seen.attribute(ordinal).orElse(null) instanceof Held);
                    if (given) {
                        var lease = new Lease(after.address(ordinal), after.cidr());
                        attempts.add(new Attempt(lease, seen.sequence()));
                    }
                }
            }
        }
        return List.copyOf(attempts);
    }

    /// Whether the view shows that the attempt was applied.
    boolean applied(BlockView view, Claimant claimant) {
        return claimant.hasHandle()
                && view.findBlock(lease.network())
                        .filter(block -> appliedIn(block, claimant))
                        .isPresent();
    }

    private boolean appliedIn(Block block, Claimant claimant) {
        int ordinal = block.ordinal(lease.address()).orElseThrow();
        return !block.damaged()
                && block.sequenceOf(ordinal) == sequence
                && block.attribute(ordinal).filter(claimant.attribute()::equals).isPresent();
    }
}
