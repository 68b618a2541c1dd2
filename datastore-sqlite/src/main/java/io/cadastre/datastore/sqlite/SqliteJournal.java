package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.JournalRules;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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

    private final Path file;
    private final Standing standing;
    private final JournalTables tables;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("cadastre-journal").factory());

    private SqliteJournal(Path file, Standing standing, JournalTables tables) {
        this.file = file;
        this.standing = standing;
        this.tables = tables;
    }

    /// Opens the journal, and makes its file if it is absent.
    ///
    /// @throws DatastoreException as [SqliteDatastore#open(SqliteSettings)] does
    public static SqliteJournal open(SqliteSettings settings) {
        var file = DatabaseFile.prepare(settings);
        var standing = new Standing();
        try {
            return new SqliteJournal(
                    file.path(), standing, new JournalTables(file.connectToWrite(), standing));
        } catch (SQLException failure) {
            throw Failures.of(file.path(), failure);
        }
    }

    @Override
    public void append(Function<Optional<Entry>, List<Draft>> next) {
        call(
                () -> {
                    tables.append(next);
                    return List.of();
                });
    }

    @Override
    public List<Entry> read(long from, int limit) {
        JournalRules.checkPage(from, limit);
        return call(() -> tables.read(from, limit));
    }

    @Override
    public List<Entry> find(Query query, long from, int limit) {
        JournalRules.checkQuery(query);
        JournalRules.checkPage(from, limit);
        return call(() -> tables.find(query, from, limit));
    }

    /// Waits for the calls that were made before.
    @Override
    public void close() {
        if (standing.close()) {
            await(
                    thread.submit(
                            () -> {
                                tables.close();
                                return file;
                            }));
            thread.shutdown();
        }
    }

    private <T> T call(Callable<T> call) {
        standing.check();
        try {
            return await(
                    thread.submit(
                            () -> {
                                standing.check();
                                return call.call();
                            }));
        } catch (RejectedExecutionException shut) {
            throw new DatastoreException(Kind.CLOSED, "the journal is closed", shut);
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
            return Failures.of(file, refused);
        }
        if (failure.getCause() instanceof RuntimeException thrown) {
            return thrown;
        }
        return new IllegalStateException(failure);
    }
}
