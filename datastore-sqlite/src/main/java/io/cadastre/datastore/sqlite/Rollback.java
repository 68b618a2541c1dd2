package io.cadastre.datastore.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/// How a transaction is given up.
final class Rollback {

    private Rollback() {}

    /// Rolls back, unless SQLite did so by itself, as it does after some failures.
    static void run(PreparedStatement rollback) throws SQLException {
        try {
            rollback.execute();
        } catch (SQLException failure) {
            if (!Failures.isMisuse(failure)) {
                throw failure;
            }
        }
    }
}
