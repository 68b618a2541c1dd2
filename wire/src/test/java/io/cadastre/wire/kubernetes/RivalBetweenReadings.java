package io.cadastre.wire.kubernetes;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;

import java.util.List;
import java.util.Optional;

/// A store where a rival acts between the first and the second reading of a book, whichever they are.
final class RivalBetweenReadings implements Datastore {

    private final Datastore store;
    private final Runnable rival;
    private int readings;

    RivalBetweenReadings(Datastore store, Runnable rival) {
        this.store = store;
        this.rival = rival;
    }

    @Override
    public Optional<Document> get(String key) {
        countReading();
        return store.get(key);
    }

    @Override
    public Listing list(String prefix, int limit) {
        countReading();
        return store.list(prefix, limit);
    }

    private void countReading() {
        readings++;
        if (readings == 2) {
            rival.run();
        }
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
        return store.commit(writes);
    }

    @Override
    public void close() {
        store.close();
    }
}
