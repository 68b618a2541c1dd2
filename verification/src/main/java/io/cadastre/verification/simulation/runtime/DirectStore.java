package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;

/// The store for an actor that meets no faults. Watchers see what it writes.
public record DirectStore(Network network, String actor) implements Datastore {

    @Override
    public Optional<Document> get(String key) {
        return network.store().get(key);
    }

    @Override
    public Listing list(String prefix, int limit) {
        return network.store().list(prefix, limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        return network.store().list(cursor, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        return network.store().watch(prefix, after);
    }

    @Override
    public Commit commit(List<Write> writes) {
        return network.apply(actor, writes);
    }

    @Override
    public boolean atomic() {
        return true;
    }

    @Override
    public void close() {}
}
