package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The store as a process sees it that also watches. The reflector itself starts the threads that watch: no
/// thread waits for their end, so the end of their process appears to them as a store that does not answer,
/// until the reflector is closed.
public final class WatchersStore implements Datastore {

    private static final String WATCHERS = "calico-vigil-";

    private final RemoteStore store;
    private final ProcessLife life;

    public WatchersStore(RemoteStore store, ProcessLife life) {
        this.store = store;
        this.life = life;
    }

    @Override
    public Optional<Document> get(String key) {
        return store.get(key);
    }

    @Override
    public Listing list(String prefix, int limit) {
        if (!watching()) {
            return store.list(prefix, limit);
        }
        var listing = alive(() -> store.list(prefix, limit, read -> life.watchedAtMost(prefix, read.revision())));
        life.watched(prefix, listing.revision());
        return listing;
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return watching() ? alive(() -> store.list(cursor, limit)) : store.list(cursor, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        return new Watcher(alive(() -> store.watch(prefix, after)));
    }

    @Override
    public Commit commit(List<Write> writes) {
        return store.commit(writes);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        return store.commitEach(writes);
    }

    @Override
    public boolean atomic() {
        return store.atomic();
    }

    @Override
    public void close() {
        store.close();
    }

    private static boolean watching() {
        return Thread.currentThread().getName().startsWith(WATCHERS);
    }

    private static <T> T alive(Supplier<T> call) {
        try {
            return call.get();
        } catch (Crash crash) {
            throw new DatastoreException(DatastoreException.Kind.UNREACHABLE, "the process has crashed");
        }
    }

    private record Watcher(Watch watch) implements Watch {

        @Override
        public Notice next(Duration limit) {
            return alive(() -> watch.next(limit));
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
