package io.cadastre.wire.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.engine.block.Owner;
import io.cadastre.registry.Pause;
import io.cadastre.wire.calico.Shelves.Subject;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Watches for one owner of blocks what its decisions depend on: the configuration, pools,
/// reservations, its node and its affinities.
///
/// Its book has all that at hand, and the owner's blocks as they were last seen, so that in the common
/// case an address costs one commit and no reading. While a watch is broken, pages read for
/// themselves.
public final class CalicoVigil implements AutoCloseable {

    /// How long a watch is waited on before it is asked whether to go on.
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Duration BEFORE_RETRY = Duration.ofSeconds(1);

    private final Datastore store;
    private final Owner owner;
    private final Pause pause;
    private final Shelves shelves;
    private final CalicoBook book;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private CalicoVigil(Datastore store, Owner owner, InstantSource clock, Pause pause) {
        this.store = store;
        this.owner = owner;
        this.pause = pause;
        this.shelves = new Shelves(owner, clock);
        this.book = new CalicoBook(store, clock, shelves);
    }

    /// Begins to watch, and does not wait until everything was read for the first time.
    public static CalicoVigil begin(
            Datastore store, Owner owner, InstantSource clock, Pause pause) {
        var vigil = new CalicoVigil(store, owner, clock, pause);
        for (var subject : Subject.values()) {
            vigil.threads.add(
                    Thread.ofVirtual()
                            .name("calico-vigil-" + subject)
                            .start(() -> vigil.keepWatch(subject)));
        }
        return vigil;
    }

    /// The book of which pages begin with what is watched.
    public CalicoBook book() {
        return book;
    }

    /// Whether everything that is watched is known now.
    public boolean inSync() {
        return shelves.complete();
    }

    private void keepWatch(Subject subject) {
        // Ends: when the vigil is closed.
        while (!closed) {
            try {
                var listing = store.listAll(subject.prefix(owner));
                shelves.fill(subject, listing.revision(), listing.documents());
                try (var watch = store.watch(subject.prefix(owner), listing.revision())) {
                    follow(subject, watch);
                }
            } catch (DatastoreException broken) {
                shelves.clear(subject);
                rest();
            }
        }
        shelves.clear(subject);
    }

    private void follow(Subject subject, Watch watch) {
        // Ends: when the vigil is closed or the watch is over.
        while (!closed) {
            switch (watch.next(LOOK_UP)) {
                case Watch.Notice.Changed changed -> shelves.change(subject, changed);
                case Watch.Notice.Quiet _ -> {}
                case Watch.Notice.Compacted _ -> {
                    return;
                }
            }
        }
    }

    private void rest() {
        if (closed) {
            return;
        }
        try {
            pause.pause(BEFORE_RETRY);
        } catch (InterruptedException interrupted) {
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        for (var thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
