package io.cadastre.verification.simulation.pool;

import io.cadastre.verification.simulation.controller.ControllerStore.Trouble;
import io.cadastre.verification.simulation.runtime.FaultRates;
import java.util.random.RandomGenerator;

/// What a simulated cluster with pools consists of, drawn from its seed.
///
/// @param addresses how many each pool has at first
/// @param edits how often a user changes a pool
/// @param atomic whether the store has transactions
/// @param cleaning whether endpoints without records are deleted
record ClusterPlan(
        FaultRates faults,
        Trouble trouble,
        int agents,
        int podsEach,
        int livesEach,
        int controllers,
        int addresses,
        int edits,
        boolean atomic,
        boolean cleaning) {

    static ClusterPlan drawn(RandomGenerator dice) {
        return new ClusterPlan(
                FaultRates.fairOrDrawn(dice),
                dice.nextBoolean() ? Trouble.STOPS : Trouble.SILENCE,
                dice.nextInt(1, 4),
                dice.nextInt(1, 4),
                dice.nextInt(2, 5),
                dice.nextInt(2, 4),
                dice.nextInt(4, 12),
                dice.nextInt(0, 9),
                dice.nextInt(3) == 0,
                dice.nextBoolean());
    }
}
