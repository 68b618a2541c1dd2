package io.cadastre.verification.simulation.controller;

import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderElector;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// Several controllers of which one works: they are stopped, killed and closed, and lose their lease. None of them
/// begins a commit while another has it.
public final class RivalControllers {

    private static final String NAMESPACE = "kube-system";
    private static final String LEASE = "simulated";
    private static final long LIFE_MILLISECONDS_MAX = 90_000;
    private static final long DOWN_MILLISECONDS_MAX = 20_000;

    private final Simulation stage;
    private final ControllerStore.Trouble trouble;
    private final boolean atomic;
    private final Function<ControllerContext, ControlLoop> opening;
    private final BooleanSupplier busy;
    private boolean over;

    /// @param trouble what is wrong with their machines
    /// @param atomic whether the store has transactions
    /// @param opening what they do while they lead
    /// @param busy whether they go down from time to time
    public RivalControllers(
            Simulation stage,
            ControllerStore.Trouble trouble,
            boolean atomic,
            Function<ControllerContext, ControlLoop> opening,
            BooleanSupplier busy) {
        this.stage = stage;
        this.trouble = trouble;
        this.atomic = atomic;
        this.opening = opening;
        this.busy = busy;
    }

    /// Starts this many of them.
    public void start(int count) {
        for (int number = 1; number <= count; number++) {
            var name = "control-" + number;
            var choices = stage.splitDice();
            stage.startWorker(name, () -> controlForever(name, choices));
        }
    }

    /// Lets all of them come to their end.
    public void finish() {
        over = true;
    }

    private void controlForever(String name, SplittableRandom choices) {
        for (int number = 1; !over; number++) {
            controlOnce("%s.%d".formatted(name, number), choices);
            if (busy.getAsBoolean()) {
                stage.rest(choices, DOWN_MILLISECONDS_MAX);
            }
        }
    }

    /// One process from its beginning to its end, which is a kill or an orderly one.
    private void controlOnce(String identity, SplittableRandom choices) {
        var life = new ProcessLife(identity);
        var settings = ElectionSettings.of(NAMESPACE, LEASE, identity);
        var scheduler = stage.scheduler();
        var store = new ControllerStore(
                new RemoteStore(stage.network(), life, atomic), stage.network(), identity, choices.split(), trouble);
        var means = new ControllerContext(
                store,
                new Ledger(new MemoryJournal()),
                scheduler,
                () -> Duration.between(Instant.EPOCH, scheduler.instant()).toNanos(),
                choices.split(),
                scheduler.pausing(),
                words -> stage.history().event(identity, words));
        var running = ControlLoops.begin(
                means.with(new LeaderStore(store, () -> requireLease(identity))),
                identity,
                List.of(opening.apply(means)));
        var loop = new LeaderElectionLoop(
                new LeaderElector(store, settings, means.stopwatch(), scheduler),
                settings,
                means.stopwatch(),
                choices.split(),
                means.pause(),
                new ElectedLoops(stage, running, identity, () -> {}),
                means.reports());
        loop.begin();
        awaitEnd(life, choices);
        boolean killed = choices.nextBoolean() || !life.alive();
        if (killed && !over) {
            stage.history().event(identity, "is killed");
            life.end();
            loop.stop();
            running.close();
        } else {
            loop.stop();
            running.close();
            loop.vacate();
        }
    }

    private void awaitEnd(ProcessLife life, SplittableRandom choices) {
        var end = stage.scheduler().instant().plus(Duration.ofMillis(choices.nextLong(LIFE_MILLISECONDS_MAX)));
        while (!over
                && life.alive()
                && (!busy.getAsBoolean() || stage.scheduler().instant().isBefore(end))) {
            stage.scheduler().pause(Simulation.LOOK);
        }
    }

    /// A controller that works in its term has the lease, since it stops before the lease can expire.
    private void requireLease(String identity) {
        var lease = stage.store().get(ElectionSettings.LEASES + NAMESPACE + "/" + LEASE);
        if (!lease.orElseThrow().value().utf8().contains("\"%s\"".formatted(identity))) {
            stage.fail("%s begins a commit, and the lease is %s"
                    .formatted(identity, lease.get().value().utf8()));
        }
    }
}
