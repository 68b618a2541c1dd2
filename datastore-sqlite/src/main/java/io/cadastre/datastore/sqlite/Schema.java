package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The tables of an embedded store, and the marks by which its files are known.
///
/// - `document` is what every key holds now.
/// - `change` is the log, in chunks: each write with what its key held *before* it. What a key held at
///   a revision is what the first change after that revision found; so old chunks can be dropped
///   without looking at anything else. The `id` of a chunk is its last revision and a number
///   ([#chunkId(long, int)]), so that the table lies in the order of the history. `bytes` is the size
///   of all chunks ever written up to this one, `oldest` the revision to which one could still go
///   back when it was written. The last chunk is always kept, for these ([Head]).
/// - `record`, `record_name`, `record_span` are the journal. A span's `width` is the number of bits of
///   its length: spans of one width that overlap a given one begin in a narrow interval, which an
///   index finds.
/// - `identity` is one random number, which distinguishes the database from every other one. The first
///   schema had none.
final class Schema {

    /// "Cdst" in ASCII; the `application_id` of <https://www.sqlite.org/pragma.html>.
    static final int APPLICATION_ID = 0x43647374;

    static final int VERSION = 2;

    /// The oldest schema that can be read, and is made [#VERSION] when it is opened to be written.
    static final int VERSION_MIN = 1;

    private static final List<String> IDENTITY = List.of(
            "CREATE TABLE identity (id BLOB NOT NULL)",
            "INSERT INTO identity (id) VALUES (randomblob(%d))".formatted(HighWaterMark.STORE_BYTES),
            "PRAGMA user_version = " + VERSION);

    /// A commit has at most 128 writes, and a chunk at least one.
    private static final int PART_BITS = 8;

    private static final List<String> TABLES =
            List.of("""
                CREATE TABLE document (
                    id INTEGER PRIMARY KEY,
                    key BLOB NOT NULL UNIQUE,
                    revision INTEGER NOT NULL,
                    value BLOB NOT NULL)
                """, """
                CREATE TABLE change (
                    id INTEGER PRIMARY KEY,
                    bytes INTEGER NOT NULL,
                    oldest INTEGER NOT NULL,
                    chunk BLOB NOT NULL)
                """, """
                CREATE TABLE record (
                    number INTEGER PRIMARY KEY,
                    at_second INTEGER NOT NULL,
                    at_nano INTEGER NOT NULL,
                    content BLOB NOT NULL)
                """, "CREATE INDEX record_at ON record (at_second, at_nano)", """
                CREATE TABLE record_name (
                    name BLOB NOT NULL,
                    number INTEGER NOT NULL,
                    PRIMARY KEY (name, number)) WITHOUT ROWID
                """, """
                CREATE TABLE record_span (
                    width INTEGER NOT NULL,
                    first BLOB NOT NULL,
                    last BLOB NOT NULL,
                    number INTEGER NOT NULL,
                    PRIMARY KEY (width, first, last, number)) WITHOUT ROWID
                """);

    private Schema() {}

    /// The `id` of the chunk that ends with this revision. Chunks that end with the same one are
    /// numbered from zero.
    static long chunkId(long lastRevision, int part) {
        return lastRevision << PART_BITS | part;
    }

    static long lastRevisionOf(long chunkId) {
        return chunkId >>> PART_BITS;
    }

    static void create(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("BEGIN IMMEDIATE");
            for (var table : TABLES) {
                statement.execute(table);
            }
            for (var step : IDENTITY) {
                statement.execute(step);
            }
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("COMMIT");
            statement.execute("PRAGMA journal_mode = WAL");
        }
    }

    /// Brings a database of an older schema to the present one. The caller has locked it for writing.
    static void upgrade(Connection connection) throws SQLException {
        if (!isOld(connection)) {
            return;
        }
        try (var statement = connection.createStatement()) {
            for (var step : IDENTITY) {
                statement.execute(step);
            }
        }
    }

    /// Whether a database has to be brought to the present schema.
    static boolean isOld(Connection connection) throws SQLException {
        return number(connection, "PRAGMA user_version") < VERSION;
    }

    /// Refuses a database that is not a store, or of a version that came after this program.
    static void check(Connection connection, Path file) throws SQLException {
        if (number(connection, "PRAGMA application_id") != APPLICATION_ID) {
            throw new DatastoreException(
                    Kind.FOREIGN, "%s is an SQLite file of another program and was left alone".formatted(file));
        }
        long version = number(connection, "PRAGMA user_version");
        if (version < VERSION_MIN || version > VERSION) {
            throw new DatastoreException(
                    Kind.FOREIGN,
                    "%s has schema %d and this program knows schema %d; it was left alone"
                            .formatted(file, version, VERSION));
        }
    }

    private static long number(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.getLong(1);
        }
    }
}
