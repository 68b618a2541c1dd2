package io.cadastre.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Lets what is done for one thing, such as a container, happen one after another, in the order in which
/// it was asked for. A DEL whose runtime has given up waiting for an ADD must not overtake it, or the ADD's
/// address would be nobody's to take back.
public final class Turns {

    /// Guards `latest`, and is held for a moment only.
    private final ReentrantLock lock = new ReentrantLock();

    /// The last turn of each thing that has any under way.
    private final Map<String, Turn> latest = new HashMap<>();

    /// Waits until all earlier turns of the thing are over.
    public Turn take(String name) {
        var mine = new Turn(name);
        Turn before;
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
    public final class Turn implements AutoCloseable {

        private final String name;
        private final CompletableFuture<Boolean> over = new CompletableFuture<>();

        private Turn(String name) {
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
