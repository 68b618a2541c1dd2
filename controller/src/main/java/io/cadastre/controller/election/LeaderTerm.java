package io.cadastre.controller.election;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// One leader term. It lasts as long as it is renewed in time, and never begins again.
///
/// The time since the last renewal is measured by two clocks, and the longer one counts. The monotonic
/// clock goes on while a process is stopped; the wall clock does so also while the whole machine is. A wall
/// clock that is set forward ends a term too early, which costs nothing but a new election.
public final class LeaderTerm {

    private final ElectionSettings settings;
    private final MonotonicClock stopwatch;
    private final InstantSource clock;

    private final long othersEndedNanos;

    /// Written by the leader elector alone.
    private volatile Renewal renewal;

    private volatile boolean over;

    /// When the renewal was asked for, which is not after it was granted.
    record Renewal(long nanos, Instant at) {}

    LeaderTerm(
            ElectionSettings settings,
            MonotonicClock stopwatch,
            InstantSource clock,
            Renewal beginning,
            long othersEndedNanos) {
        this.settings = settings;
        this.stopwatch = stopwatch;
        this.clock = clock;
        this.renewal = beginning;
        this.othersEndedNanos = othersEndedNanos;
    }

    /// By when all terms of other electors had ended, unless one of them was stopped between its check and its write.
    public long othersEndedNanos() {
        return othersEndedNanos;
    }

    /// Whether its holder may write now. Once it may not, it never may again.
    public boolean valid() {
        if (!over && age().compareTo(settings.renewDeadline()) >= 0) {
            over = true;
        }
        return !over;
    }

    private Duration age() {
        var last = renewal;
        var byStopwatch = Duration.ofNanos(stopwatch.nanos() - last.nanos());
        var byClock = Duration.between(last.at(), clock.instant());
        return byStopwatch.compareTo(byClock) > 0 ? byStopwatch : byClock;
    }

    void renew(Renewal later) {
        renewal = later;
    }

    void end() {
        over = true;
    }
}
