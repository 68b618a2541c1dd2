package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/// A transaction that writes, and keeps the [MarkFile] beside the database: it begins only if the database
/// has what was promised, and promises what it committed. For one thread.
final class MarkedTransaction {

    private final DatabaseFile file;
    private final StoreState standing;
    private final PreparedStatement begin;
    private final PreparedStatement commit;
    private final PreparedStatement readIdentity;
    private final PreparedStatement readHead;
    private final PreparedStatement readLast;
    private final PreparedStatement readRecord;

    /// As the transaction under way found it.
    private Optional<HighWaterMark> before = Optional.empty();

    /// As the transaction under way leaves it.
    private Optional<HighWaterMark> after = Optional.empty();

    MarkedTransaction(DatabaseFile file, StoreState standing, Connection connection) throws SQLException {
        this.file = file;
        this.standing = standing;
        this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
        this.commit = connection.prepareStatement("COMMIT");
        this.readIdentity = connection.prepareStatement("SELECT id FROM identity");
        this.readHead = connection.prepareStatement(Head.QUERY);
        this.readLast = connection.prepareStatement("SELECT number, content FROM record ORDER BY number DESC LIMIT 1");
        this.readRecord = connection.prepareStatement("SELECT content FROM record WHERE number = ?");
    }

    /// Locks the database for writing.
    ///
    /// @throws DatastoreException if it is not what was promised; then nothing is served any more
    void begin() throws SQLException {
        file.requireInPlace(standing);
        begin.execute();
        var present = read();
        try {
            // What is promised of a store that is being adopted stays promised until it is
            // accepted,
            // so that an adoption that is killed half way is not taken for a whole one.
            if (file.keepsPromises()) {
                require(file.mark().readLocked(present), present);
            }
        } catch (IOException failure) {
            throw unmarked(failure);
        } catch (DatastoreException refusal) {
            standing.fail(String.valueOf(refusal.getMessage()), refusal);
            throw refusal;
        }
        before = Optional.of(present);
    }

    /// Promises no longer which record is the last one: this transaction cuts records off, and may put others
    /// in their places. A process that is killed between its commit and its mark leaves this one.
    void loosen() throws SQLException {
        if (file.keepsPromises()) {
            try {
                file.mark().accept(before.orElseThrow().withoutLastRecord());
            } catch (IOException failure) {
                throw unmarked(failure);
            }
        }
    }

    /// The last look before [#commit()]: whether the file is still the one that its path names.
    ///
    /// @throws DatastoreException if it is not; then nothing is served any more
    void finish() throws SQLException {
        file.requireInPlace(standing);
        after = Optional.of(read());
    }

    void commit() throws SQLException {
        commit.execute();
        if (file.keepsPromises() && !after.equals(before)) {
            after.ifPresent(file.mark()::append);
        }
    }

    /// Promises what the database has now, whatever was promised before.
    void accept() throws SQLException {
        begin.execute();
        try {
            file.mark().accept(read());
        } catch (IOException failure) {
            throw unmarked(failure);
        }
        commit.execute();
    }

    /// How far the database has come.
    HighWaterMark read() throws SQLException {
        Bytes store;
        try (var rows = readIdentity.executeQuery()) {
            store = Bytes.of(rows.getBytes(1));
        }
        long revision = Head.read(readHead).newest();
        try (var rows = readLast.executeQuery()) {
            return rows.next()
                    ? new HighWaterMark(store, revision, rows.getLong(1), HighWaterMark.hash(rows.getBytes(2)))
                    : new HighWaterMark(store, revision, 0, HighWaterMark.NO_RECORD);
        }
    }

    /// Refuses a database that does not have what was promised.
    void require(HighWaterMark promised, HighWaterMark present) throws SQLException {
        requireNotBehind(promised, present);
        requireSameJournal(promised, present);
    }

    /// Refuses a database that has less than was promised. Its journal is not looked at, so that one that
    /// was changed can still be read and verified.
    void requireNotBehind(HighWaterMark promised, HighWaterMark present) {
        if (promised.equals(present) || promised.isZero()) {
            return;
        }
        if (!promised.tellsStore()) {
            throw new DatastoreException(
                    Kind.CORRUPT,
                    "the adoption of %s was begun and not finished; run 'cadastre ipam adopt' again"
                            .formatted(file.path()));
        }
        if (!promised.store().equals(present.store())) {
            throw refusal(
                    Kind.FOREIGN,
                    "%s is another store than the one that was here, which had come to revision %d"
                            .formatted(file.path(), promised.revision()));
        }
        if (present.revision() < promised.revision()) {
            throw refusal(
                    Kind.CORRUPT,
                    "%s has come to revision %d, and revision %d was promised: it is older or damaged"
                            .formatted(file.path(), present.revision(), promised.revision()));
        }
        if (present.records() < promised.records()) {
            throw refusal(
                    Kind.CORRUPT,
                    "%s ends with ledger entry %d, and entry %d was promised: it is older or damaged"
                            .formatted(file.path(), present.records(), promised.records()));
        }
    }

    /// Refuses a database whose journal is another one than that of which was promised.
    private void requireSameJournal(HighWaterMark promised, HighWaterMark present) throws SQLException {
        if (promised.tellsLastRecord() && !promised.lastRecord().equals(hashOf(promised, present))) {
            throw refusal(
                    Kind.CORRUPT,
                    "%s has another ledger entry %d than the one that was promised: it was changed, or is a copy that went its own way"
                            .formatted(file.path(), promised.records()));
        }
    }

    private Bytes hashOf(HighWaterMark promised, HighWaterMark present) throws SQLException {
        if (promised.records() == present.records()) {
            return present.lastRecord();
        }
        readRecord.setLong(1, promised.records());
        try (var rows = readRecord.executeQuery()) {
            // One that was removed because it was old enough leaves the later ones to be compared.
            return rows.next() ? HighWaterMark.hash(rows.getBytes(1)) : promised.lastRecord();
        }
    }

    private DatastoreException refusal(Kind kind, String sentence) {
        return new DatastoreException(kind, sentence + file.remedy());
    }

    private SQLException unmarked(IOException failure) {
        return new SQLException(
                "%s cannot be written: %s".formatted(file.mark().path(), failure.getMessage()), failure);
    }
}
