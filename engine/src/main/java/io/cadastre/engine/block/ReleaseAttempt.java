package io.cadastre.engine.block;

import io.cadastre.address.Address;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.UpdateBlock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// An address that an earlier decision about the same request would have taken back.
///
/// A write whose answer was lost may have been applied. Somebody else may have been given the address
/// since, and must not lose it to a request that was served already. So whoever decides again passes on
/// what was tried: an address that is no more held at this sequence number was taken back.
///
/// @param sequence the number at which it had been given
public record ReleaseAttempt(Address address, long sequence) {

    /// What a decision would take back.
    public static List<ReleaseAttempt> in(Decision<BlockChange, ?> decision) {
        var attempts = new ArrayList<ReleaseAttempt>();
        for (var change : decision.changes()) {
            switch (change) {
                case UpdateBlock(var seen, var after) ->
                        collect(
                                seen,
                                ordinal -> after.attribute(ordinal).orElse(null) instanceof Held,
                                attempts);
                case DropBlock(var seen) -> collect(seen, _ -> false, attempts);
                case BlockChange.CreateBlock _,
                        BlockChange.PutAffinity _,
                        BlockChange.DropAffinity _,
                        BlockChange.PutHandle _,
                        BlockChange.DropHandle _,
                        BlockChange.PutConfig _,
                        BlockChange.DropHostRecord _ -> {}
            }
        }
        return List.copyOf(attempts);
    }

    private static void collect(Block seen, IntPredicate stillHeld, List<ReleaseAttempt> attempts) {
        for (int ordinal = 0; ordinal < seen.size(); ordinal++) {
            if (seen.attribute(ordinal).orElse(null) instanceof Held && !stillHeld.test(ordinal)) {
                attempts.add(new ReleaseAttempt(seen.address(ordinal), seen.sequenceOf(ordinal)));
            }
        }
    }

    /// Whether the block shows that the attempt was applied.
    boolean appliedIn(Block block) {
        int ordinal = block.ordinal(address).orElseThrow();
        return !(block.attribute(ordinal).orElse(null) instanceof Held)
                || block.sequenceOf(ordinal) != sequence;
    }
}
