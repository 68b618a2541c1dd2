package io.cadastre.verification.simulation.controller;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.verification.simulation.runtime.Crash;
import io.cadastre.verification.simulation.runtime.Network;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// The store as a controller sees it. The whole process may be stopped for a while at a call of its
/// collector, as by a machine that sleeps: then none of its calls returns before it goes on. And a watch
/// may report nothing for a while, and then all that happened. The threads are the controller's own, so the
/// end of the process appears to them as a store that does not answer.
public final class ControllerStore implements Datastore {

    /// What the threads of collectors are called in the end.
    private static final String COLLECTOR = "collection";
    private static final int CALLS_PER_STOP = 60;
    private static final long STOPPED_MILLISECONDS_MAX = 40_000;
    private static final int LOOKS_PER_SILENCE = 20;

    /// Less than the grace: after a longer silence a controller may count the grace of a pod that lives.
    private static final long SILENT_MILLISECONDS_MAX = ControllerSimulation.GRACE.toMillis() * 3 / 4;

    private final Datastore store;
    private final Network network;
    private final String name;
    private final SplittableRandom dice;
    private final Trouble trouble;
    private Instant stoppedUntil = Instant.MIN;

    /// What is wrong with the machines of a simulation.
    public enum Trouble {
        STOPS,
        SILENCE
    }

    ControllerStore(Datastore store, Network network, String name, SplittableRandom dice, Trouble trouble) {
        this.store = store;
        this.network = network;
        this.name = name;
        this.dice = dice;
        this.trouble = trouble;
    }

    @Override
    public Optional<Document> get(String key) {
        return call(() -> store.get(key));
    }

    @Override
    public Listing list(String prefix, int limit) {
        return call(() -> store.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return call(() -> store.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        return new Watcher(call(() -> store.watch(prefix, after)));
    }

    @Override
    public Commit commit(List<Write> writes) {
        return call(() -> store.commit(writes));
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        return call(() -> store.commitEach(writes));
    }

    @Override
    public boolean atomic() {
        return store.atomic();
    }

    @Override
    public void close() {}

    private <T> T call(Supplier<T> call) {
        if (trouble == Trouble.STOPS
                && !network.calm().get()
                && Thread.currentThread().getName().endsWith(COLLECTOR)
                && dice.nextInt(CALLS_PER_STOP) == 0) {
            var stop = Duration.ofMillis(dice.nextLong(STOPPED_MILLISECONDS_MAX));
            stoppedUntil = network.scheduler().instant().plus(stop);
            network.history().event(name, "is stopped for " + stop);
        }
        try {
            awaitGoingOn();
            var answer = call.get();
            awaitGoingOn();
            return answer;
        } catch (Crash crash) {
            throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the process was killed");
        }
    }

    private void awaitGoingOn() {
        var scheduler = network.scheduler();
        // Ends: the process is not stopped again while all its calls wait.
        while (scheduler.instant().isBefore(stoppedUntil)) {
            scheduler.pause(Duration.between(scheduler.instant(), stoppedUntil));
        }
    }

    private final class Watcher implements Watch {

        private final Watch watch;
        private boolean knowsAll;

        Watcher(Watch watch) {
            this.watch = watch;
        }

        @Override
        public Notice next(Duration limit) {
            if (trouble == Trouble.SILENCE
                    && knowsAll
                    && !network.calm().get()
                    && dice.nextInt(LOOKS_PER_SILENCE) == 0) {
                var silence = Duration.ofMillis(dice.nextLong(SILENT_MILLISECONDS_MAX));
                network.history().event(name, "receives nothing for " + silence);
                network.scheduler().pause(silence);
            }
            var notice = call(() -> watch.next(limit));
            knowsAll = notice instanceof Notice.Quiet;
            return notice;
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
