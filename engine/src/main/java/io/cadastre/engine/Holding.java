package io.cadastre.engine;

import io.cadastre.address.Range;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// A range, who holds it, and how: one entry of the map that all dialects share. Every engine derives
/// holdings from its view; nothing writes them.
///
/// @param level how deep in the map: a part lies inside a whole of a lower level
/// @param holder who holds it, for example `node/node-1`; two holdings with different ones are two holders
/// @param facts what else is known of the holder. They describe it and tell none from another: two that differ
///     in them alone are equal
public record Holding(Range range, Level level, String holder, State state, HolderFacts facts) {

    /// One of whose holder no more is known.
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
        /// Set aside: nobody may be given it.
        RESERVED,
        /// Returned, and not to be given again yet.
        COOLING
    }
}
