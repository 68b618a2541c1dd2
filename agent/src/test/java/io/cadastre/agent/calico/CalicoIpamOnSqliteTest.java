package io.cadastre.agent.calico;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class CalicoIpamOnSqliteTest extends CalicoIpamContract {

    @TempDir
    Path folder;

    @Override
    Datastore open() {
        return SqliteDatastore.open(SqliteSettings.of(folder.resolve("store.db")));
    }
}
