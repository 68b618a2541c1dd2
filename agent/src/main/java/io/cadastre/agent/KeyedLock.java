package io.cadastre.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Serializes the work for one thing, such as a container, in the order of the requests. A DEL whose
/// runtime has given up waiting for an ADD must not overtake it: otherwise no later call would take back
/// the ADD's address.
public final class KeyedLock {

    /// Guards `latest`, and is held for a moment only.
    private final ReentrantLock lock = new ReentrantLock();

    /// The last turn of each thing that has any under way.
    private final Map<String, Hold> latest = new HashMap<>();

    /// Waits until all earlier turns of the thing are over.
    public Hold take(String name) {
        var mine = new Hold(name);
        Hold before;
        lock.lock();
        try {
            before = latest.put(name, mine);
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.over.join();
        }
        return mine;
    }

    /// The right to do something for a thing, until it is closed.
    public final class Hold implements AutoCloseable {

        private final String name;
        private final CompletableFuture<Boolean> over = new CompletableFuture<>();

        private Hold(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                latest.remove(name, this);
            } finally {
                lock.unlock();
            }
            over.complete(true);
        }
    }
}
