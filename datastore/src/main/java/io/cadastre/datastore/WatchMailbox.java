package io.cadastre.datastore;

import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch.Notice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The notices of one watch between the messages they are read from and the caller that waits for them.
///
/// For stores whose server reports changes: the thread that waits in
/// [#next(java.time.Duration, Source)] does all the reading itself, and threads of a connection only
/// leave messages for it. So what is read needs no lock of its own, and nothing is read while no caller
/// waits.
public final class WatchMailbox {

    /// Held by the one thread that waits and reads; guards the notices and the end.
    private final ReentrantLock reading = new ReentrantLock();

    private final Deque<Notice> notices = new ArrayDeque<>();
    private Optional<Notice> end = Optional.empty();
    private volatile boolean closed;

    /// Where the messages of a watch come from. Only the thread that waits calls it.
    public interface Source {

        /// Ends the wait if the store was closed.
        ///
        /// @throws DatastoreException if it was
        void checkOpen();

        /// Waits for a message at most this long, and reads it if one comes: it is put into the mailbox
        /// as none, one or several notices, or as the end.
        ///
        /// @return whether a message was read. To say no early is allowed; it is asked again.
        boolean read(long nanosMax);

        /// What to report at the end of a wait without notices.
        ///
        /// @throws DatastoreException if nothing could have been reported
        Notice quiet();
    }

    /// Waits for what comes next, at most this long.
    public Notice next(Duration limit, Source source) {
        // A limit beyond any process's life must not overflow into the past.
        long until = System.nanoTime() + Math.min(limit.toNanos(), Long.MAX_VALUE / 4);
        reading.lock();
        try {
            // Ends: every turn reads a message, or spends some of the limit.
            while (true) {
                source.checkOpen();
                checkOpen();
                if (!notices.isEmpty()) {
                    return notices.removeFirst();
                }
                if (end.isPresent()) {
                    return end.get();
                }
                boolean read = source.read(until - System.nanoTime());
                if (!read && until - System.nanoTime() <= 0) {
                    return source.quiet();
                }
            }
        } finally {
            reading.unlock();
        }
    }

    /// Notices are reported in the order in which they are put here. Only [Source#read(long)] may call
    /// it.
    public void put(Notice notice) {
        notices.addLast(notice);
    }

    /// The last notice, which is repeated from then on. Only [Source#read(long)] may call it.
    public void end(Notice last) {
        end = Optional.of(last);
    }

    /// A waiting caller notices it as soon as the source stops waiting.
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    private void checkOpen() {
        if (closed) {
            throw new DatastoreException(Kind.CLOSED, "the watch was closed");
        }
    }
}
