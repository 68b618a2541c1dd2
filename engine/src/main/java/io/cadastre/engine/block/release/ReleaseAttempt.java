package io.cadastre.engine.block.release;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.Attribute.Held;
import io.cadastre.engine.block.Block;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockChange.DropBlock;
import io.cadastre.engine.block.BlockChange.UpdateBlock;
import io.cadastre.engine.block.BlockView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// An address that an earlier decision about the same request would have taken back.
///
/// A write whose answer was lost may have been applied. The address may have been assigned to another
/// holder since, which must not lose it to a request that was already served; and a caller that named
/// the number at which it was given must not get the answer that the number is now another. An address
/// that is no longer held at this number was released. While it is, the block is as it was, and the
/// request releases the same again: so an attempt that has not arrived yet need not be barred.
///
/// @param sequence the number at which it had been given
public record ReleaseAttempt(Address address, Prefix block, long sequence) {

    /// What a decision would take back.
    public static List<ReleaseAttempt> in(Decision<BlockChange, ?> decision) {
        var attempts = new ArrayList<ReleaseAttempt>();
        for (var change : decision.changes()) {
            switch (change) {
                case UpdateBlock(var seen, var after) ->
                    collect(seen, ordinal -> after.attribute(ordinal).orElse(null) instanceof Held, attempts);
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
                attempts.add(new ReleaseAttempt(seen.address(ordinal), seen.cidr(), seen.sequenceOf(ordinal)));
            }
        }
    }

    /// Whether the view shows that the attempt was applied.
    boolean applied(BlockView view) {
        return view.findBlock(block).filter(it -> it.damaged() || holds(it)).isEmpty();
    }

    /// What saved parts of a request have taken back.
    public static List<Address> takenIn(Attempts<?> attempts) {
        return attempts.savedParts().stream()
                .flatMap(part -> in(part).stream())
                .map(ReleaseAttempt::address)
                .toList();
    }

    private boolean holds(Block it) {
        int ordinal = it.ordinal(address).orElseThrow();
        return it.attribute(ordinal).orElse(null) instanceof Held && it.sequenceOf(ordinal) == sequence;
    }
}
