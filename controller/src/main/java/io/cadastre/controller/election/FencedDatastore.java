package io.cadastre.controller.election;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A store that takes commits during one term of office only. It can be read at any time.
///
/// A process may be stopped after it was asked and before the store has the commit. Then the documents
/// themselves guard: each is written only if it still is as it was read.
public final class FencedDatastore implements Datastore {

    private final Datastore store;
    private final Mandate mandate;
    private final String identity;

    /// The store during one term.
    ///
    /// @param identity whose term it is
    public FencedDatastore(Datastore store, Mandate mandate, String identity) {
        this.store = store;
        this.mandate = mandate;
        this.identity = identity;
    }

    @Override
    public Optional<Document> get(String key) {
        return store.get(key);
    }

    @Override
    public Map<String, Document> getAll(List<String> keys) {
        return store.getAll(keys);
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
    public long scan(String prefix, Consumer<List<Document>> pages) {
        return store.scan(prefix, pages);
    }

    @Override
    public Listing listAll(String prefix) {
        return store.listAll(prefix);
    }

    @Override
    public boolean hasPlace(String key) {
        return store.hasPlace(key);
    }

    @Override
    public Watch watch(String prefix, long after) {
        return store.watch(prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        if (!mandate.valid()) {
            throw new DeposedException(identity);
        }
        return store.commit(writes);
    }

    @Override
    public Optional<Journal> journal() {
        return store.journal();
    }

    @Override
    public Commit commit(List<Write> writes, Records records) {
        if (!mandate.valid()) {
            throw new DeposedException(identity);
        }
        return store.commit(writes, records);
    }

    @Override
    public boolean atomic() {
        return store.atomic();
    }

    /// The store stays open: it is not this term's own.
    @Override
    public void close() {}
}
