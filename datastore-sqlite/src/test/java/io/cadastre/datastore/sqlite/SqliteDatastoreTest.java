package io.cadastre.datastore.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreContract;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class SqliteDatastoreTest extends DatastoreContract {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Override
    public Datastore open(Duration callLimit) {
        return SqliteDatastore.open(settings().withCallLimit(callLimit));
    }

    @Override
    public void compact(long revision) {
        try (var store = SqliteDatastore.open(settings())) {
            store.compact(revision);
        }
    }

    @Override
    public AutoCloseable stall() throws Exception {
        var holder = ChildJvm.start(LockHolder.class, settings().file().toString());
        assertThat(holder.read()).isEqualTo("held");
        return holder;
    }

    private SqliteSettings settings() {
        return SqliteSettings.of(directory.resolve("store.db"));
    }
}
