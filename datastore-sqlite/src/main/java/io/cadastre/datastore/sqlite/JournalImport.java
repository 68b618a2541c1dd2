package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Takes the records of a journal of the first schema into the store that they belong to, in the
/// transaction that brings the store to the present schema: numbers, times, contents and indexes as
/// they are.
///
/// A journal of the present schema is another store's, which is elsewhere, and is left alone.
final class JournalImport {

    /// What there is to be taken over, at most one.
    private final List<FormerJournal> formers;

    private boolean copied;

    JournalImport(List<FormerJournal> formers) {
        this.formers = formers.stream()
                .filter(former -> find(former.file()).isPresent())
                .toList();
    }

    /// A journal that a store of the first schema had.
    static Optional<DatabaseFile> find(Path former) {
        return DatabaseFile.look(SqliteSettings.of(former)).filter(DatabaseFile::isOld);
    }

    /// Refuses to make a store beside a journal that records one.
    void requireNone(DatabaseFile store) {
        for (var former : formers) {
            long newest = newestRevision(former);
            if (newest > 0) {
                throw new DatastoreException(
                        Kind.CORRUPT,
                        "%s is gone, and its ledger %s tells of revision %d%s; if the ledger is that of"
                                        .formatted(store.path(), former.file(), newest, store.remedy())
                                + " etcd or a cluster, use another --data-dir");
            }
        }
    }

    /// Only an adoption can open the store until it is accepted, even if this process is killed: what
    /// the journals record is promised, for no particular store.
    void promise(DatabaseFile store) throws IOException {
        for (var former : formers) {
            var told = HighWaterMark.ofNoStore(newestRevision(former), lastNumber(former));
            var promised = store.mark().read();
            if (!told.isZero() && (promised.isEmpty() || promised.get().compareTo(told) < 0)) {
                store.mark().accept(told);
            }
        }
    }

    private static long lastNumber(FormerJournal former) {
        try (var journal = open(former)) {
            return journal.<Long>look(Journal.Look::lastNumber);
        }
    }

    /// Whether the store has records, so that there is nothing to be taken over any more.
    boolean isDone(Connection connection) throws SQLException {
        if (formers.isEmpty()) {
            return true;
        }
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT number FROM main.record LIMIT 1")) {
            return rows.next();
        }
    }

    /// The first thing, since it is not possible in a transaction.
    void attach(Connection connection) throws SQLException {
        for (var former : formers) {
            try (var attach = connection.prepareStatement("ATTACH DATABASE ? AS former")) {
                attach.setString(1, "file:" + former.file().toUri().getRawPath() + "?mode=rw");
                attach.execute();
            }
        }
        copied = !formers.isEmpty();
    }

    /// Part of the transaction of an upgrade.
    void copy(DatabaseFile store, Connection connection) throws SQLException {
        if (!copied) {
            return;
        }
        for (var former : formers) {
            if (store.keepsPromises()) {
                requireNotAhead(store, former, connection);
            } else {
                raiseRevision(newestRevision(former), connection);
            }
            try (var statement = connection.createStatement()) {
                for (var table : List.of("record", "record_name", "record_span")) {
                    statement.execute("INSERT INTO main.%s SELECT * FROM former.%s".formatted(table, table));
                }
            }
        }
    }

    void detach(Connection connection) throws SQLException {
        if (copied) {
            try (var statement = connection.createStatement()) {
                statement.execute("DETACH DATABASE former");
            }
        }
    }

    /// The last thing, when nothing has the journal open any more.
    void rename() throws IOException {
        if (copied) {
            for (var former : formers) {
                var name = former.nameWhenTaken();
                var log = Path.of(former.file() + "-wal");
                if (Files.exists(log)) {
                    Files.move(log, Path.of(name + "-wal"));
                }
                Files.move(former.file(), name);
            }
        }
    }

    /// Renames a journal whose last record is in the store.
    void renameTaken(Connection connection) throws IOException, SQLException {
        if (formers.isEmpty()) {
            return;
        }
        attach(connection);
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT 1 FROM main.record JOIN former.record USING (number,"
                        + " content) WHERE number = (SELECT max(number) FROM"
                        + " former.record)")) {
            copied = rows.next();
        }
        if (copied) {
            detach(connection);
            rename();
        }
    }

    /// Puts an empty chunk at the end of the log, so that what is committed from now on comes after all
    /// that the journal records.
    private static void raiseRevision(long newest, Connection connection) throws SQLException {
        Head head;
        try (var query = connection.prepareStatement(Head.QUERY)) {
            head = Head.read(query);
        }
        if (newest > head.newest()) {
            try (var insert = connection.prepareStatement(
                    "INSERT INTO main.change (id, bytes, oldest, chunk)" + " VALUES (?, ?, ?, zeroblob(0))")) {
                insert.setLong(1, Schema.chunkId(newest, 0));
                insert.setLong(2, head.bytes());
                insert.setLong(3, head.oldest());
                insert.executeUpdate();
            }
        }
    }

    private static void requireNotAhead(DatabaseFile store, FormerJournal former, Connection connection)
            throws SQLException {
        long newest = newestRevision(former);
        long revision;
        try (var head = connection.prepareStatement(Head.QUERY)) {
            revision = Head.read(head).newest();
        }
        if (newest > revision) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "%s has come to revision %d, and its ledger %s tells of revision %d: the store is older%s;"
                                    .formatted(store.path(), revision, former.file(), newest, store.remedy())
                            + " if the ledger is that of etcd or a cluster, move it away");
        }
    }

    private static long newestRevision(FormerJournal former) {
        try (var journal = open(former)) {
            return former.newestRevision().applyAsLong(journal);
        }
    }

    private static SqliteJournal open(FormerJournal former) {
        return SqliteJournal.openToRead(SqliteSettings.of(former.file())).orElseThrow();
    }
}
