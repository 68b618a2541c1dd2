package io.cadastre.agent.spiderpool;

import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Document;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Documents as they were read at most a moment ago. For facts that change rarely and may be out of date for as long:
/// the labels of a Node, by which pools are chosen, and not whether an address is free.
final class RecentDocuments implements PodRecords.DocumentLookup {

    private static final Duration KEPT_MAX = Duration.ofSeconds(10);

    /// An agent asks for its own Node; others are those of Pods that were moved.
    private static final int DOCUMENTS_MAX = 16;

    private final Datastore store;
    private final InstantSource clock;

    /// Guards the documents, and is not held while one is read.
    private final ReentrantLock lock = new ReentrantLock();

    /// By key, oldest first.
    private final Map<String, Recent> recent = new LinkedHashMap<>();

    /// How many were read so far.
    private long readings;

    /// @param reading its number
    private record Recent(long reading, Instant until, Optional<Document> found) {}

    RecentDocuments(Datastore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Optional<Document> find(String key) {
        var now = clock.instant();
        var known = known(key);
        if (known.filter(one -> now.isBefore(one.until())).isPresent()) {
            return known.get().found();
        }
        var found = store.get(key);
        note(key, now, found);
        return found;
    }

    /// How many were read so far.
    long readings() {
        lock.lock();
        try {
            return readings;
        } finally {
            lock.unlock();
        }
    }

    /// Forgets those that were read up to then.
    void forgetReadUpTo(long reading) {
        lock.lock();
        try {
            recent.values().removeIf(one -> one.reading() <= reading);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Recent> known(String key) {
        lock.lock();
        try {
            return Optional.ofNullable(recent.get(key));
        } finally {
            lock.unlock();
        }
    }

    private void note(String key, Instant now, Optional<Document> found) {
        lock.lock();
        try {
            readings++;
            recent.remove(key);
            if (recent.size() >= DOCUMENTS_MAX) {
                recent.remove(recent.keySet().iterator().next());
            }
            recent.put(key, new Recent(readings, now.plus(KEPT_MAX), found));
        } finally {
            lock.unlock();
        }
    }
}
