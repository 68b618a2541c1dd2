package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Pause;
import io.cadastre.verification.simulation.nodeipam.NodeIpamPlan.Machines;
import io.cadastre.verification.simulation.runtime.Crash;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// One process on a host: it may be stopped wherever it waits, and it may be killed.
final class SimulatedProcess {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int WAITS_PER_STOP = 250;
    private static final long STOPPED_MILLISECONDS_MAX = 40_000;

    private final Simulation stage;
    private final SimulatedHost host;
    private final String identity;
    private final ProcessLife life;
    private final SplittableRandom dice;
    private final Machines machines;
    private Instant stoppedUntil = Instant.MIN;

    SimulatedProcess(Simulation stage, SimulatedHost host, String identity, SplittableRandom dice, Machines machines) {
        this.stage = stage;
        this.host = host;
        this.identity = identity;
        this.life = new ProcessLife(identity);
        this.dice = dice;
        this.machines = machines;
    }

    String identity() {
        return identity;
    }

    ProcessLife life() {
        return life;
    }

    SplittableRandom dice() {
        return dice;
    }

    boolean deaf() {
        return machines == Machines.DEAF;
    }

    MonotonicClock stopwatch() {
        return () ->
                Duration.between(START, stage.scheduler().instant()).toNanos() * host.rate() / SimulatedHost.TRUE_RATE;
    }

    InstantSource clock() {
        var nanos = stopwatch();
        return () -> START.plus(host.skew()).plusNanos(nanos.nanos());
    }

    Pause pause() {
        var real = stage.scheduler().pausing();
        return new Pause() {
            @Override
            public void pause(Duration duration) throws InterruptedException {
                real.pause(byTrueTime(duration));
                rest();
            }

            @Override
            public void await(CompletableFuture<?> event, Duration limit) throws InterruptedException {
                real.await(event, byTrueTime(limit));
                rest();
            }
        };
    }

    private Duration byTrueTime(Duration own) {
        return Duration.ofNanos(own.toNanos() / host.rate() * SimulatedHost.TRUE_RATE + SimulatedHost.TRUE_RATE);
    }

    /// The process may be stopped here; if it is, this returns when it goes on.
    void rest() {
        boolean may = machines == Machines.STOPPED
                && life.alive()
                && !stage.network().calm().get();
        if (may && dice.nextInt(WAITS_PER_STOP) == 0) {
            var stop = Duration.ofMillis(dice.nextLong(STOPPED_MILLISECONDS_MAX));
            stoppedUntil = stage.scheduler().instant().plus(stop);
            stage.history().event(identity, "is stopped for " + stop);
        }
        // Ends: the process is not stopped again while all its threads wait.
        while (stage.scheduler().instant().isBefore(stoppedUntil)) {
            stage.scheduler().pause(Duration.between(stage.scheduler().instant(), stoppedUntil));
        }
    }

    /// The threads are the controller's own, so the end of the process appears to them as a server that does not
    /// answer.
    <T> T call(Supplier<T> call) {
        try {
            rest();
            var answer = call.get();
            rest();
            return answer;
        } catch (Crash crash) {
            throw killed();
        }
    }

    void requireAlive() {
        if (!life.alive()) {
            throw killed();
        }
    }

    private static DatastoreException killed() {
        return new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the process was killed");
    }
}
