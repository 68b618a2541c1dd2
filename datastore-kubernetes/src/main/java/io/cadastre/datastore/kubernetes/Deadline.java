package io.cadastre.datastore.kubernetes;

import java.time.Duration;

/// The moment at which a call must have ended, by the clock that only runs forward.
record Deadline(long atNanos) {

    static Deadline after(Duration limit) {
        // A limit beyond any process's life must not overflow into the past.
        return new Deadline(System.nanoTime() + Math.min(limit.toNanos(), Long.MAX_VALUE / 4));
    }

    long nanosLeft() {
        return atNanos - System.nanoTime();
    }

    boolean expired() {
        return nanosLeft() <= 0;
    }

    Deadline orSooner(Duration limit) {
        var other = after(limit);
        return other.atNanos - atNanos < 0 ? other : this;
    }
}
