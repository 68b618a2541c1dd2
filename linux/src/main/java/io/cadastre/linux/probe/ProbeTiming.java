package io.cadastre.linux.probe;

import java.time.Duration;

/// How often to ask, and how long to listen after each time.
///
/// RFC 5227 would have a newcomer wait for seconds. A pod cannot; these defaults decide in 300 ms.
///
/// @param sends how many packets are sent before silence is taken for an answer
/// @param interval from one packet to the next, and from the last one to the decision
public record ProbeTiming(int sends, Duration interval) {

    private static final int SENDS_MAX = 10;
    private static final Duration INTERVAL_MAX = Duration.ofSeconds(10);

    public static final ProbeTiming DEFAULT = new ProbeTiming(3, Duration.ofMillis(100));

    public ProbeTiming {
        if (sends < 1 || sends > SENDS_MAX) {
            throw new IllegalArgumentException(
                    "a probe is sent from 1 to %d times, not %d".formatted(SENDS_MAX, sends));
        }
        if (!interval.isPositive() || interval.compareTo(INTERVAL_MAX) > 0) {
            throw new IllegalArgumentException("probes are up to %s apart, not %s".formatted(INTERVAL_MAX, interval));
        }
    }
}
