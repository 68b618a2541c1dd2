package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Combines the commits of this process: one caller at a time leads, and writes for all.
///
/// Whatever was asked while a leader was busy goes into one transaction with one sync, and then all
/// callers are answered: the more callers, the more commits a sync carries. A single caller leads
/// itself and waits for no other thread. Requests are taken only when the database is locked for
/// writing, so that those whose time runs out before can be withdrawn and are certain to have no
/// effect. The leader's own time is bounded up to that point; a disk that hangs in a sync blocks it as
/// it blocks every reader.
final class Committer implements AutoCloseable {

    private static final int REQUESTS_WAITING_MAX = 10_000;

    /// A transaction ends when it has this many commits or bytes, which bounds how long the first one
    /// waits for the last.
    private static final int BATCH_REQUESTS_MAX = 1024;

    private static final long BATCH_BYTES_MAX = 8L << 20;

    /// How long a transaction stays open for callers that the one before has answered to ask again. A
    /// caller that waits for one answer before it asks for the next would otherwise find the
    /// transaction just committed with the few that were quicker, and share a sync with half as many.
    private static final Duration GATHERING = Duration.ofNanos(100_000);

    /// How often another process's lock is tried again.
    private static final Duration LOCK_POLL = Duration.ofNanos(250_000);

    private static final String ENDED = "the committer ended";

    /// Called for every transaction, also for one in which all requests had conflicts.
    interface CommitListener {

        /// These requests were written in one transaction.
        ///
        /// @param before the newest revision when the transaction began
        /// @param newest the newest one now
        void committed(long before, long newest, List<QueuedCommit> requests);
    }

    private final DatabaseFile file;
    private final StoreState standing;
    private final CommitListener told;
    private final Queue<QueuedCommit> waiting = new ConcurrentLinkedQueue<>();

    /// How many more may wait.
    private final Semaphore places = new Semaphore(REQUESTS_WAITING_MAX);

    /// Held by the leader. It guards the fields below.
    private final Semaphore lead = new Semaphore(1);

    /// Absent until it is needed, and after a failure.
    private @Nullable DocumentWriter writer;

    /// How many requests the last transaction served.
    private int expected;

    Committer(DatabaseFile file, StoreState standing, CommitListener told) {
        this.file = file;
        this.standing = standing;
        this.told = told;
    }

    Commit commit(QueuedCommit request) {
        var limit = file.settings().callLimit();
        var deadline = Deadline.after(limit);
        takePlace(limit);
        try {
            waiting.add(request);
            if (!standing.isOpen()) {
                refuseWaiting();
            }
            // Ends since every turn either leads, which answers, or waits for at most the limit.
            while (!request.isEnded()) {
                request.heed();
                if (lead.tryAcquire()) {
                    lead(request, deadline);
                } else {
                    request.await(deadline);
                }
            }
        } finally {
            if (request.isWithdrawn()) {
                waiting.remove(request);
            }
            places.release();
            if (request.isCalled()) {
                callNext();
            }
        }
        return request.outcome();
    }

    /// Lets the transaction under way end, as far as it does so in time. The store is closed already.
    @Override
    public void close() {
        try {
            if (lead.tryAcquire(file.settings().callLimit().toNanos(), TimeUnit.NANOSECONDS)) {
                stepDown();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        refuseWaiting();
    }

    private void takePlace(Duration limit) {
        try {
            if (!places.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new DatastoreException(
                        Kind.DEADLINE, "%d commits were waiting for %s".formatted(REQUESTS_WAITING_MAX, limit));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted before the commit was begun", interrupted);
        }
    }

    /// Writes what is asked until the leader's own request has ended, and then lets another lead.
    private void lead(QueuedCommit own, Deadline deadline) {
        try {
            while (standing.isOpen() && !own.isEnded()) {
                expected = serve(own, deadline);
            }
        } catch (RuntimeException | Error failure) {
            // The requests that were taken have been answered, and the store serves nothing any more;
            // every later request gets the failure.
            standing.fail(ENDED, failure);
        } finally {
            stepDown();
        }
    }

    private void stepDown() {
        try {
            if (!standing.isOpen()) {
                disconnect();
            }
        } finally {
            lead.release();
            if (!standing.isOpen()) {
                refuseWaiting();
            }
            callNext();
        }
    }

    /// Calls a waiting caller to lead, since there is no leader. A caller that gives up after it was
    /// called calls the next, so a call is never lost.
    private void callNext() {
        for (var next = waiting.peek(); next != null && !next.call(); next = waiting.peek()) {
            // It was withdrawn; its place goes to the next.
            waiting.remove(next);
        }
    }

    private DocumentWriter connect() throws SQLException {
        var connected = new DocumentWriter(file, standing);
        connected.failAtOnceWhenBusy();
        return connected;
    }

    private DocumentWriter connected() throws SQLException {
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
            } catch (SQLException | RuntimeException failure) {
                standing.fail("a connection could not be closed", failure);
            }
        }
    }

    /// Returns how many requests were served.
    private int serve(QueuedCommit own, Deadline deadline) {
        try {
            if (begin(own, deadline)) {
                return write(connected());
            }
        } catch (SQLException failure) {
            disconnect();
            // Nothing was taken: only the leader gets the failure, the others try again.
            own.refuse(SqliteFailures.of(file.path(), failure));
        } catch (DatastoreException refusal) {
            disconnect();
            own.refuse(refusal);
        }
        return 0;
    }

    /// Whether the transaction began before the leader's time was up or the store was closed.
    private boolean begin(QueuedCommit own, Deadline deadline) throws SQLException {
        while (standing.isOpen() && !own.giveUp(deadline)) {
            try {
                connected().begin();
                return true;
            } catch (SQLException failure) {
                if (!SqliteFailures.isLocked(failure)) {
                    disconnect();
                }
                if (!SqliteFailures.isBusy(failure)) {
                    throw failure;
                }
            }
            LockSupport.parkNanos(LOCK_POLL.toNanos());
        }
        return false;
    }

    /// Returns how many requests were served.
    private int write(DocumentWriter transaction) {
        var requests = new ArrayList<QueuedCommit>();
        try {
            writeAndAnswer(transaction, requests);
            return requests.size();
        } catch (RuntimeException | Error failure) {
            standing.fail(ENDED, failure);
            requests.forEach(request -> request.answer(new Commit.Unknown(ENDED)));
            throw failure;
        }
    }

    /// @param requests gets those that are taken
    private void writeAndAnswer(DocumentWriter transaction, List<QueuedCommit> requests) {
        List<Commit> commits;
        try {
            commits = apply(transaction, requests);
        } catch (SQLException failure) {
            refuse(requests, SqliteFailures.of(file.path(), failure));
            return;
        } catch (DatastoreException refusal) {
            refuse(requests, refusal);
            return;
        }
        if (!commit(transaction, requests)) {
            return;
        }
        told.committed(transaction.before(), transaction.newest(), requests);
        for (int index = 0; index < requests.size(); index++) {
            requests.get(index).answer(commits.get(index));
        }
    }

    /// Takes what waits and what is asked meanwhile, until as many are there as were answered last or
    /// their time to ask again is over. Gives way instead of sleeping, since that is over before a
    /// thread would have slept and woken.
    @SuppressWarnings("ThreadPriorityCheck") // Only speed depends on it, and time bounds it.
    private List<Commit> apply(DocumentWriter transaction, List<QueuedCommit> taken) throws SQLException {
        var commits = new ArrayList<Commit>();
        long gathered = System.nanoTime() + GATHERING.toNanos();
        long bytes = 0;
        while (taken.size() < BATCH_REQUESTS_MAX && bytes < BATCH_BYTES_MAX) {
            var next = waiting.poll();
            if (next != null) {
                if (next.take()) {
                    taken.add(next);
                    bytes += next.bytes();
                    commits.add(apply(transaction, next));
                }
            } else if (taken.size() < expected && System.nanoTime() < gathered) {
                Thread.yield();
            } else {
                break;
            }
        }
        transaction.finish();
        return commits;
    }

    /// One whose records cannot be made is refused alone, and what it is answered later does not count.
    private static Commit apply(DocumentWriter transaction, QueuedCommit request) throws SQLException {
        try {
            return transaction.apply(request);
        } catch (DatastoreException refusal) {
            request.refuse(refusal);
            return new Commit.Unknown("refused");
        }
    }

    /// Whether the transaction is durable. If not, every caller was answered. SQLite syncs nothing
    /// where all requests had conflicts and nothing was written.
    private boolean commit(DocumentWriter transaction, List<QueuedCommit> requests) {
        try {
            transaction.commit();
            return true;
        } catch (SQLException failure) {
            if (SqliteFailures.isFull(failure)) {
                refuse(requests, SqliteFailures.of(file.path(), failure));
            } else {
                var reason = "%s: a commit failed: %s".formatted(file.path(), failure.getMessage());
                standing.fail(reason, failure);
                requests.forEach(request -> request.answer(new Commit.Unknown(reason)));
            }
            return false;
        }
    }

    /// What was not committed is not there once its connection is closed.
    private void refuse(List<QueuedCommit> requests, DatastoreException refusal) {
        disconnect();
        requests.forEach(request -> request.refuse(refusal));
    }

    private void refuseWaiting() {
        for (var left = waiting.poll(); left != null; left = waiting.poll()) {
            left.refuse(standing.refusal());
        }
    }
}
