package io.cadastre.engine.pool.select;

/// A pool that has addresses which another pool has too. Rules forbid it, and where none is asked it happens.
///
/// @param name of the rival
public record PoolRival(String name, Precedence precedence) {

    /// Which of two pools gives what both have.
    public enum Precedence {
        /// The rival: it was created first, or at the same time with the lesser name; or it is not known yet to all
        /// processes that it was not.
        RIVAL_FIRST,
        RIVAL_LAST
    }
}
