package io.cadastre.controller.queue;

import java.time.Duration;

/// How long a failed task waits before it is tried again: longer after each failure of its own, and long
/// enough that all tasks together are not tried too often.
///
/// @param first the wait after the first failure; each further one doubles it
/// @param longest the wait is never longer than this by itself
/// @param perSecond how many may be tried again in a second
/// @param burst how many may be tried again at once after a long time without any
public record Backoff(Duration first, Duration longest, int perSecond, int burst) {

    /// As controllers of Kubernetes do it, but for a shorter longest wait.
    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(30), 10, 100);

    public Backoff {
        if (perSecond < 1 || burst < 1 || first.isNegative() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException("invalid backoff: waits from %s to %s, %d per second and %d at once"
                    .formatted(first, longest, perSecond, burst));
        }
    }

    /// The wait after this number of failures in a row, by itself.
    Duration after(int failures) {
        var wait = first;
        for (int doubled = 1; doubled < failures && wait.compareTo(longest) < 0; doubled++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) < 0 ? wait : longest;
    }
}
