package io.cadastre.verification.simulation.runtime;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// How often each fault occurs, in a thousand calls.
public record FaultRates(Map<Fault, Integer> perThousand) {

    private static final int RATE_MAX = 250;
    private static final long DELAY_MILLISECONDS_MAX = 500;

    public FaultRates {
        perThousand = Map.copyOf(perThousand);
    }

    /// No fault ever.
    public static FaultRates fair() {
        return new FaultRates(Map.of());
    }

    /// In one of eight draws no fault ever.
    public static FaultRates fairOrDrawn(RandomGenerator dice) {
        return dice.nextInt(8) == 0 ? fair() : drawn(dice);
    }

    /// Each fault is off in half of all draws, so that every combination occurs.
    public static FaultRates drawn(RandomGenerator dice) {
        var rates = new EnumMap<Fault, Integer>(Fault.class);
        for (var fault : Fault.values()) {
            if (dice.nextBoolean()) {
                rates.put(fault, dice.nextInt(RATE_MAX));
            }
        }
        // Crashes are the costliest: a process that only crashes does no work.
        for (var crash : new Fault[] {Fault.CRASH_BEFORE, Fault.CRASH_AFTER}) {
            rates.computeIfPresent(crash, (_, rate) -> rate / 6);
        }
        // So is a compaction: a watcher that meets one lists everything anew.
        rates.computeIfPresent(Fault.WATCH_COMPACTED, (_, rate) -> rate / 2);
        return new FaultRates(rates);
    }

    /// Many requests reach the store when their senders have given up waiting.
    public static FaultRates late() {
        return new FaultRates(Map.of(Fault.REQUEST_LATE, 300, Fault.DELAY, 150));
    }

    /// Watches end because the store was compacted.
    public static FaultRates compacting() {
        return new FaultRates(Map.of(Fault.WATCH_COMPACTED, 120, Fault.DELAY, 150));
    }

    /// Calls take their time, and nothing else goes wrong.
    public static FaultRates slow() {
        return new FaultRates(Map.of(Fault.DELAY, 150));
    }

    public FaultRates without(Fault... faults) {
        var others = new EnumMap<Fault, Integer>(Fault.class);
        others.putAll(perThousand);
        others.keySet().removeAll(List.of(faults));
        return new FaultRates(others);
    }

    /// For simulations that kill whole processes themselves.
    public FaultRates withoutCrashes() {
        return without(Fault.CRASH_BEFORE, Fault.CRASH_AFTER);
    }

    /// Whether the fault may occur at all.
    public boolean has(Fault fault) {
        return perThousand.getOrDefault(fault, 0) > 0;
    }

    /// Whether a process may die.
    boolean kills() {
        return has(Fault.CRASH_BEFORE) || has(Fault.CRASH_AFTER);
    }

    /// Whether a process may not learn what became of a commit.
    boolean losesAnswers() {
        return has(Fault.ANSWER_LOST) || has(Fault.REQUEST_LOST) || has(Fault.REQUEST_LATE);
    }

    /// Whether this fault occurs now.
    boolean strikes(Fault fault, RandomGenerator dice) {
        int rate = perThousand.getOrDefault(fault, 0);
        return rate > 0 && dice.nextInt(1000) < rate;
    }

    Duration delay(RandomGenerator dice) {
        return Duration.ofMillis(dice.nextLong(DELAY_MILLISECONDS_MAX));
    }
}
