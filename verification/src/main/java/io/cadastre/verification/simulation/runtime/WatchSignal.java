package io.cadastre.verification.simulation.runtime;

import io.cadastre.datastore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Wakes watchers when what they watch changes.
final class WatchSignal {

    private final SeededScheduler scheduler;
    private final List<Listener> listeners = new ArrayList<>();

    private record Listener(String prefix, Runnable heard, CompletableFuture<Boolean> woken) {}

    WatchSignal(SeededScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /// Waits until something under the prefix has changed, or until the limit has passed.
    ///
    /// @param heard runs as soon as something has changed, and not if nothing has
    void listen(String prefix, Duration limit, Runnable heard) {
        var listener = new Listener(prefix, heard, new CompletableFuture<>());
        listeners.add(listener);
        scheduler.await(listener.woken(), limit);
        listeners.remove(listener);
    }

    void ring(List<Write> writes) {
        for (var listener : List.copyOf(listeners)) {
            boolean concerned = writes.stream().anyMatch(write -> write.key().startsWith(listener.prefix()));
            if (concerned && !listener.woken().isDone()) {
                listener.heard().run();
                listener.woken().complete(true);
            }
        }
    }
}
