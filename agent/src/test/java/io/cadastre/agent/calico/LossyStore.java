package io.cadastre.agent.calico;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;

/// A store that can be cut off, and whose answers can be lost.
final class LossyStore implements ForwardingDatastore {

    private final Datastore store;
    private volatile Mood mood = Mood.WELL;

    /// How it behaves.
    enum Mood {
        WELL,
        /// It cannot be reached.
        AWAY,
        /// The next commit is applied and its answer is lost; then the store cannot be reached.
        LOSES_ONE_ANSWER,
        /// It takes no documents from us, as a cluster takes no nodes.
        REFUSES
    }

    LossyStore(Datastore store) {
        this.store = store;
    }

    void become(Mood other) {
        mood = other;
    }

    private void check() {
        if (mood == Mood.AWAY) {
            throw new DatastoreException(Kind.UNREACHABLE, "cut off on purpose");
        }
    }

    @Override
    public Optional<Document> get(String key) {
        check();
        return store.get(key);
    }

    @Override
    public Listing list(String prefix, int limit) {
        check();
        return store.list(prefix, limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        check();
        return store.list(cursor, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        check();
        return store.watch(prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        check();
        if (mood == Mood.REFUSES) {
            throw new IllegalArgumentException("not written here");
        }
        var commit = store.commit(writes);
        if (mood == Mood.LOSES_ONE_ANSWER) {
            mood = Mood.AWAY;
            return new Commit.Unknown("lost on purpose");
        }
        return commit;
    }

    @Override
    public Datastore store() {
        return store;
    }
}
