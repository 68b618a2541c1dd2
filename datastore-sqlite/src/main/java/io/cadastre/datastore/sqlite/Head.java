package io.cadastre.datastore.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/// How far the history of a store reaches. It is written with the last chunk of the log.
///
/// @param newest the revision of the last commit, zero if there was none
/// @param oldest the oldest revision that can still be listed and watched from
/// @param bytes the size of all chunks ever written to the log
record Head(long newest, long oldest, long bytes) {

    static final String QUERY = "SELECT id, oldest, bytes FROM change ORDER BY id DESC LIMIT 1";

    static Head read(PreparedStatement query) throws SQLException {
        try (var rows = query.executeQuery()) {
            return rows.next()
                    ? new Head(Schema.lastRevisionOf(rows.getLong(1)), rows.getLong(2), rows.getLong(3))
                    : new Head(0, 0, 0);
        }
    }
}
