package io.cadastre.engine;

import io.cadastre.address.Range;

/// A range, who holds it, and how: one entry of the map that all dialects share. Every engine derives
/// holdings from its view; nothing writes them.
///
/// @param level how deep in the map: a part lies inside a whole of a lower level
/// @param holder who holds it, for example `node/node-1`
public record Holding(Range range, Level level, String holder, State state) {

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
