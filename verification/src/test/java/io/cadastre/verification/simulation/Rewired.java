package io.cadastre.verification.simulation;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A store whose commits go another way.
record Rewired(Datastore store, Function<List<Write>, Commit> committing) implements Datastore {

    /// Writes whatever is there: each condition is brought up to date just before the write.
    static Rewired blind(Datastore store) {
        return blindTo(store, "");
    }

    /// Writes keys that begin like this whatever is there.
    static Rewired blindTo(Datastore store, String prefix) {
        return new Rewired(
                store,
                writes ->
                        store.commit(
                                writes.stream()
                                        .map(
                                                write ->
                                                        write.key().startsWith(prefix)
                                                                ? unconditional(store, write)
                                                                : write)
                                        .toList()));
    }

    private static Write unconditional(Datastore store, Write write) {
        var current = store.get(write.key());
        return switch (write) {
            case Write.Create(var key, var value) ->
                    current.<Write>map(it -> new Write.Update(key, value, it.revision()))
                            .orElse(write);
            case Write.Update(var key, var value, _) ->
                    current.<Write>map(it -> new Write.Update(key, value, it.revision()))
                            .orElse(new Write.Create(key, value));
            case Write.Delete(var key, _) ->
                    current.<Write>map(it -> new Write.Delete(key, it.revision())).orElse(write);
        };
    }

    /// Takes a lost answer for a failure.
    static Rewired certain(Datastore store) {
        return new Rewired(
                store,
                writes ->
                        switch (store.commit(writes)) {
                            case Commit.Unknown unknown ->
                                    throw new DatastoreException(
                                            DatastoreException.Kind.FAILED, unknown.reason());
                            case Commit known -> known;
                        });
    }

    @Override
    public Commit commit(List<Write> writes) {
        return committing.apply(writes);
    }

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
    public void close() {}
}
