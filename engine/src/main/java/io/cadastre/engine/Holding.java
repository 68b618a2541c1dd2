package io.cadastre.engine;

import io.cadastre.address.Range;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A range, its holder, and how it is held: one entry of the map that all dialects share. Every engine
/// derives holdings from its view; nothing writes them.
///
/// @param level how deep in the map: a part lies inside a whole of a lower level
/// @param holder the holder, for example `node/node-1`; two different texts are two holders
/// @param facts what else is known of the holder. They only describe it: two holdings that differ in
///     their facts alone are equal
public record Holding(Range range, Level level, String holder, State state, HolderFacts facts) {

    /// One without further facts about the holder.
    public Holding(Range range, Level level, String holder, State state) {
        this(range, level, holder, state, HolderFacts.NONE);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Holding that
                && range.equals(that.range)
                && level == that.level
                && holder.equals(that.holder)
                && state == that.state;
    }

    @Override
    public int hashCode() {
        return Objects.hash(range, level, holder, state);
    }

    public Holding withFacts(HolderFacts others) {
        return new Holding(range, level, holder, state, others);
    }

    /// Ranges of one level that belong to different holders do not overlap.
    public enum Level {
        /// What a cluster or a pool spans.
        POOL,
        /// What a node holds: a block or a node CIDR.
        NODE,
        /// What an endpoint holds: an address.
        ENDPOINT
    }

    /// How it is held.
    public enum State {
        /// In use.
        HELD,
        /// Set aside: it must not be assigned.
        RESERVED,
        /// Returned, and not to be given again yet.
        COOLING
    }
}
