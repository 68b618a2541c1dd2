package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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

    /// How long those who were answered are given to ask again before the next transaction begins.
    /// Who waits for one answer before asking for the next would otherwise find the transaction just
    /// begun with the few that were quicker, and share a sync with half as many.
    private static final Duration GATHERING = Duration.ofNanos(50_000);

    /// How often another process's lock is tried again.
    private static final Duration LOCK_POLL = Duration.ofNanos(250_000);

    private final DatabaseFile file;
    private final Standing standing;
    private final Runnable committed;
    private final BlockingQueue<Request> waiting = new LinkedBlockingQueue<>(REQUESTS_WAITING_MAX);
    private final Thread thread;

    /// Used by the committer's thread alone. Absent after a failure, until it is needed again.
    private @Nullable Writer writer;

    /// Begins to commit.
    ///
    /// @param committed told after every transaction that changed something
    Committer(DatabaseFile file, Standing standing, Runnable committed) throws SQLException {
        this.file = file;
        this.standing = standing;
        this.committed = committed;
        this.writer = connect();
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
        try {
            // Ends when the store is closed or has failed.
            int expected = 0;
            while (standing.isOpen()) {
                gather(expected);
                expected = serve(waiting.take());
            }
        } catch (RuntimeException failure) {
            standing.fail("the committer ended", failure);
        } catch (InterruptedException interrupted) {
            standing.fail("the committer was interrupted", interrupted);
        } finally {
            disconnect();
            refuseWaiting();
        }
    }

    private Writer connect() throws SQLException {
        var connected = new Writer(file);
        connected.waitForNobody();
        return connected;
    }

    private Writer connected() throws SQLException {
        var present = writer;
        if (present == null) {
            present = connect();
            writer = present;
        }
        return present;
    }

    /// Gives up the transaction under way and the connection with it.
    private void disconnect() {
        var present = writer;
        writer = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException failure) {
                standing.fail("a connection could not be closed", failure);
            }
        }
    }

    /// Spins, since it is over before a thread would have slept and woken.
    private void gather(int expected) {
        long end = System.nanoTime() + GATHERING.toNanos();
        while (waiting.size() < expected && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /// Answers how many requests were served.
    private int serve(Request first) {
        try {
            if (begin(first)) {
                var requests = takeAll(first);
                write(connected(), requests);
                return requests.size();
            }
        } catch (SQLException failure) {
            disconnect();
            // Nothing was taken: only who waits for this one is told, the others try again.
            first.refuse(Failures.of(file.path(), failure));
        }
        return 0;
    }

    /// Whether the transaction began before the caller gave up or the store was closed.
    private boolean begin(Request first) throws SQLException {
        while (first.isWaiting()) {
            try {
                connected().begin();
                return true;
            } catch (SQLException failure) {
                if (!Failures.isLocked(failure)) {
                    disconnect();
                }
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

    private void write(Writer transaction, List<Request> requests) {
        List<Commit> commits;
        try {
            commits = apply(transaction, requests);
        } catch (SQLException failure) {
            refuse(requests, failure);
            return;
        }
        if (!commit(transaction, requests)) {
            return;
        }
        committed.run();
        for (int index = 0; index < requests.size(); index++) {
            requests.get(index).answer(commits.get(index));
        }
    }

    private static List<Commit> apply(Writer transaction, List<Request> requests)
            throws SQLException {
        var commits = new ArrayList<Commit>(requests.size());
        for (var request : requests) {
            commits.add(transaction.apply(request.steps()));
        }
        transaction.finish();
        return commits;
    }

    /// Whether the transaction is durable. If not, everybody was told. SQLite syncs nothing where all
    /// met conflicts and nothing was written.
    private boolean commit(Writer transaction, List<Request> requests) {
        try {
            transaction.commit();
            return true;
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
    }

    /// What was not committed is not there once its connection is closed.
    private void refuse(List<Request> requests, SQLException failure) {
        disconnect();
        var refusal = Failures.of(file.path(), failure);
        requests.forEach(request -> request.refuse(refusal));
    }

    private void refuseWaiting() {
        var left = new ArrayList<Request>();
        waiting.drainTo(left);
        left.forEach(request -> request.refuse(standing.refusal()));
    }
}
