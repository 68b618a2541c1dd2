package io.cadastre.datastore;

import java.util.List;
import java.util.Optional;

/// A store that hands every call to another one, but for those that it does itself. What others come down to, such as
/// [#getAll(List)] to [#get(String)], is not handed on, so that no call gets by: this is for stores that change or
/// observe what passes. One that only picks another store hands on all of [Datastore] itself.
public interface ForwardingDatastore extends Datastore {

    /// The one that does the work.
    Datastore store();

    @Override
    default Optional<Document> get(String key) {
        return store().get(key);
    }

    @Override
    default Listing list(String prefix, int limit) {
        return store().list(prefix, limit);
    }

    @Override
    default Listing list(Listing.Cursor cursor, int limit) {
        return store().list(cursor, limit);
    }

    @Override
    default Watch watch(String prefix, long after) {
        return store().watch(prefix, after);
    }

    @Override
    default Commit commit(List<Write> writes) {
        return store().commit(writes);
    }

    @Override
    default boolean hasPlace(String key) {
        return store().hasPlace(key);
    }

    @Override
    default boolean atomic() {
        return store().atomic();
    }

    @Override
    default void close() {
        store().close();
    }
}
