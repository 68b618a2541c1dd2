package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
    private final StoreState standing = new StoreState();

    /// Held by the thread that uses the connection. It guards the field below.
    private final Semaphore turn = new Semaphore(1, true);

    /// Absent until it is needed, and after a failure.
    private @Nullable JournalTables tables;

    private SqliteJournal(DatabaseFile file) {
        this.file = file;
    }

    /// The journal of a store that is open. It connects when it is first used.
    static SqliteJournal beside(DatabaseFile file) {
        return new SqliteJournal(file);
    }

    /// Opens the journal, and makes its file if it is absent.
    ///
    /// @throws DatastoreException as [SqliteDatastore#open(SqliteSettings)] does
    public static SqliteJournal open(SqliteSettings settings) {
        return new SqliteJournal(DatabaseFile.prepare(settings));
    }

    /// Opens the journal to be read only, also where nothing can be written. It is empty if there is no
    /// file, and nothing was promised of one.
    ///
    /// @throws DatastoreException as [SqliteDatastore#openToRead(SqliteSettings)] does
    public static Optional<SqliteJournal> openToRead(SqliteSettings settings) {
        return DatabaseFile.look(settings).map(SqliteJournal::new);
    }

    /// Opens the journal of a store to be read only, which is in a file of its own if the store is of the
    /// first schema.
    ///
    /// @throws DatastoreException as [SqliteDatastore#openToRead(SqliteSettings)] does
    public static Optional<SqliteJournal> openToRead(SqliteSettings store, Path former) {
        return journalOf(DatabaseFile.look(store), former);
    }

    /// Opens the journal to be written although more was promised of it than it has, as
    /// [SqliteDatastore#openToAdopt(SqliteSettings)] does.
    public static SqliteJournal openToAdopt(SqliteSettings settings) {
        return new SqliteJournal(DatabaseFile.adopt(settings, List.of()));
    }

    /// Opens the journal to be read only, whatever was promised of it.
    ///
    /// @throws DatastoreException as [SqliteDatastore#lookToAdopt(SqliteSettings)] does
    public static Optional<SqliteJournal> lookToAdopt(SqliteSettings settings) {
        return DatabaseFile.lookToAdopt(settings).map(SqliteJournal::new);
    }

    /// Opens the journal of a store to be read only, whatever was promised of the store.
    ///
    /// @throws DatastoreException as [SqliteDatastore#lookToAdopt(SqliteSettings)] does
    public static Optional<SqliteJournal> lookToAdopt(SqliteSettings store, Path former) {
        return journalOf(DatabaseFile.lookToAdopt(store), former);
    }

    private static Optional<SqliteJournal> journalOf(Optional<DatabaseFile> store, Path former) {
        var inStore = store.filter(found -> !found.isOld());
        return inStore.or(() -> JournalImport.find(former)).or(() -> store).map(SqliteJournal::new);
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        inTurn(deadline -> {
            var begun = begin(deadline);
            begun.append(next);
            return begun;
        });
    }

    @Override
    public void cut(Function<Look, Optional<Cut>> work) {
        inTurn(deadline -> {
            var begun = begin(deadline);
            begun.cut(work);
            return begun;
        });
    }

    private JournalTables begin(Deadline deadline) throws SQLException {
        return patiently(deadline, present -> {
            present.begin();
            return present;
        });
    }

    @Override
    public <T> T look(Function<Look, T> work) {
        return inTurn(deadline -> patiently(deadline, present -> present.look(work)));
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return inPlace(deadline -> patiently(deadline, present -> present.read(from, limit)));
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return inPlace(deadline -> patiently(deadline, present -> present.find(query, from, limit)));
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
            file.close();
        }
    }

    private Duration limit() {
        return file.settings().callLimit();
    }

    private <T> T inPlace(Call<T> call) {
        var answer = inTurn(call);
        file.requireInPlace(standing);
        return answer;
    }

    private <T> T inTurn(Call<T> call) {
        standing.check();
        var deadline = Deadline.after(limit());
        takeTurn(deadline);
        try {
            standing.check();
            return call.before(deadline);
        } catch (SQLException failure) {
            disconnect();
            throw SqliteFailures.of(file.path(), failure);
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
                    "interrupted while waiting for %s; the call was not begun and has no effect".formatted(file.path()),
                    interrupted);
        }
    }

    /// Ends the turn. The thread that closed the journal may have gone without waiting for it.
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
                if (!SqliteFailures.isLocked(failure)) {
                    disconnect();
                }
                if (!SqliteFailures.isBusy(failure) || deadline.leftNanos() <= 0) {
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
