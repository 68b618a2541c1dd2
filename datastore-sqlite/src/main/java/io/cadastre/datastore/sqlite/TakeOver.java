package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// Takes the records of a journal of the first schema into the store that they tell of, in the transaction
/// that brings the store to the present schema: numbers, times, contents and indexes as they are.
///
/// A journal of the present schema is another store's, which is elsewhere, and is left alone.
final class TakeOver {

    /// What there is to be taken over, at most one.
    private final List<FormerJournal> formers;

    private boolean copied;

    TakeOver(List<FormerJournal> formers) {
        this.formers = formers.stream().filter(TakeOver::isThere).toList();
    }

    private static boolean isThere(FormerJournal former) {
        return DatabaseFile.look(SqliteSettings.of(former.file()))
                .filter(DatabaseFile::isOld)
                .isPresent();
    }

    /// Refuses to make a store beside a journal that tells of one.
    void requireNone(DatabaseFile store) {
        for (var former : formers) {
            long newest = newestRevision(former);
            if (newest > 0) {
                throw new DatastoreException(
                        Kind.CORRUPT,
                        "%s is gone, and its ledger %s tells of revision %d%s; if the ledger is that of"
                                        .formatted(
                                                store.path(), former.file(), newest, store.remedy())
                                + " etcd or a cluster, use another --data-dir");
            }
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
            requireNotAhead(store, former, connection);
            try (var statement = connection.createStatement()) {
                for (var table : List.of("record", "record_name", "record_span")) {
                    statement.execute(
                            "INSERT INTO main.%s SELECT * FROM former.%s".formatted(table, table));
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
                var log = Path.of(former.file() + "-wal");
                if (Files.exists(log)) {
                    Files.move(log, Path.of(former.nameWhenTaken() + "-wal"));
                }
                Files.move(former.file(), former.nameWhenTaken());
            }
        }
    }

    private static void requireNotAhead(
            DatabaseFile store, FormerJournal former, Connection connection) throws SQLException {
        long newest = newestRevision(former);
        long revision;
        try (var head = connection.prepareStatement(Head.QUERY)) {
            revision = Head.read(head).newest();
        }
        if (newest > revision) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "%s has come to revision %d, and its ledger %s tells of revision %d: the store is older%s;"
                                    .formatted(
                                            store.path(),
                                            revision,
                                            former.file(),
                                            newest,
                                            store.remedy())
                            + " if the ledger is that of etcd or a cluster, move it away");
        }
    }

    private static long newestRevision(FormerJournal former) {
        try (var journal =
                SqliteJournal.openToRead(SqliteSettings.of(former.file())).orElseThrow()) {
            return former.newestRevision().applyAsLong(journal);
        }
    }
}
