package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The one thread that writes documents.
///
/// Whatever was asked while it was busy goes into one transaction with one sync, and then everybody is
/// answered: the more callers, the more commits a sync carries. Requests are taken only when the
/// database is locked for writing, so that those whose time runs out before can be withdrawn and are
/// certain to have no effect.
final class Committer implements AutoCloseable {

    private static final int REQUESTS_WAITING_MAX = 10_000;

    /// A transaction ends when it has this many commits or bytes, which bounds how long the first one
    /// waits for the last.
    private static final int BATCH_REQUESTS_MAX = 1024;

    private static final long BATCH_BYTES_MAX = 8L << 20;

    /// How often another process's lock is tried again.
    private static final Duration LOCK_POLL = Duration.ofMillis(1);

    private final DatabaseFile file;
    private final Standing standing;
    private final Runnable committed;
    private final Writer writer;
    private final BlockingQueue<Request> waiting = new ArrayBlockingQueue<>(REQUESTS_WAITING_MAX);
    private final Thread thread;

    /// Begins to commit.
    ///
    /// @param committed told after every transaction that changed something
    Committer(DatabaseFile file, Standing standing, Runnable committed) throws SQLException {
        this.file = file;
        this.standing = standing;
        this.committed = committed;
        this.writer = new Writer(file);
        writer.waitForNobody();
        this.thread = Thread.ofPlatform().daemon().name("cadastre-committer").start(this::run);
    }

    Commit commit(Request request) {
        var limit = file.settings().callLimit();
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            if (!waiting.offer(request, limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new DatastoreException(
                        Kind.DEADLINE,
                        "%d commits were waiting for %s".formatted(REQUESTS_WAITING_MAX, limit));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(
                    Kind.FAILED, "interrupted before the commit was begun", interrupted);
        }
        if (!standing.isOpen()) {
            refuseWaiting();
        }
        return request.await(Duration.ofNanos(deadline - System.nanoTime()));
    }

    /// Lets the transaction under way end, as far as it does so in time. The store is closed already.
    @Override
    public void close() {
        // Ends the wait for requests; SQLite does not notice.
        thread.interrupt();
        try {
            thread.join(file.settings().callLimit());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (writer) {
            // Ends when the store is closed or has failed.
            while (standing.isOpen()) {
                serve(waiting.take());
            }
        } catch (SQLException | RuntimeException failure) {
            standing.fail("the committer ended", failure);
        } catch (InterruptedException interrupted) {
            standing.fail("the committer was interrupted", interrupted);
        } finally {
            refuseWaiting();
        }
    }

    private void serve(Request first) {
        try {
            if (begin(first)) {
                write(takeAll(first));
            }
        } catch (SQLException failure) {
            // Nothing was taken: only who waits for this one is told, the others try again.
            first.refuse(Failures.of(file.path(), failure));
        }
    }

    /// Whether the transaction began before the caller gave up or the store was closed.
    private boolean begin(Request first) throws SQLException {
        while (first.isWaiting()) {
            try {
                writer.begin();
                return true;
            } catch (SQLException failure) {
                if (!Failures.isBusy(failure)) {
                    throw failure;
                }
            }
            if (!standing.isOpen()) {
                first.refuse(standing.refusal());
                return false;
            }
            LockSupport.parkNanos(LOCK_POLL.toNanos());
        }
        return false;
    }

    private List<Request> takeAll(Request first) {
        var taken = new ArrayList<Request>();
        long bytes = 0;
        Request next = first;
        while (next != null) {
            if (next.take()) {
                taken.add(next);
                bytes += next.bytes();
            }
            next =
                    taken.size() < BATCH_REQUESTS_MAX && bytes < BATCH_BYTES_MAX
                            ? waiting.poll()
                            : null;
        }
        return taken;
    }

    private void write(List<Request> requests) {
        List<Commit> commits;
        try {
            commits = apply(requests);
        } catch (SQLException failure) {
            refuse(requests, failure);
            return;
        }
        if (commits.stream().noneMatch(Commit.Done.class::isInstance)) {
            // Nothing to write, and so nothing to sync.
            rollback();
        } else if (!commit(requests)) {
            return;
        }
        for (int index = 0; index < requests.size(); index++) {
            requests.get(index).answer(commits.get(index));
        }
    }

    private List<Commit> apply(List<Request> requests) throws SQLException {
        var commits = new ArrayList<Commit>(requests.size());
        for (var request : requests) {
            commits.add(writer.apply(request.steps()));
        }
        writer.finish();
        return commits;
    }

    /// Whether the transaction is durable. If not, everybody was told.
    private boolean commit(List<Request> requests) {
        try {
            writer.commit();
        } catch (SQLException failure) {
            if (Failures.isFull(failure)) {
                refuse(requests, failure);
            } else {
                var reason = "%s: a commit failed: %s".formatted(file.path(), failure.getMessage());
                standing.fail(reason, failure);
                requests.forEach(request -> request.answer(new Commit.Unknown(reason)));
            }
            return false;
        }
        committed.run();
        return true;
    }

    private void refuse(List<Request> requests, SQLException failure) {
        rollback();
        var refusal = Failures.of(file.path(), failure);
        requests.forEach(request -> request.refuse(refusal));
    }

    /// Without a rollback the next transaction could not begin; but what was not committed is not
    /// there, whatever becomes of this connection.
    private void rollback() {
        try {
            writer.rollback();
        } catch (SQLException failure) {
            standing.fail("a transaction could not be rolled back", failure);
        }
    }

    private void refuseWaiting() {
        var left = new ArrayList<Request>();
        waiting.drainTo(left);
        left.forEach(request -> request.refuse(standing.refusal()));
    }
}
