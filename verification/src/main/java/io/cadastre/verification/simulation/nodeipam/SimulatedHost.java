package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.datastore.Journal;
import io.cadastre.datastore.memory.MemoryJournal;
import java.time.Duration;
import java.util.SplittableRandom;

/// What outlives a process: the clock, which runs fast or slow, and the file of the ledger.
///
/// @param rate how many nanoseconds pass by its clock in a thousand
/// @param skew by how much the clock is wrong at the beginning
record SimulatedHost(long rate, Duration skew, Journal journal) {

    static final long TRUE_RATE = 1000;

    /// An election holds if no clock runs by more than this from the true time: ten seconds of the slowest are
    /// fewer than fifteen of the fastest.
    private static final int DRIFT_PER_MILLE_MAX = 80;

    private static final int SKEW_SECONDS_MAX = 3600;

    static SimulatedHost drawn(SplittableRandom dice) {
        return new SimulatedHost(
                TRUE_RATE + dice.nextInt(-DRIFT_PER_MILLE_MAX, DRIFT_PER_MILLE_MAX + 1),
                Duration.ofSeconds(dice.nextInt(-SKEW_SECONDS_MAX, SKEW_SECONDS_MAX)),
                new MemoryJournal());
    }
}
