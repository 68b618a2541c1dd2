package io.cadastre.verification.simulation.controller;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;

/// The store behind the fence of a leader.
///
/// @param beforeCommit runs in the instant in which a commit begins
record LeaderStore(Datastore store, Runnable beforeCommit) implements Datastore {

    @Override
    public Optional<Document> get(String key) {
        return store.get(key);
    }

    @Override
    public Listing list(String prefix, int limit) {
        return store.list(prefix, limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return store.list(cursor, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        return store.watch(prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        beforeCommit.run();
        return store.commit(writes);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        beforeCommit.run();
        return store.commitEach(writes);
    }

    @Override
    public boolean atomic() {
        return store.atomic();
    }

    @Override
    public void close() {}
}
