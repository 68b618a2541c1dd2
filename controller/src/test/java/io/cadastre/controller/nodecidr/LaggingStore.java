package io.cadastre.controller.nodecidr;

import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
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

/// A store whose watches fall behind, or break, when a test says so. It notes what was listed.
final class LaggingStore implements ForwardingDatastore {

    private final Datastore store;
    private final List<String> listed = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Guarded by the lock, as is what follows.
    private boolean lagging;

    private boolean listsShut;
    private String lostPrefix = "";
    private int lossesLeft;
    private Optional<String> deniedPrefix = Optional.empty();
    private int breaks;
    private int watches;

    LaggingStore(Datastore store) {
        this.store = store;
    }

    @Override
    public Datastore store() {
        return store;
    }

    /// Watches report nothing from now on.
    void lag() {
        lock.lock();
        try {
            lagging = true;
        } finally {
            lock.unlock();
        }
    }

    /// Watches report all that they held back.
    void catchUp() {
        lock.lock();
        try {
            lagging = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Watches end without having reported what they held back.
    void breakWatches() {
        lock.lock();
        try {
            breaks++;
            lagging = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// This many of the next commits below the prefix are not done, and not answered.
    void loseCommits(String prefix, int count) {
        lock.lock();
        try {
            lostPrefix = prefix;
            lossesLeft = count;
        } finally {
            lock.unlock();
        }
    }

    /// Commits below the prefix are refused until they no longer are.
    void denyCommits(String prefix, boolean deny) {
        lock.lock();
        try {
            deniedPrefix = deny ? Optional.of(prefix) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Commit commit(List<Write> writes) {
        var key = writes.getFirst().key();
        lock.lock();
        try {
            if (deniedPrefix.filter(key::startsWith).isPresent()) {
                throw new DatastoreException(DatastoreException.Kind.DENIED, "the server does not allow us to write");
            }
            if (lossesLeft > 0 && key.startsWith(lostPrefix)) {
                lossesLeft--;
                return new Commit.Unknown("the server did not answer");
            }
        } finally {
            lock.unlock();
        }
        return store.commit(writes);
    }

    /// Lists do not begin until they may.
    void shutLists() {
        lock.lock();
        try {
            listsShut = true;
        } finally {
            lock.unlock();
        }
    }

    void openLists() {
        lock.lock();
        try {
            listsShut = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The prefixes that were listed from their beginning.
    List<String> listed() {
        return listed;
    }

    @Override
    public Listing list(String prefix, int limit) {
        lock.lock();
        try {
            // Ends: the test lets lists begin.
            while (listsShut) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        listed.add(prefix);
        return store.list(prefix, limit);
    }

    @Override
    public Watch watch(String prefix, long after) {
        lock.lock();
        try {
            watches++;
            return new LaggingWatch(store.watch(prefix, after), breaks);
        } finally {
            lock.unlock();
        }
    }

    /// How many watches were begun. Each begins when its list is complete.
    int watches() {
        lock.lock();
        try {
            return watches;
        } finally {
            lock.unlock();
        }
    }

    private final class LaggingWatch implements Watch {

        private final Watch watch;
        private final int breaksBefore;

        LaggingWatch(Watch watch, int breaksBefore) {
            this.watch = watch;
            this.breaksBefore = breaksBefore;
        }

        @Override
        public Notice next(Duration limit) {
            var notice = watch.next(limit);
            lock.lock();
            try {
                // Ends: the test lets it catch up.
                while (lagging && notice instanceof Notice.Changed) {
                    changed.awaitUninterruptibly();
                }
                return breaks > breaksBefore ? new Notice.Compacted(0) : notice;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
