package io.cadastre.verification.simulation.controller;

import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.verification.simulation.block.BlockPlan;
import io.cadastre.verification.simulation.block.BlockWorld;
import io.cadastre.verification.simulation.runtime.DirectStore;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.time.Duration;
import java.util.SplittableRandom;

/// A cluster in which pods come, go, leak their addresses and come back, and two or three controllers of
/// which one works: they are stopped, killed and closed, and lose their lease. One seed is one history.
///
/// Three things must hold. No collector begins a commit while another controller has the lease. No pod
/// loses what it has, even if it was away for less than the grace. And what dead pods have left is taken
/// back in the end.
public final class ControllerSimulation {

    public static final String DIALECT = "controller";

    static final Duration GRACE = Duration.ofSeconds(20);

    private static final int CONTROLLERS_MAX = 3;

    /// How long controllers have to take back what is left once no more faults occur.
    private static final Duration TIDYING_MAX = Duration.ofMinutes(3);

    private final Simulation stage;
    private final BlockWorld cluster;
    private final SimulatedPods pods;
    private final RivalControllers rivals;

    private ControllerSimulation(long seed) {
        var dice = new SplittableRandom(seed);
        var drawn = dice.split();
        var faults = FaultRates.fairOrDrawn(drawn).withoutCrashes();
        var trouble = drawn.nextBoolean() ? ControllerStore.Trouble.STOPS : ControllerStore.Trouble.SILENCE;
        this.stage = new Simulation(seed, DIALECT, dice, faults);
        this.cluster =
                new BlockWorld(new DirectStore(stage.network(), "world"), BlockPlan.simple(faults), stage.scheduler());
        cluster.found();
        this.pods = new SimulatedPods(stage, cluster);
        this.rivals = new RivalControllers(
                stage,
                trouble,
                true,
                context ->
                        new GarbageCollection(context, new LeakGrace.Fixed(GRACE), ClusterSource.CALICO_AND_KUBERNETES),
                stage::anyUserAtWork);
        stage.observe(pods::look);
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return new ControllerSimulation(seed).run();
    }

    private Report run() {
        pods.found();
        var dice = stage.splitDice();
        int scripts = dice.nextInt(2, 5);
        for (int number = 1; number <= scripts; number++) {
            var name = "pods-" + number;
            stage.startUser(name, pods.script(name, stage.splitDice()));
        }
        rivals.start(dice.nextInt(2, CONTROLLERS_MAX + 1));
        stage.startSupervisor(stage::anyUserAtWork, this::supervise);
        return stage.run(pods::looks);
    }

    /// Waits until no leaks are left.
    private void supervise() {
        stage.await(() -> !pods.anythingLeaked(), TIDYING_MAX);
        pods.requireNothingLeaked();
        rivals.finish();
    }
}
