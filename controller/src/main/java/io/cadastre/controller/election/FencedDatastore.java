package io.cadastre.controller.election;

import io.cadastre.datastore.Bytes;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A store that takes commits during one leader term only. It can be read at any time.
///
/// A process may be stopped after the check of its term and before the store has the commit. Then the
/// documents themselves guard: each is written only if it still is as it was read.
public final class FencedDatastore implements Datastore {

    private final Datastore store;
    private final BooleanSupplier term;
    private final String identity;
    private final long othersEndedNanos;

    /// The store during one term.
    ///
    /// @param term whether it is still valid
    /// @param identity whose term it is
    /// @param othersEndedNanos by when all terms before this one had ended
    public FencedDatastore(Datastore store, BooleanSupplier term, String identity, long othersEndedNanos) {
        this.store = store;
        this.term = term;
        this.identity = identity;
        this.othersEndedNanos = othersEndedNanos;
    }

    /// By when all terms before this one had ended: what was read from the store since then shows all that their
    /// leaders wrote, but for writes that a store carries out late.
    public long othersEndedNanos() {
        return othersEndedNanos;
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

    /// Before a write that does not go through this store.
    ///
    /// @throws LeadershipLostException if the term is over
    public void checkTerm() {
        if (!term.getAsBoolean()) {
            throw new LeadershipLostException(identity);
        }
    }

    @Override
    public Commit commit(List<Write> writes) {
        checkTerm();
        return store.commit(writes);
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        checkTerm();
        return store.commitEach(writes);
    }

    @Override
    public boolean holds(Document found, Bytes value) {
        return store.holds(found, value);
    }

    @Override
    public Optional<Journal> journal() {
        return store.journal();
    }

    @Override
    public Commit commit(List<Write> writes, Records records) {
        checkTerm();
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
