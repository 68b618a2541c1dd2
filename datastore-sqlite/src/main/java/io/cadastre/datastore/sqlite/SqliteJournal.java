package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/// A journal in an SQLite file, its own or that of a store, which several processes may append to at
/// once.
///
/// All calls run on one thread of the journal, since SQLite's are native and would hold up the carrier
/// of a virtual thread. They wait as long as they have to; what bounds them is the limit on waiting for
/// another process's lock.
public final class SqliteJournal implements Journal {

    private interface Work<T> {
        T on(JournalTables tables) throws SQLException;
    }

    private final DatabaseFile file;
    private final Standing standing = new Standing();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("cadastre-journal").factory());

    /// Used by the journal's thread alone. Absent after a failure, until it is needed again.
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

    /// Waits for the calls that were made before.
    @Override
    public void close() {
        if (standing.close()) {
            await(
                    thread.submit(
                            () -> {
                                disconnect();
                                return file;
                            }));
            thread.shutdown();
        }
    }

    private <T> T call(Work<T> work) {
        standing.check();
        try {
            return await(thread.submit(() -> run(work)));
        } catch (RejectedExecutionException shut) {
            throw new DatastoreException(Kind.CLOSED, "the journal is closed", shut);
        }
    }

    private <T> T run(Work<T> work) throws SQLException {
        standing.check();
        try {
            return work.on(connected());
        } catch (SQLException | RuntimeException failure) {
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

    private <T> T await(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            throw failureOf(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(
                    Kind.FAILED, "interrupted while the journal was at work", interrupted);
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
