package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A store that does not report its changes.
public record SilentStore(Datastore store) implements Datastore {

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
        return new Silent(store.watch(prefix, after));
    }

    @Override
    public Commit commit(List<Write> writes) {
        return store.commit(writes);
    }

    @Override
    public void close() {
        store.close();
    }

    private record Silent(Watch watch) implements Watch {

        @Override
        public Notice next(Duration limit) {
            var notice = watch.next(limit);
            return notice instanceof Notice.Changed ? new Notice.Quiet() : notice;
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
