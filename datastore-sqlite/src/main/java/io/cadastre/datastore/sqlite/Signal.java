package io.cadastre.datastore.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Tells the watches of a store when to look into the log.
///
/// Commits of this store are told at once. Those of other processes are found by SQLite's
/// `data_version`, a number that changes when another connection commits; it is asked for only while
/// there are watches.
final class Signal implements AutoCloseable {

    /// How soon a commit of another process is noticed.
    private static final Duration POLL = Duration.ofMillis(5);

    private final DatabaseFile file;
    private final Standing standing;

    /// Guards the fields below and says when they changed.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private long count;
    private int watches;
    private boolean polling;

    Signal(DatabaseFile file, Standing standing) {
        this.file = file;
        this.standing = standing;
    }

    /// How often something happened. Ask before looking into the log, and then wait for more.
    long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    void happened() {
        lock.lock();
        try {
            count++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until more than this happened, and answers how much of the limit is left.
    long await(long counted, long limitNanos) throws InterruptedException {
        long left = limitNanos;
        lock.lock();
        try {
            while (count == counted && left > 0) {
                left = changed.awaitNanos(left);
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    void watchOpened() {
        lock.lock();
        try {
            watches++;
            if (!polling) {
                polling = true;
                Thread.ofPlatform().daemon().name("cadastre-signal").start(this::poll);
            }
        } finally {
            lock.unlock();
        }
    }

    void watchClosed() {
        lock.lock();
        try {
            watches--;
            count++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes every watch, so that it sees that the store is closed, and lets the polling end.
    @Override
    public void close() {
        happened();
    }

    private void poll() {
        try {
            // Ends when there are no watches, or the store is closed.
            while (pollWhileConnected() && pause()) {
                // Others stood in the way; they will be gone after a while.
            }
        } catch (SQLException | RuntimeException failure) {
            standing.fail("changes of other processes cannot be seen", failure);
            happened();
        } catch (InterruptedException interrupted) {
            standing.fail("the signal was interrupted", interrupted);
        }
    }

    /// Polls until there is no need to, or others stand in the way. Answers whether it was the latter.
    private boolean pollWhileConnected() throws SQLException, InterruptedException {
        try (var connection = file.connectToRead();
                var query = connection.prepareStatement("PRAGMA data_version")) {
            long seen = -1;
            do {
                long version;
                try (var rows = query.executeQuery()) {
                    version = rows.getLong(1);
                }
                // The first answer is news too: nobody knows what happened before it.
                if (version != seen) {
                    happened();
                }
                seen = version;
            } while (pause());
            return false;
        } catch (SQLException failure) {
            if (!Failures.isBusy(failure)) {
                throw failure;
            }
            return true;
        }
    }

    /// Whether to go on after a while.
    private boolean pause() throws InterruptedException {
        lock.lock();
        try {
            long left = POLL.toNanos();
            while (left > 0 && watches > 0 && standing.isOpen()) {
                left = changed.awaitNanos(left);
            }
            polling = watches > 0 && standing.isOpen();
            return polling;
        } finally {
            lock.unlock();
        }
    }
}
