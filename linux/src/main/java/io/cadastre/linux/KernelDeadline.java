package io.cadastre.linux;

import java.time.Duration;

/// A moment at which waiting ends, by the clock that never jumps.
public record KernelDeadline(long nanos) {

    public static KernelDeadline after(Duration limit) {
        return new KernelDeadline(System.nanoTime() + limit.toNanos());
    }

    public boolean over() {
        return nanos - System.nanoTime() <= 0;
    }

    /// Never negative.
    Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }
}
