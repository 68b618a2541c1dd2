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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/// A journal in an SQLite file, its own or that of a store, which several processes may append to at
/// once.
///
/// All calls run on one thread of the journal, since SQLite's are native and would hold up the carrier
/// of a virtual thread. A caller waits for it as long as the settings say. One that gives up, because its
/// time is over or it was interrupted, is told whether its call had been begun: an append that had not
/// been is withdrawn and certainly leaves nothing, one that had been may be there or not.
public final class SqliteJournal implements Journal {

    private interface Work<T> {
        T on(JournalTables tables) throws SQLException;
    }

    private static final int CALLS_WAITING_MAX = 10_000;

    private final DatabaseFile file;
    private final Standing standing = new Standing();
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(CALLS_WAITING_MAX),
                    Thread.ofPlatform().daemon().name("cadastre-journal").factory());

    /// Used by the journal's thread alone, and by whoever closes the journal once that has ended. Absent
    /// after a failure, until it is needed again.
    private @Nullable JournalTables tables;

    private SqliteJournal(DatabaseFile file) throws SQLException {
        this.file = file;
        this.tables = new JournalTables(file, standing);
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
        call(
                present -> {
                    present.append(next);
                    return present;
                });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return call(present -> present.read(from, limit));
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return call(present -> present.find(query, from, limit));
    }

    /// Refuses the calls that were not begun and lets the one under way end, as far as it does so in time.
    @Override
    public void close() {
        if (standing.close()) {
            thread.shutdown();
            try {
                if (thread.awaitTermination(limit().toNanos(), TimeUnit.NANOSECONDS)) {
                    disconnect();
                }
            } catch (SQLException failure) {
                throw Failures.of(file.path(), failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Duration limit() {
        return file.settings().callLimit();
    }

    private <T> T call(Work<T> work) {
        standing.check();
        var claimed = new AtomicBoolean();
        var future = submit(work, claimed);
        try {
            return future.get(limit().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw failureOf(failure);
        } catch (TimeoutException late) {
            var words = "%s did not answer within %s".formatted(file.path(), limit());
            throw givenUp(Kind.DEADLINE, words, claimed, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            var words = "interrupted while waiting for %s".formatted(file.path());
            throw givenUp(Kind.FAILED, words, claimed, interrupted);
        }
    }

    /// Whoever claims the call first has it: the journal's thread to run it, or the caller to withdraw it.
    private static DatastoreException givenUp(
            Kind kind, String words, AtomicBoolean claimed, Exception cause) {
        var effect =
                claimed.compareAndSet(false, true)
                        ? "the call was not begun and has no effect"
                        : "the call was begun, and what it appends may be there or not";
        return new DatastoreException(kind, words + "; " + effect, cause);
    }

    private <T> Future<T> submit(Work<T> work, AtomicBoolean claimed) {
        try {
            return thread.submit(
                    () -> {
                        if (!claimed.compareAndSet(false, true)) {
                            throw new CancellationException("nobody waits for this call");
                        }
                        return run(work);
                    });
        } catch (RejectedExecutionException full) {
            standing.check();
            throw new DatastoreException(
                    Kind.DEADLINE, "%d calls are waiting".formatted(CALLS_WAITING_MAX), full);
        }
    }

    private <T> T run(Work<T> work) throws SQLException {
        standing.check();
        try {
            var answer = work.on(connected());
            if (!standing.isOpen()) {
                // Who closed the journal may have gone without waiting for this.
                disconnect();
            }
            return answer;
        } catch (SQLException | RuntimeException | Error failure) {
            disconnect();
            throw failure;
        }
    }

    private JournalTables connected() throws SQLException {
        var present = tables;
        if (present == null) {
            present = new JournalTables(file, standing);
            tables = present;
        }
        return present;
    }

    private void disconnect() throws SQLException {
        var present = tables;
        tables = null;
        if (present != null) {
            present.close();
        }
    }

    private RuntimeException failureOf(ExecutionException failure) {
        if (failure.getCause() instanceof SQLException refused) {
            return Failures.of(file.path(), refused);
        }
        if (failure.getCause() instanceof RuntimeException thrown) {
            return thrown;
        }
        return new IllegalStateException(failure);
    }
}
