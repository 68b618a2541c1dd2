package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.verification.simulation.runtime.Network;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The store as the process of a machine sees it. A watch may report nothing for a while, and then all that
/// happened.
record ProcessStore(Datastore store, SimulatedProcess process, Network network) implements Datastore {

    private static final int LOOKS_PER_SILENCE = 25;
    private static final long SILENT_MILLISECONDS_MAX = 15_000;

    @Override
    public Optional<Document> get(String key) {
        return process.call(() -> store.get(key));
    }

    @Override
    public Listing list(String prefix, int limit) {
        return process.call(() -> store.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return process.call(() -> store.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        return new Watcher(process.call(() -> store.watch(prefix, after)));
    }

    @Override
    public Commit commit(List<Write> writes) {
        return process.call(() -> store.commit(writes));
    }

    @Override
    public boolean atomic() {
        return store.atomic();
    }

    @Override
    public void close() {}

    private final class Watcher implements Watch {

        private final Watch watch;

        Watcher(Watch watch) {
            this.watch = watch;
        }

        @Override
        public Notice next(Duration limit) {
            if (process.deaf() && !network.calm().get() && process.dice().nextInt(LOOKS_PER_SILENCE) == 0) {
                var silence = Duration.ofMillis(process.dice().nextLong(SILENT_MILLISECONDS_MAX));
                network.history().event(process.identity(), "hears nothing for " + silence);
                network.scheduler().pause(silence);
            }
            return process.call(() -> watch.next(limit));
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
