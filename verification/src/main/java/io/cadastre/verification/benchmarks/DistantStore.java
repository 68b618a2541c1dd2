package io.cadastre.verification.benchmarks;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.IndependentWrites;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Write;
import io.cadastre.registry.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store in memory that answers each call after a while and applies writes one by one, as an API server does that
/// has nothing else to do. Several calls are under way at a time, as many as with a real one.
record DistantStore(Datastore store, Duration callTime, Pause pause) implements ForwardingDatastore {

    private static final int READERS = 8;
    private static final int WRITERS = 30;

    /// Waits for as many calls, of which some are under way at once.
    private void travel(int calls, int atOnce) {
        try {
            pause.pause(callTime.multipliedBy((calls + atOnce - 1) / atOnce));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public Optional<Document> get(String key) {
        travel(1, 1);
        return store.get(key);
    }

    @Override
    public Map<String, Document> getAll(List<String> keys) {
        travel(keys.size(), READERS);
        return store.getAll(keys);
    }

    @Override
    public Listing list(String prefix, int limit) {
        travel(1, 1);
        return store.list(prefix, limit);
    }

    @Override
    public Commit commit(List<Write> writes) {
        travel(writes.size(), 1);
        return store.commit(writes);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        travel(writes.size(), WRITERS);
        return IndependentWrites.commits(writes, write -> store.commit(List.of(write)));
    }

    @Override
    public boolean atomic() {
        return false;
    }
}
