package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The reading end of the log. Used inside a transaction.
final class LogReader {

    private final PreparedStatement chunks;

    LogReader(Connection connection) throws SQLException {
        this.chunks = connection.prepareStatement("SELECT chunk FROM change WHERE id >= ? ORDER BY id");
    }

    /// What those keys of the range held at the revision that have been changed since.
    NavigableMap<Bytes, Chunk.Before> at(long revision, KeyRange range) throws SQLException {
        var befores = new TreeMap<Bytes, Chunk.Before>();
        read(revision, range, (_, before) -> {
            // The first change after the revision found what was there at the revision.
            befores.putIfAbsent(before.key(), before);
            return true;
        });
        return befores;
    }

    /// Gathers the changes after a revision, oldest first, until the gathering wants no more.
    void gather(long after, KeyRange range, ChangeBatch gathering) throws SQLException {
        read(after, range, (revision, before) -> {
            gathering.changed(before, revision);
            return !gathering.isDone();
        });
    }

    private void read(long after, KeyRange range, Chunk.Visitor visitor) throws SQLException {
        chunks.setLong(1, Schema.chunkId(after + 1, 0));
        try (var rows = chunks.executeQuery()) {
            boolean goesOn = true;
            while (goesOn && rows.next()) {
                goesOn = Chunk.read(rows.getBytes(1), after, range, visitor);
            }
        }
    }
}
