package io.cadastre.controller.spiderpool.collection;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store whose conflicts are counted.
record ConflictCounter(Datastore store, GcCounts counts) implements ForwardingDatastore {

    @Override
    public Map<String, Document> getAll(List<String> keys) {
        return store.getAll(keys);
    }

    @Override
    public Commit commit(List<Write> writes) {
        return counted(store.commit(writes));
    }

    @Override
    public List<Commit> commitEach(List<Write> writes) {
        var commits = store.commitEach(writes);
        commits.forEach(this::counted);
        return commits;
    }

    @Override
    public Optional<Journal> journal() {
        return store.journal();
    }

    @Override
    public Commit commit(List<Write> writes, Records records) {
        return counted(store.commit(writes, records));
    }

    @Override
    public boolean holds(Document found, Bytes value) {
        return store.holds(found, value);
    }

    private Commit counted(Commit commit) {
        if (commit instanceof Commit.Conflict) {
            counts.conflict();
        }
        return commit;
    }
}
