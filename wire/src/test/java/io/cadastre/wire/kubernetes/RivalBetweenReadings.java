package io.cadastre.wire.kubernetes;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import java.util.Optional;

/// A store where a rival acts between the first and the second reading of a book, whichever they are.
final class RivalBetweenReadings implements ForwardingDatastore {

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
    public Datastore store() {
        return store;
    }
}
