package io.cadastre.agent.spiderpool;

import java.time.Duration;

/// A moment after which nobody waits any longer, by the clock that never jumps.
record Deadline(long nanos) {

    static Deadline after(Duration limit) {
        return new Deadline(System.nanoTime() + limit.toNanos());
    }

    /// Never negative.
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }
}
