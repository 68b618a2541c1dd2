package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The threads and connections that read.
///
/// SQLite's calls are native and may wait for locks. On threads of their own they neither hold up the
/// carriers of virtual threads nor keep a caller longer than its limit.
final class Readers implements AutoCloseable {

    private static final int READERS_MAX = 4;
    private static final int READS_WAITING_MAX = 10_000;

    /// Something to be read.
    interface Read<T> {
        T from(DocumentReader reader) throws SQLException;
    }

    private final DatabaseFile file;
    private final StoreState standing;
    private final ThreadPoolExecutor threads;

    /// Connections that are not in use; guarded by itself.
    private final ArrayDeque<DocumentReader> idle = new ArrayDeque<>();

    Readers(DatabaseFile file, StoreState standing) {
        this.file = file;
        this.standing = standing;
        this.threads = new ThreadPoolExecutor(
                READERS_MAX,
                READERS_MAX,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(READS_WAITING_MAX),
                Thread.ofPlatform().daemon().name("cadastre-reader-", 1).factory());
    }

    <T> T read(Read<T> read) {
        standing.check();
        var limit = file.settings().callLimit();
        var future = submit(read);
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            throw failureOf(failure);
        } catch (CancellationException _) {
            throw standing.refusal();
        } catch (TimeoutException late) {
            future.cancel(false);
            throw new DatastoreException(
                    Kind.DEADLINE, "%s did not answer within %s".formatted(file.path(), limit), late);
        } catch (InterruptedException interrupted) {
            future.cancel(false);
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while reading", interrupted);
        }
    }

    /// Cancels what was not begun and waits for the rest, as far as it ends in time.
    @Override
    public void close() {
        for (var unbegun : threads.shutdownNow()) {
            ((FutureTask<?>) unbegun).cancel(false);
        }
        try {
            threads.awaitTermination(file.settings().callLimit().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        closeIdle();
    }

    private <T> Future<T> submit(Read<T> read) {
        try {
            return threads.submit(() -> run(read));
        } catch (RejectedExecutionException full) {
            standing.check();
            throw new DatastoreException(Kind.DEADLINE, "%d reads are waiting".formatted(READS_WAITING_MAX), full);
        }
    }

    private <T> T run(Read<T> read) throws SQLException {
        file.requireInPlace(standing);
        var reader = lend();
        try {
            var answer = read.from(reader);
            // What was read counts only if it was read where others write.
            file.requireInPlace(standing);
            giveBack(reader);
            return answer;
        } catch (SQLException | RuntimeException failure) {
            // The driver does away with a statement that failed, so the connection is used up.
            reader.close();
            throw failure;
        }
    }

    /// There are as many connections as threads, so none is waited for.
    private DocumentReader lend() throws SQLException {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
        }
        return new DocumentReader(file);
    }

    private void giveBack(DocumentReader reader) {
        synchronized (idle) {
            idle.push(reader);
        }
        if (!standing.isOpen()) {
            closeIdle();
        }
    }

    private void closeIdle() {
        List<DocumentReader> left;
        synchronized (idle) {
            left = new ArrayList<>(idle);
            idle.clear();
        }
        left.forEach(DocumentReader::close);
    }

    private RuntimeException failureOf(ExecutionException failure) {
        if (failure.getCause() instanceof SQLException refused) {
            return SqliteFailures.of(file.path(), refused);
        }
        if (failure.getCause() instanceof RuntimeException thrown) {
            return thrown;
        }
        return new IllegalStateException(failure);
    }
}
