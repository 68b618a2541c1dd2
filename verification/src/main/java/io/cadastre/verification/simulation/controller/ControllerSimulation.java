package io.cadastre.verification.simulation.controller;

import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.collection.GarbageCollection;
import io.cadastre.controller.collection.LeakGrace;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderElector;
import io.cadastre.controller.election.LeaderTerm;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.block.BlockPlan;
import io.cadastre.verification.simulation.block.BlockWorld;
import io.cadastre.verification.simulation.runtime.DirectStore;
import io.cadastre.verification.simulation.runtime.Fault;
import io.cadastre.verification.simulation.runtime.FaultRates;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

    private static final String NAMESPACE = "kube-system";
    private static final String LEASE = "simulated";
    private static final int CONTROLLERS_MAX = 3;
    private static final long LIFE_MILLISECONDS_MAX = 90_000;
    private static final long DOWN_MILLISECONDS_MAX = 20_000;

    /// How long controllers have to take back what is left once no more faults occur.
    private static final Duration TIDYING_MAX = Duration.ofMinutes(3);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Simulation stage;
    private final BlockWorld cluster;
    private final SimulatedPods pods;
    private final ControllerStore.Trouble trouble;
    private int workers;
    private boolean over;

    private ControllerSimulation(long seed) {
        var dice = new SplittableRandom(seed);
        var drawn = dice.split();
        var faults = drawn.nextInt(8) == 0 ? FaultRates.fair() : FaultRates.drawn(drawn);
        for (var fault : List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER)) {
            faults = faults.without(fault);
        }
        this.trouble = drawn.nextBoolean() ? ControllerStore.Trouble.STOPS : ControllerStore.Trouble.SILENCE;
        this.stage = new Simulation(seed, DIALECT, dice, faults);
        this.cluster =
                new BlockWorld(new DirectStore(stage.network(), "world"), BlockPlan.simple(faults), stage.scheduler());
        cluster.found();
        this.pods = new SimulatedPods(stage, cluster);
        stage.observe(this::look);
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
        workers = dice.nextInt(2, 5);
        for (int number = 1; number <= workers; number++) {
            var script = pods.script("pods-" + number, stage.splitDice());
            stage.startWorker("pods-" + number, () -> {
                script.run();
                workers--;
            });
        }
        int controllers = dice.nextInt(2, CONTROLLERS_MAX + 1);
        for (int number = 1; number <= controllers; number++) {
            var name = "control-" + number;
            var choices = stage.splitDice();
            stage.startWorker(name, () -> controlForever(name, choices));
        }
        stage.startWorker("supervisor", this::supervise);
        return stage.run(() -> {}, pods::looks);
    }

    /// Waits until no new leaks are made, and then, without faults, until none is left.
    private void supervise() {
        // Ends: the scripts of pods do.
        while (workers > 0) {
            stage.scheduler().pause(LOOK);
        }
        stage.network().calm().set(true);
        var end = stage.scheduler().instant().plus(TIDYING_MAX);
        while (pods.anythingLeaked() && stage.scheduler().instant().isBefore(end)) {
            stage.scheduler().pause(LOOK);
        }
        pods.requireNothingLeaked();
        over = true;
    }

    private void look() {
        try {
            pods.look();
        } catch (AssertionError wrong) {
            stage.scheduler().fail(wrong);
            throw wrong;
        }
    }

    // ---- controllers ----

    private void controlForever(String name, SplittableRandom choices) {
        for (int number = 1; !over; number++) {
            controlOnce("%s.%d".formatted(name, number), choices);
            if (workers > 0) {
                stage.scheduler().pause(Duration.ofMillis(choices.nextLong(DOWN_MILLISECONDS_MAX)));
            }
        }
    }

    /// One process from its beginning to its end, which is a kill or an orderly one.
    private void controlOnce(String identity, SplittableRandom choices) {
        var life = new ProcessLife(identity);
        var settings = ElectionSettings.of(NAMESPACE, LEASE, identity);
        var scheduler = stage.scheduler();
        var store = new ControllerStore(
                new RemoteStore(stage.network(), life, true), stage.network(), identity, choices.split(), trouble);
        var means = new ControllerContext(
                store,
                new Ledger(new MemoryJournal()),
                scheduler,
                () -> Duration.between(Instant.EPOCH, scheduler.instant()).toNanos(),
                choices.split(),
                scheduler.pausing(),
                words -> stage.history().event(identity, words));
        var collection = new GarbageCollection(means, new LeakGrace.Fixed(GRACE), ClusterSource.CALICO_AND_KUBERNETES);
        var loops = ControlLoops.begin(
                means.with(new LeaderStore(store, () -> requireLease(identity))), identity, List.of(collection));
        var loop = new LeaderElectionLoop(
                new LeaderElector(store, settings, means.stopwatch(), scheduler),
                settings,
                means.stopwatch(),
                choices.split(),
                means.pause(),
                new Appointment(loops, identity),
                means.reports());
        loop.begin();
        awaitEnd(choices);
        if (choices.nextBoolean() && !over) {
            stage.history().event(identity, "is killed");
            life.end();
            loop.stop();
            loops.close();
        } else {
            loop.stop();
            loops.close();
            loop.vacate();
        }
    }

    private void awaitEnd(SplittableRandom choices) {
        var end = stage.scheduler().instant().plus(Duration.ofMillis(choices.nextLong(LIFE_MILLISECONDS_MAX)));
        while (!over && (workers == 0 || stage.scheduler().instant().isBefore(end))) {
            stage.scheduler().pause(LOOK);
        }
    }

    /// A controller that works in its term has the lease, since it stops before the lease can expire.
    private void requireLease(String identity) {
        var lease = stage.store().get(ElectionSettings.LEASES + NAMESPACE + "/" + LEASE);
        if (!lease.orElseThrow().value().utf8().contains("\"%s\"".formatted(identity))) {
            var wrong = new AssertionError("%s begins a commit, and the lease is %s"
                    .formatted(identity, lease.get().value().utf8()));
            stage.scheduler().fail(wrong);
            throw wrong;
        }
    }

    /// As the controller lets its loops write, and in the history.
    private final class Appointment implements LeaderElectionLoop.LeaderCallbacks {

        private final ControlLoops loops;
        private final String identity;

        Appointment(ControlLoops loops, String identity) {
            this.loops = loops;
            this.identity = identity;
        }

        @Override
        public void elected(LeaderTerm term) {
            stage.history().request(identity, "is elected");
            loops.elected(term);
        }

        @Override
        public void dismissed() {
            loops.dismissed();
        }
    }
}
