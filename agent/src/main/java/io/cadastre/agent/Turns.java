package io.cadastre.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Lets the calls for one container happen one after another, in the order in which they came. A DEL
/// whose runtime has given up waiting for an ADD must not overtake it, or the ADD's address would be
/// nobody's to take back.
final class Turns {

    /// Guards `latest`, and is held for a moment only.
    private final ReentrantLock lock = new ReentrantLock();

    /// The last turn of each container that has any under way.
    private final Map<String, Turn> latest = new HashMap<>();

    /// Waits until all earlier turns of the container are over.
    Turn take(String container) {
        var mine = new Turn(container);
        Turn before;
        lock.lock();
        try {
            before = latest.put(container, mine);
        } finally {
            lock.unlock();
        }
        if (before != null) {
            before.over.join();
        }
        return mine;
    }

    /// The right to do something for a container, until it is closed.
    final class Turn implements AutoCloseable {

        private final String container;
        private final CompletableFuture<Boolean> over = new CompletableFuture<>();

        private Turn(String container) {
            this.container = container;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                latest.remove(container, this);
            } finally {
                lock.unlock();
            }
            over.complete(true);
        }
    }
}
