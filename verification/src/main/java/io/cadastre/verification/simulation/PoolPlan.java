package io.cadastre.verification.simulation;

import java.util.random.RandomGenerator;

/// What a simulation of pools consists of, drawn from its seed.
///
/// @param addresses how many the pools of each family have; so few that they run out at times
/// @param sharedPods how many pods everybody asks about
/// @param atomic whether the store has transactions
record PoolPlan(
        Weather weather,
        int processes,
        int threadsPerProcess,
        int requestsPerThread,
        int addresses,
        int sharedPods,
        boolean atomic) {

    static PoolPlan drawn(RandomGenerator dice) {
        var weather = dice.nextInt(8) == 0 ? Weather.fair() : Weather.drawn(dice);
        return new PoolPlan(
                weather,
                dice.nextInt(2, 5),
                dice.nextInt(1, 4),
                dice.nextInt(4, 11),
                dice.nextInt(3, 13),
                dice.nextInt(1, 4),
                dice.nextInt(4) > 0);
    }
}
