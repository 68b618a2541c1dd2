package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/// A place in the log, and what comes after it under a prefix.
final class SqliteWatch implements Watch {

    private final Readers readers;
    private final ChangeSignal.Bell bell;
    private final StoreState standing;
    private final String prefix;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// Lets one caller at a time move the place; guards the fields below.
    private final ReentrantLock turn = new ReentrantLock();

    private final Queue<Notice.Changed> gathered = new ArrayDeque<>();
    private long through;

    SqliteWatch(Readers readers, ChangeSignal signal, StoreState standing, String prefix, long after) {
        this.readers = readers;
        this.bell = signal.openBell(prefix);
        this.standing = standing;
        this.prefix = prefix;
        this.through = after;
    }

    @Override
    public Notice next(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            if (!turn.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                checkOpen();
                return new Notice.Quiet();
            }
            try {
                return await(deadline - System.nanoTime());
            } finally {
                turn.unlock();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while watching", interrupted);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            bell.close();
        }
    }

    private Notice await(long limitNanos) throws InterruptedException {
        long left = limitNanos;
        // Ends: every turn without a notice spends some of the limit.
        while (true) {
            checkOpen();
            var notice = findNotice();
            if (notice.isPresent()) {
                return notice.get();
            }
            if (left <= 0) {
                return new Notice.Quiet();
            }
            left = bell.await(left);
        }
    }

    private Optional<Notice> findNotice() {
        if (gathered.isEmpty()) {
            var look = bell.look();
            through = Math.max(through, look.quietThrough());
            if (look.quiet()) {
                return Optional.empty();
            }
            switch (readers.read(reader -> reader.changes(prefix, through))) {
                case WatchChanges.Forgotten(long oldest) -> {
                    return Optional.of(new Notice.Compacted(oldest));
                }
                case WatchChanges.Changes changes -> {
                    gathered.addAll(changes.notices());
                    through = changes.through();
                    if (gathered.isEmpty()) {
                        bell.heed(look);
                    }
                }
            }
        }
        return Optional.ofNullable(gathered.poll());
    }

    private void checkOpen() {
        standing.check();
        if (closed.get()) {
            throw new DatastoreException(Kind.CLOSED, "the watch is closed");
        }
    }
}
