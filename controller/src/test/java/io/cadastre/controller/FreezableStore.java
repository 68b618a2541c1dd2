package io.cadastre.controller;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.ForwardingDatastore;
import io.cadastre.datastore.Listing;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A store as seen by one process, which can be stopped: then no call of its goes on until it is
/// continued. It notes what was listed and committed.
final class FreezableStore implements ForwardingDatastore {

    private final Datastore store;
    private final List<String> committed = new CopyOnWriteArrayList<>();
    private final List<String> listed = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Guarded by the lock.
    private boolean frozen;

    /// Freezes as soon as something under this prefix is to be committed; empty if it does not. Guarded
    /// by the lock.
    private String trap = "";

    FreezableStore(Datastore store) {
        this.store = store;
    }

    void freeze() {
        lock.lock();
        try {
            frozen = true;
        } finally {
            lock.unlock();
        }
    }

    void freezeAtCommitUnder(String prefix) {
        lock.lock();
        try {
            trap = prefix;
        } finally {
            lock.unlock();
        }
    }

    boolean frozen() {
        lock.lock();
        try {
            return frozen;
        } finally {
            lock.unlock();
        }
    }

    void thaw() {
        lock.lock();
        try {
            frozen = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The keys that were written, in order.
    List<String> committed() {
        return committed;
    }

    /// The prefixes that were listed from their beginning, in order.
    List<String> listed() {
        return listed;
    }

    private void pass() {
        lock.lock();
        try {
            while (frozen) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Document> get(String key) {
        pass();
        var found = store.get(key);
        pass();
        return found;
    }

    @Override
    public Listing list(String prefix, int limit) {
        pass();
        listed.add(prefix);
        return store.list(prefix, limit);
    }

    @Override
    public Listing list(Listing.Cursor cursor, int limit) {
        pass();
        return store.list(cursor, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        pass();
        var watch = store.watch(prefix, after);
        return new Watch() {
            @Override
            public Notice next(Duration limit) {
                pass();
                var notice = watch.next(limit);
                pass();
                return notice;
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    @Override
    public Commit commit(List<Write> writes) {
        lock.lock();
        try {
            if (!trap.isEmpty() && writes.stream().anyMatch(write -> write.key().startsWith(trap))) {
                trap = "";
                frozen = true;
            }
        } finally {
            lock.unlock();
        }
        pass();
        var commit = store.commit(writes);
        if (commit instanceof Commit.Done) {
            writes.forEach(write -> committed.add(write.key()));
        }
        return commit;
    }

    @Override
    public Datastore store() {
        return store;
    }
}
