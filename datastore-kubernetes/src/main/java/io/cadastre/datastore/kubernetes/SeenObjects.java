package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.resource.ObjectName;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The objects that were seen last, so that rewriting one need not read it first.
///
/// Nothing is believed of them: a rewriting carries the revision it was made from, and the server
/// refuses it if the object has changed.
final class SeenObjects {

    static final int OBJECTS_MAX = 1024;
    static final long BYTES_MAX = 16 << 20;

    /// Guards the fields below.
    private final ReentrantLock lock = new ReentrantLock();

    /// The one that was used last is the last.
    private final LinkedHashMap<ObjectName, Seen> objects = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    /// One object at one revision.
    record Seen(Bytes object, long revision) {}

    void remember(ObjectName name, Seen seen) {
        if (seen.object.size() > BYTES_MAX) {
            forget(name);
            return;
        }
        lock.lock();
        try {
            var before = Optional.ofNullable(objects.get(name));
            if (before.isPresent() && before.get().revision > seen.revision) {
                return;
            }
            before.ifPresent(old -> bytes -= old.object.size());
            objects.put(name, seen);
            bytes += seen.object.size();
            // Ends: each turn removes one.
            while (objects.size() > OBJECTS_MAX || bytes > BYTES_MAX) {
                bytes -= objects.pollFirstEntry().getValue().object.size();
            }
        } finally {
            lock.unlock();
        }
    }

    void forget(ObjectName name) {
        lock.lock();
        try {
            Optional.ofNullable(objects.remove(name)).ifPresent(old -> bytes -= old.object.size());
        } finally {
            lock.unlock();
        }
    }

    Optional<Seen> findAt(ObjectName name, long revision) {
        lock.lock();
        try {
            return Optional.ofNullable(objects.get(name)).filter(seen -> seen.revision == revision);
        } finally {
            lock.unlock();
        }
    }
}
