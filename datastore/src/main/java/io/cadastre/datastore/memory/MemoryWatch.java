package io.cadastre.datastore.memory;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Watch;
import java.time.Duration;
import java.util.Optional;

/// A place in the history, and what comes after it under a prefix. Its fields are guarded by the
/// lock of the contents.
final class MemoryWatch implements Watch {

    private final MemoryDatastore store;
    private final String prefix;
    private long told;
    private boolean closed;

    MemoryWatch(MemoryDatastore store, String prefix, long after) {
        this.store = store;
        this.prefix = prefix;
        this.told = after;
    }

    @Override
    public Notice next(Duration limit) {
        return store.locked(() -> await(limit));
    }

    @Override
    public void close() {
        var contents = store.contents();
        contents.lock.lock();
        try {
            closed = true;
            contents.changed.signalAll();
        } finally {
            contents.lock.unlock();
        }
    }

    private Notice await(Duration limit) {
        long nanosLeft = limit.toNanos();
        // Ends: every turn without a notice spends some of the limit.
        while (true) {
            store.checkOpen();
            if (closed) {
                throw new DatastoreException(Kind.CLOSED, "the watch is closed");
            }
            var notice = findNotice();
            if (notice.isPresent()) {
                return notice.get();
            }
            if (nanosLeft <= 0) {
                return new Notice.Quiet();
            }
            try {
                nanosLeft = store.contents().changed.awaitNanos(nanosLeft);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new DatastoreException(Kind.FAILED, "interrupted while watching", interrupted);
            }
        }
    }

    private Optional<Notice> findNotice() {
        var history = store.contents().history;
        if (told < history.oldest()) {
            return Optional.of(new Notice.Compacted(history.oldest()));
        }
        for (var commit : history.after(told).entrySet()) {
            told = commit.getKey();
            var changes = commit.getValue().stream()
                    .filter(change -> change.key().startsWith(prefix))
                    .toList();
            if (!changes.isEmpty()) {
                return Optional.of(new Notice.Changed(told, changes));
            }
        }
        return Optional.empty();
    }
}
