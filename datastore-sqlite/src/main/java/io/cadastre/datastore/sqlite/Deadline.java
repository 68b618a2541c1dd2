package io.cadastre.datastore.sqlite;

import java.time.Duration;

/// When a call has to be over.
final class Deadline {

    private final Duration limit;
    private final long end;

    /// Begins now.
    Deadline(Duration limit) {
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    Duration limit() {
        return limit;
    }

    /// Zero or less once it is over.
    long leftNanos() {
        return end - System.nanoTime();
    }
}
