package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// What was promised of a database and is in none of the databases that were looked at.
///
/// @param known how far the best of them has come
/// @param promised how far the database had come
/// @param changed whether one of them has another record in the place of the last one promised
public record MissingRecords(Reach known, Reach promised, boolean changed) {

    /// How far a journal has come.
    ///
    /// @param records the number of its last record
    /// @param revision the newest revision of the store that it records
    public record Reach(long records, long revision) {

        private static final Reach NOTHING = new Reach(0, 0);

        private Reach or(Reach other) {
            return new Reach(Math.max(records, other.records), Math.max(revision, other.revision));
        }
    }

    public String sentence() {
        if (known.records >= promised.records) {
            return "the store has come to revision %d before, and the ledgers that were asked tell of revision %d"
                    .formatted(promised.revision, known.revision);
        }
        if (changed) {
            return "ledger entry %d is another one in the ledgers that were asked than the one that was promised"
                    .formatted(promised.records);
        }
        return "%s in none of the ledgers that were asked"
                .formatted(
                        known.records + 1 == promised.records
                                ? "ledger entry %d is".formatted(promised.records)
                                : "ledger entries %d to %d are".formatted(known.records + 1, promised.records));
    }

    /// @param databases where to look, those that are there
    /// @param newestRevision the newest revision of the store that the records of a journal contain
    static Optional<MissingRecords> find(
            HighWaterMark promised, List<Path> databases, ToLongFunction<Journal> newestRevision)
            throws IOException, SQLException {
        var known = Reach.NOTHING;
        boolean changed = false;
        for (var database : databases) {
            var found = DatabaseFile.lookToAdopt(SqliteSettings.of(database));
            if (found.isEmpty()) {
                continue;
            }
            try (var connection = found.get().connectToRead()) {
                if (Schema.isOld(connection) || isOf(promised, connection)) {
                    if (isChanged(promised, connection)) {
                        changed = true;
                    } else {
                        known = known.or(reach(database, connection, newestRevision));
                    }
                }
            }
        }
        return known.records < promised.records() || known.revision < promised.revision()
                ? Optional.of(new MissingRecords(known, new Reach(promised.records(), promised.revision()), changed))
                : Optional.empty();
    }

    private static boolean isOf(HighWaterMark promised, Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM identity")) {
            return !promised.tellsStore() || (rows.next() && promised.store().equals(Bytes.of(rows.getBytes(1))));
        }
    }

    /// One that was cut off, because it was old enough, is not changed.
    private static boolean isChanged(HighWaterMark promised, Connection connection) throws SQLException {
        try (var query = connection.prepareStatement("SELECT content FROM record WHERE number = ?")) {
            query.setLong(1, promised.records());
            try (var rows = query.executeQuery()) {
                return promised.tellsLastRecord()
                        && rows.next()
                        && !promised.lastRecord().equals(HighWaterMark.hash(rows.getBytes(1)));
            }
        }
    }

    /// A ledger in a file of its own has no revisions except those in its records.
    private static Reach reach(Path database, Connection connection, ToLongFunction<Journal> newestRevision)
            throws SQLException {
        long revision;
        try (var head = connection.prepareStatement(Head.QUERY)) {
            revision = Head.read(head).newest();
        }
        try (var journal =
                SqliteJournal.lookToAdopt(SqliteSettings.of(database)).orElseThrow()) {
            return new Reach(
                    journal.<Long>look(Journal.Look::lastNumber),
                    revision > 0 ? revision : newestRevision.applyAsLong(journal));
        }
    }
}
