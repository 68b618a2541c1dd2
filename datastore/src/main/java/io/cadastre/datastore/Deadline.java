package io.cadastre.datastore;

import java.time.Duration;

/// The moment by which a call must have ended, on the clock that never jumps.
///
/// @param limit how long the call may take
/// @param endNanos what [System#nanoTime()] says at the end
public record Deadline(Duration limit, long endNanos) {

    /// Beyond the life of any process, and far from an overflow.
    private static final Duration LIMIT_MAX = Duration.ofNanos(Long.MAX_VALUE / 4);

    /// A deadline that long from now.
    public static Deadline after(Duration limit) {
        var bounded = limit.compareTo(LIMIT_MAX) < 0 ? limit : LIMIT_MAX;
        return new Deadline(limit, System.nanoTime() + bounded.toNanos());
    }

    /// Never negative.
    public long leftNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    /// Never negative.
    public Duration left() {
        return Duration.ofNanos(leftNanos());
    }

    /// Whether nothing is left.
    public boolean over() {
        return leftNanos() == 0;
    }

    /// This, or that long from now if that is sooner.
    public Deadline orSooner(Duration limit) {
        var other = after(limit);
        return other.endNanos - endNanos < 0 ? other : this;
    }
}
