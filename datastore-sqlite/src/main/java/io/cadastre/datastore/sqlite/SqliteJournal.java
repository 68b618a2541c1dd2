package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// A journal in an SQLite file, its own or that of a store, which several processes may append to at
/// once.
///
/// Callers take turns and each does its own work, as those of a store commit themselves: handing it to
/// a thread of the journal would take about as long as the sync. A caller waits for its turn, and for
/// other processes, as long as the settings say. One that gives up has changed nothing.
public final class SqliteJournal implements Journal {

    private interface Work<T> {
        T on(JournalTables tables) throws SQLException;
    }

    private interface Call<T> {
        T before(Deadline deadline) throws SQLException;
    }

    /// How often another process's lock is tried again.
    private static final Duration LOCK_POLL = Duration.ofNanos(250_000);

    private final DatabaseFile file;
    private final Standing standing = new Standing();

    /// Held by who uses the connection. It guards the field below.
    private final Semaphore turn = new Semaphore(1, true);

    /// Absent after a failure, until it is needed again.
    private @Nullable JournalTables tables;

    private SqliteJournal(DatabaseFile file) throws SQLException {
        this.file = file;
        this.tables = connect();
    }

    /// Opens the journal, and makes its file if it is absent.
    ///
    /// @throws DatastoreException as [SqliteDatastore#open(SqliteSettings)] does
    public static SqliteJournal open(SqliteSettings settings) {
        var file = DatabaseFile.prepare(settings);
        try {
            return new SqliteJournal(file);
        } catch (SQLException failure) {
            throw Failures.of(file.path(), failure);
        }
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        inTurn(
                deadline -> {
                    var begun =
                            patiently(
                                    deadline,
                                    present -> {
                                        present.begin();
                                        return present;
                                    });
                    begun.append(next);
                    return begun;
                });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return inTurn(deadline -> patiently(deadline, present -> present.read(from, limit)));
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return inTurn(deadline -> patiently(deadline, present -> present.find(query, from, limit)));
    }

    /// Refuses the calls that were not begun and lets the one under way end, as far as it does so in time.
    @Override
    public void close() {
        if (standing.close()) {
            try {
                if (turn.tryAcquire(limit().toNanos(), TimeUnit.NANOSECONDS)) {
                    release();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Duration limit() {
        return file.settings().callLimit();
    }

    private <T> T inTurn(Call<T> call) {
        standing.check();
        var deadline = new Deadline(limit());
        takeTurn(deadline);
        try {
            standing.check();
            return call.before(deadline);
        } catch (SQLException failure) {
            disconnect();
            throw Failures.of(file.path(), failure);
        } catch (RuntimeException | Error failure) {
            disconnect();
            throw failure;
        } finally {
            release();
        }
    }

    private void takeTurn(Deadline deadline) {
        try {
            if (!turn.tryAcquire(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
                throw new DatastoreException(
                        Kind.DEADLINE,
                        "%s did not answer within %s; the call was not begun and has no effect"
                                .formatted(file.path(), deadline.limit()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(
                    Kind.FAILED,
                    "interrupted while waiting for %s; the call was not begun and has no effect"
                            .formatted(file.path()),
                    interrupted);
        }
    }

    /// Ends the turn. Who closed the journal may have gone without waiting for it.
    private void release() {
        try {
            if (!standing.isOpen()) {
                disconnect();
            }
        } finally {
            turn.release();
        }
    }

    /// Does something that fails at once when other processes stand in the way, until they do not.
    private <T> T patiently(Deadline deadline, Work<T> work) throws SQLException {
        // Ends at the deadline.
        while (true) {
            try {
                return work.on(connected());
            } catch (SQLException failure) {
                if (!Failures.isLocked(failure)) {
                    disconnect();
                }
                if (!Failures.isBusy(failure) || deadline.leftNanos() <= 0) {
                    throw failure;
                }
            }
            LockSupport.parkNanos(LOCK_POLL.toNanos());
        }
    }

    private JournalTables connect() throws SQLException {
        return new JournalTables(file, standing);
    }

    private JournalTables connected() throws SQLException {
        var present = tables;
        if (present == null) {
            present = connect();
            tables = present;
        }
        return present;
    }

    /// Gives up the transaction under way and the connection with it.
    private void disconnect() {
        var present = tables;
        tables = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException failure) {
                standing.fail("a connection could not be closed", failure);
            }
        }
    }
}
