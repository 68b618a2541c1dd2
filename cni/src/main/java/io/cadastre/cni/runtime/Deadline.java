package io.cadastre.cni.runtime;

import java.time.Duration;

/// The time by which an operation must have ended, on the clock that never jumps.
///
/// @param nanos what [System#nanoTime()] says then
public record Deadline(long nanos) {

    public static Deadline after(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    /// Never negative.
    long remainingNanos() {
        return Math.max(0, nanos - System.nanoTime());
    }
}
