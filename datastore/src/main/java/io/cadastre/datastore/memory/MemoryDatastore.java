package io.cadastre.datastore.memory;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Journal;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.WriteRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A store that lasts as long as the process.
///
/// A commit is one transaction and its answer is never lost: a call that cannot begin in time does
/// nothing. The last ten thousand revisions are remembered.
public final class MemoryDatastore implements Datastore {

    private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

    private final Contents contents;
    private final Duration callLimit;

    /// Guarded by the lock of the contents.
    private boolean closed;

    public MemoryDatastore() {
        this(CALL_LIMIT);
    }

    public MemoryDatastore(Duration callLimit) {
        this(new Contents(), callLimit);
    }

    MemoryDatastore(Contents contents, Duration callLimit) {
        this.contents = contents;
        this.callLimit = callLimit;
    }

    /// Another handle on the same documents, as another process would have. Closing one does not
    /// close the other.
    public MemoryDatastore handle(Duration callLimitOfHandle) {
        return new MemoryDatastore(contents, callLimitOfHandle);
    }

    @Override
    public Optional<Document> get(String key) {
        WriteRules.checkKey(key);
        return locked(() -> contents.history.find(key));
    }

    @Override
    public Listing list(String prefix, int limit) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkLimit(limit);
        return locked(() -> contents.history.list(prefix, limit));
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        WriteRules.checkCursor(cursor);
        WriteRules.checkLimit(limit);
        return locked(() -> contents.history.list(cursor, limit));
    }

    @Override
    public Watch watch(String prefix, long after) {
        WriteRules.checkPrefix(prefix);
        WriteRules.checkRevision(after);
        return locked(() -> new MemoryWatch(this, prefix, after));
    }

    @Override
    public Commit commit(List<Write> writes) {
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        return locked(() -> {
            var commit = contents.history.commit(copy);
            contents.changed.signalAll();
            return commit;
        });
    }

    @Override
    public Optional<Journal> journal() {
        return Optional.of(contents.journal);
    }

    @Override
    public Commit commit(List<Write> writes, Records records) {
        var copy = List.copyOf(writes);
        WriteRules.checkWrites(copy);
        return locked(() -> {
            var conflict = contents.history.findConflict(copy);
            if (conflict.isPresent()) {
                return conflict.get();
            }
            long revision = contents.history.newest() + 1;
            contents.journal.append(last -> records.after(revision, last));
            var commit = contents.history.commit(copy);
            contents.changed.signalAll();
            return commit;
        });
    }

    /// Forgets what was superseded at or before this revision: older lists and watches report that.
    public void compact(long revision) {
        WriteRules.checkRevision(revision);
        locked(() -> {
            contents.history.compact(revision);
            contents.changed.signalAll();
            return revision;
        });
    }

    /// Waits for a call of another thread, which is short, and not for the call limit: closing has to
    /// happen.
    @Override
    public void close() {
        contents.lock.lock();
        try {
            closed = true;
            contents.changed.signalAll();
        } finally {
            contents.lock.unlock();
        }
    }

    Contents contents() {
        return contents;
    }

    <T> T locked(Supplier<T> call) {
        try {
            if (!contents.lock.tryLock(callLimit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new DatastoreException(Kind.DEADLINE, "the store in memory was busy for " + callLimit);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while waiting for the store", interrupted);
        }
        try {
            checkOpen();
            return call.get();
        } finally {
            contents.lock.unlock();
        }
    }

    void checkOpen() {
        if (closed) {
            throw new DatastoreException(Kind.CLOSED, "the store is closed");
        }
    }
}
