package io.cadastre.verification.simulation;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// How often each fault strikes, in a thousand calls.
record Weather(Map<Fault, Integer> perThousand) {

    private static final int RATE_MAX = 250;
    private static final long DELAY_MILLISECONDS_MAX = 500;

    Weather {
        perThousand = Map.copyOf(perThousand);
    }

    /// No fault ever.
    static Weather fair() {
        return new Weather(Map.of());
    }

    /// Each fault is off in half of all weathers, so that every combination has its turn.
    static Weather drawn(RandomGenerator dice) {
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
        // So is a compaction: whoever is told of one lists everything anew.
        rates.computeIfPresent(Fault.WATCH_COMPACTED, (_, rate) -> rate / 2);
        return new Weather(rates);
    }

    /// Many requests reach the store when their senders have given up waiting.
    static Weather late() {
        return new Weather(Map.of(Fault.REQUEST_LATE, 300, Fault.DELAY, 150));
    }

    /// Calls take their time, and nothing else goes wrong.
    static Weather slow() {
        return new Weather(Map.of(Fault.DELAY, 150));
    }

    Weather without(Fault fault) {
        var others = new EnumMap<Fault, Integer>(Fault.class);
        others.putAll(perThousand);
        others.remove(fault);
        return new Weather(others);
    }

    /// Whether the fault may strike at all.
    boolean has(Fault fault) {
        return perThousand.getOrDefault(fault, 0) > 0;
    }

    /// Whether anybody may die.
    boolean kills() {
        return has(Fault.CRASH_BEFORE) || has(Fault.CRASH_AFTER);
    }

    /// Whether anybody may be left in the dark about what became of a commit.
    boolean losesAnswers() {
        return has(Fault.ANSWER_LOST) || has(Fault.REQUEST_LOST) || has(Fault.REQUEST_LATE);
    }

    /// Whether this fault strikes now.
    boolean strikes(Fault fault, RandomGenerator dice) {
        int rate = perThousand.getOrDefault(fault, 0);
        return rate > 0 && dice.nextInt(1000) < rate;
    }

    Duration delay(RandomGenerator dice) {
        return Duration.ofMillis(dice.nextLong(DELAY_MILLISECONDS_MAX));
    }
}
