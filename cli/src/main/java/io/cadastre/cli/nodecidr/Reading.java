package io.cadastre.cli.nodecidr;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.util.List;
import java.util.Optional;

/// The documents under a prefix at one moment. They can only be listed, as a whole, any number of times.
///
/// @param source the store that was read
record Reading(Datastore source, String prefix, Listing listing) implements Datastore {

    static Reading of(Datastore source, String prefix) {
        return new Reading(source, prefix, source.listAll(prefix));
    }

    @Override
    public boolean hasPlace(String key) {
        return source.hasPlace(key);
    }

    @Override
    public boolean atomic() {
        return source.atomic();
    }

    @Override
    public Listing listAll(String asked) {
        if (!asked.equals(prefix)) {
            throw new IllegalStateException("%s was read, not %s".formatted(prefix, asked));
        }
        return listing;
    }

    @Override
    public Optional<Document> get(String key) {
        throw onlyListed();
    }

    @Override
    public Listing list(String asked, int limit) {
        throw onlyListed();
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        throw onlyListed();
    }

    @Override
    public Watch watch(String asked, long after) {
        throw onlyListed();
    }

    @Override
    public Commit commit(List<Write> writes) {
        throw onlyListed();
    }

    @Override
    public void close() {}

    private static IllegalStateException onlyListed() {
        return new IllegalStateException("a reading is listed as a whole and nothing else");
    }
}
