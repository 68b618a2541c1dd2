package io.cadastre.cli.ipam;

import io.cadastre.cli.Shell;
import io.cadastre.cli.session.Session;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import java.nio.file.Path;

final class IpamScenariosOnSqliteTest extends IpamScenarios {

    @Override
    Shell open(Path freshHome) {
        return Shell.at(freshHome);
    }

    @Override
    Datastore store(Shell user) {
        return SqliteDatastore.open(SqliteSettings.of(Session.storeIn(user.dataDirectory())));
    }
}
