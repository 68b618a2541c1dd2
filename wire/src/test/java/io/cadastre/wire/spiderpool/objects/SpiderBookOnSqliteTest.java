package io.cadastre.wire.spiderpool.objects;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SpiderBookOnSqliteTest extends SpiderBookContract {

    private final Path folder;

    SpiderBookOnSqliteTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Override
    protected Datastore open() {
        return SqliteDatastore.open(SqliteSettings.of(folder.resolve("store.db")));
    }
}
