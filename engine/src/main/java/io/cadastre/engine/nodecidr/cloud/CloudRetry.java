package io.cadastre.engine.nodecidr.cloud;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// When a node whose alias ranges could not be copied is tried again.
public sealed interface CloudRetry {

    /// How often one node is tried again.
    int RETRIES_MAX = 10;

    /// It is tried again after this time.
    record After(Duration delay) implements CloudRetry {}

    /// It is not tried again until it changes.
    record Dropped() implements CloudRetry {
        public String sentence() {
            return "Exceeded retry count, dropping from queue";
        }
    }

    /// What follows from this number of failures in a row: a random time from half of `t` up to, but not
    /// including, one and a half times `t`, where `t` is 250 ms doubled for each failure and 5 s at most.
    static CloudRetry afterFailures(int failures, RandomGenerator dice) {
        if (failures < 1) {
            throw new IllegalArgumentException("%d failures are not a reason to retry".formatted(failures));
        }
        if (failures > RETRIES_MAX) {
            return new Dropped();
        }
        var doubled = Duration.ofMillis(250).multipliedBy(1L << failures);
        var longest = Duration.ofSeconds(5);
        long nanos = (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos();
        return new After(Duration.ofNanos(nanos / 2 + dice.nextLong(nanos)));
    }
}
