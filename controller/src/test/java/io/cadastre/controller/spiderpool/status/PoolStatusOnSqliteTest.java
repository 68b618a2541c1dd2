package io.cadastre.controller.spiderpool.status;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

final class PoolStatusOnSqliteTest extends PoolStatusContract {

    private final List<Datastore> opened = new ArrayList<>();

    @TempDir
    Path folder;

    @Override
    Datastore emptyStore() {
        var store = SqliteDatastore.open(SqliteSettings.of(folder.resolve("store-%d.db".formatted(opened.size()))));
        opened.add(store);
        return store;
    }

    @AfterEach
    void close() {
        opened.forEach(Datastore::close);
    }
}
