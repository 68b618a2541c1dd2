package io.cadastre.engine.nodecidr.cloud;

import java.time.Duration;

/// How long a synchronised node waits until it is looked at again.
///
/// @param resync after an attempt that went well
/// @param longest after failures it is never longer than this
/// @param first after the first failure; each further one in a row doubles it
public record SyncBackoff(Duration resync, Duration longest, Duration first) {

    /// What kube-controller-manager sets.
    public static final SyncBackoff DEFAULT =
            new SyncBackoff(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofMillis(250));

    public SyncBackoff {
        if (!first.isPositive() || !resync.isPositive() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "invalid back-off: %s, then from %s to %s".formatted(resync, first, longest));
        }
    }

    /// The wait after this number of failures in a row.
    public Duration after(int failures) {
        if (failures == 0) {
            return resync;
        }
        var wait = first;
        for (int doubled = 1; doubled < failures && wait.compareTo(longest) < 0; doubled++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(longest) < 0 ? wait : longest;
    }
}
