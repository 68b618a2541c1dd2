package io.cadastre.engine.block;

import io.cadastre.engine.Decision;
import java.time.Instant;
import java.util.List;

/// The time at which a request is decided, and what was decided about it before.
///
/// @param earlier oldest first: whole decisions whose commits were not answered, and parts of decisions that were saved
public record Attempts<O>(List<Decision<BlockChange, O>> earlier, Instant now) {

    public Attempts {
        earlier = List.copyOf(earlier);
    }

    /// A request that is decided for the first time.
    public static <O> Attempts<O> first(Instant now) {
        return new Attempts<>(List.of(), now);
    }

    /// A request that may have been decided before.
    public static <O> Attempts<O> after(List<Decision<BlockChange, O>> earlier, Instant now) {
        return new Attempts<>(earlier, now);
    }

    /// The parts that were saved.
    public List<Decision<BlockChange, O>> savedParts() {
        return earlier.stream()
                .filter(decision -> decision.extent() == Decision.Extent.SAVED_PART)
                .toList();
    }
}
