package io.cadastre.datastore.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Signals the watches of a store when to read the log.
///
/// Each watch has a bell. It rings at once for a commit of this store that wrote under the watch's
/// prefix, and for any commit of another process. Those are found by SQLite's `data_version`, a number
/// that changes when another connection commits; it is asked for only while there are watches. Commits
/// of this store change it too; they are recognised by the revisions they are known to have made.
final class ChangeSignal implements AutoCloseable {

    /// How soon a commit of another process is noticed.
    private static final Duration POLL = Duration.ofMillis(5);

    private final DatabaseFile file;
    private final StoreState standing;

    /// Guards the fields below and those of the bells.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition watchesChanged = lock.newCondition();
    private final List<Bell> bells = new ArrayList<>();
    private boolean polling;
    private @Nullable Thread poller;

    /// Every bell has rung that a commit up to this revision concerns.
    private long told = -1;

    ChangeSignal(DatabaseFile file, StoreState standing) {
        this.file = file;
        this.standing = standing;
    }

    /// What one watch waits for.
    final class Bell implements AutoCloseable {

        private final String prefix;
        private final Condition rang = lock.newCondition();
        private long rings = 1;
        private long heeded;
        private long quietThrough;

        private Bell(String prefix) {
            this.prefix = prefix;
        }

        /// How things stand. Ask before looking into the log.
        Look look() {
            lock.lock();
            try {
                return new Look(rings, rings == heeded, quietThrough);
            } finally {
                lock.unlock();
            }
        }

        /// There was nothing in the log beyond what had been reported.
        void heed(Look look) {
            lock.lock();
            try {
                heeded = look.rings();
                passed(told);
            } finally {
                lock.unlock();
            }
        }

        /// Waits until there is more than was heeded, and returns how much of the limit is left.
        long await(long limitNanos) throws InterruptedException {
            long left = limitNanos;
            lock.lock();
            try {
                while (rings == heeded && left > 0) {
                    left = rang.awaitNanos(left);
                }
                return left;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                bells.remove(this);
                ring();
                watchesChanged.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private void ring() {
            rings++;
            rang.signalAll();
        }

        private void passed(long revision) {
            if (rings == heeded) {
                quietThrough = Math.max(quietThrough, revision);
            }
        }
    }

    /// How things stand for a watch.
    ///
    /// @param quiet whether nothing happened that it has not looked for
    /// @param quietThrough what it has not looked for is later than this revision
    record Look(long rings, boolean quiet, long quietThrough) {}

    Bell openBell(String prefix) {
        lock.lock();
        try {
            var bell = new Bell(prefix);
            bells.add(bell);
            if (!polling) {
                polling = true;
                poller = Thread.ofPlatform().daemon().name("cadastre-signal").start(this::poll);
            }
            return bell;
        } finally {
            lock.unlock();
        }
    }

    /// This store has committed these requests, as [Committer.CommitListener] has it.
    void committed(long before, long newest, List<QueuedCommit> requests) {
        lock.lock();
        try {
            if (newest > told) {
                for (var bell : bells) {
                    if (before != told || concerns(bell, requests)) {
                        bell.ring();
                    } else {
                        bell.passed(newest);
                    }
                }
                told = newest;
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean concerns(Bell bell, List<QueuedCommit> requests) {
        for (var request : requests) {
            for (var step : request.steps()) {
                if (step.write().key().startsWith(bell.prefix)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Something happened that concerns every watch.
    void happened() {
        lock.lock();
        try {
            bells.forEach(Bell::ring);
            watchesChanged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes every watch, so that it sees that the store is closed, and waits for the polling to end, as
    /// far as it does so in time.
    @Override
    public void close() {
        happened();
        var last = poller();
        if (last != null) {
            try {
                last.join(file.settings().callLimit());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Thread poller() {
        lock.lock();
        try {
            return poller;
        } finally {
            lock.unlock();
        }
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

    /// Polls until there is no need to, or others stand in the way. Returns whether it was the latter.
    private boolean pollWhileConnected() throws SQLException, InterruptedException {
        try (var connection = file.connectToRead();
                var readVersion = connection.prepareStatement("PRAGMA data_version");
                var readHead = connection.prepareStatement(Head.QUERY)) {
            long seen = -1;
            do {
                long version = version(readVersion);
                if (version != seen) {
                    foundNewest(Head.read(readHead).newest());
                }
                seen = version;
            } while (pause());
            return false;
        } catch (SQLException failure) {
            if (!SqliteFailures.isBusy(failure)) {
                throw failure;
            }
            return true;
        }
    }

    private static long version(PreparedStatement query) throws SQLException {
        try (var rows = query.executeQuery()) {
            return rows.getLong(1);
        }
    }

    private void foundNewest(long newest) {
        lock.lock();
        try {
            if (newest > told) {
                bells.forEach(Bell::ring);
                told = newest;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether to go on after a while.
    private boolean pause() throws InterruptedException {
        lock.lock();
        try {
            long left = POLL.toNanos();
            while (left > 0 && !bells.isEmpty() && standing.isOpen()) {
                left = watchesChanged.awaitNanos(left);
            }
            polling = !bells.isEmpty() && standing.isOpen();
            return polling;
        } finally {
            lock.unlock();
        }
    }
}
