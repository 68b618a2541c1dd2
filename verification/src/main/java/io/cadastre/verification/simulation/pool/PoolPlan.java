package io.cadastre.verification.simulation.pool;

import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLoad;
import java.util.random.RandomGenerator;

/// What a simulation of pools consists of, drawn from its seed.
///
/// @param load that of each process
/// @param addresses how many the pools of each family have; so few that they run out at times
/// @param sharedPods how many pods all processes ask about
/// @param atomic whether the store has transactions
public record PoolPlan(
        FaultRates faults, int processes, ProcessLoad load, int addresses, int sharedPods, boolean atomic) {

    static PoolPlan drawn(RandomGenerator dice) {
        return new PoolPlan(
                FaultRates.fairOrDrawn(dice),
                dice.nextInt(2, 5),
                new ProcessLoad(dice.nextInt(1, 4), dice.nextInt(4, 11)),
                dice.nextInt(3, 13),
                dice.nextInt(1, 4),
                dice.nextInt(4) > 0);
    }
}
