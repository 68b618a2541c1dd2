package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Write;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The connection that writes documents. For one thread.
///
/// Several commits share one transaction. Each is checked as a whole before any of it is applied, so
/// that one with a conflict does not affect the others.
///
/// After a failure other than [SqliteFailures#isLocked(SQLException)] it has to be closed, which gives up the
/// transaction: the driver does away with a statement that failed.
final class DocumentWriter implements AutoCloseable {

    /// What a commit finds under a key: a document, or revision zero and nothing.
    static final class Found {

        private static final Found ABSENT = new Found(0, 0, new byte[0]);

        private final long id;
        private final long revision;
        private final byte[] value;

        private Found(long id, long revision, byte[] value) {
            this.id = id;
            this.revision = revision;
            this.value = value;
        }

        boolean isAbsent() {
            return revision == 0;
        }

        long revision() {
            return revision;
        }

        byte[] value() {
            return value;
        }
    }

    private final Connection connection;
    private final ChangeLog log;
    private final MarkedTransaction transaction;
    private final RecordWriter records;
    private final PreparedStatement readHead;
    private final PreparedStatement find;
    private final PreparedStatement create;
    private final PreparedStatement update;
    private final PreparedStatement delete;

    /// As the transaction under way has it.
    private Head head = new Head(0, 0, 0);

    private long before;

    DocumentWriter(DatabaseFile file, StoreState standing) throws SQLException {
        this.connection = file.connectToWrite();
        this.log = new ChangeLog(connection, file.settings());
        this.transaction = new MarkedTransaction(file, standing, connection);
        this.records = new RecordWriter(connection);
        this.readHead = connection.prepareStatement(Head.QUERY);
        this.find = connection.prepareStatement("SELECT id, revision, value FROM document WHERE key = ?");
        this.create = connection.prepareStatement("INSERT INTO document (key, revision, value) VALUES (?, ?, ?)");
        this.update = connection.prepareStatement("UPDATE document SET revision = ?, value = ? WHERE id = ?");
        this.delete = connection.prepareStatement("DELETE FROM document WHERE id = ?");
    }

    /// Makes [#begin()] fail at once when another connection writes.
    void failAtOnceWhenBusy() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 0");
        }
    }

    /// @throws DatastoreException as [MarkedTransaction#begin()] does
    void begin() throws SQLException {
        transaction.begin();
        log.clear();
        head = Head.read(readHead);
        before = head.newest();
    }

    /// The newest revision when the last transaction began.
    long before() {
        return before;
    }

    /// The newest revision that the last transaction knew of or made.
    long newest() {
        return head.newest();
    }

    /// Checks a commit and applies it to the transaction, or leaves the transaction as it was.
    ///
    /// @throws DatastoreException if its records cannot be made or taken
    Commit apply(QueuedCommit request) throws SQLException {
        var steps = request.steps();
        var found = new ArrayList<Found>(steps.size());
        for (int index = 0; index < steps.size(); index++) {
            var step = steps.get(index);
            found.add(find(step.key()));
            var conflict = findConflict(step.write(), found.getLast());
            if (conflict.isPresent()) {
                return new Commit.Conflict(index, conflict.get());
            }
        }
        long revision = head.newest() + 1;
        var drafts = drafts(request, revision);
        for (int index = 0; index < steps.size(); index++) {
            var step = steps.get(index);
            head = log.note(head, revision, step.key(), found.get(index));
            write(step, found.get(index), revision);
        }
        if (!drafts.isEmpty()) {
            records.append(drafts);
        }
        head = new Head(revision, head.oldest(), head.bytes());
        return new Commit.Done(Collections.nCopies(steps.size(), revision));
    }

    private List<Journal.Draft> drafts(QueuedCommit request, long revision) throws SQLException {
        var last = records.last();
        try {
            var drafts = List.copyOf(request.records().after(revision, last));
            records.check(drafts);
            return drafts;
        } catch (RuntimeException refused) {
            throw new DatastoreException(
                    Kind.FAILED, "nothing was done, since the ledger cannot take it: " + refused.getMessage(), refused);
        }
    }

    /// Writes the log and forgets what is beyond its bounds: the last thing before [#commit()].
    ///
    /// @throws DatastoreException as [MarkedTransaction#finish()] does
    void finish() throws SQLException {
        head = log.finish(head);
        transaction.finish();
    }

    /// Forgets the history up to this revision.
    void forget(long revision) throws SQLException {
        if (revision > head.newest()) {
            throw new IllegalArgumentException(
                    "revision %d has not happened; the newest is %d".formatted(revision, head.newest()));
        }
        head = log.forget(head, revision);
    }

    void commit() throws SQLException {
        transaction.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private Found find(byte[] key) throws SQLException {
        find.setBytes(1, key);
        try (var rows = find.executeQuery()) {
            return rows.next() ? new Found(rows.getLong(1), rows.getLong(2), rows.getBytes(3)) : Found.ABSENT;
        }
    }

    private static Optional<Commit.Kind> findConflict(Write write, Found found) {
        return switch (write) {
            case Write.Create _ -> found.isAbsent() ? Optional.empty() : Optional.of(Commit.Kind.EXISTS);
            case Write.Update update -> findConflict(update.revision(), found);
            case Write.Delete delete -> findConflict(delete.revision(), found);
        };
    }

    private static Optional<Commit.Kind> findConflict(long believed, Found found) {
        if (found.isAbsent()) {
            return Optional.of(Commit.Kind.ABSENT);
        }
        return found.revision() == believed ? Optional.empty() : Optional.of(Commit.Kind.STALE);
    }

    private void write(QueuedCommit.Step step, Found found, long revision) throws SQLException {
        switch (step.write()) {
            case Write.Create _ -> {
                create.setBytes(1, step.key());
                create.setLong(2, revision);
                create.setBytes(3, step.value());
                create.executeUpdate();
            }
            case Write.Update _ -> {
                update.setLong(1, revision);
                update.setBytes(2, step.value());
                update.setLong(3, found.id);
                update.executeUpdate();
            }
            case Write.Delete _ -> {
                delete.setLong(1, found.id);
                delete.executeUpdate();
            }
        }
    }
}
