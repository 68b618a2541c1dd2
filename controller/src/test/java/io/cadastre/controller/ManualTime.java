package io.cadastre.controller;

import io.cadastre.controller.election.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Two clocks that move when a test says so, as if they had been set by different people.
public final class ManualTime implements InstantSource, MonotonicClock {

    private static final Instant BEGINNING = Instant.parse("2026-01-02T03:04:05.600Z");

    private long nanos = Long.MAX_VALUE - 1;
    private Instant now = BEGINNING;

    public void pass(Duration duration) {
        nanos += duration.toNanos();
        now = now.plus(duration);
    }

    /// The machine sleeps: only the clock on the wall goes on.
    public void sleep(Duration duration) {
        now = now.plus(duration);
    }

    /// Sets the clock on the wall.
    public void set(Instant other) {
        now = other;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}
