package io.cadastre.registry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// How a thread waits. Real time outside, simulated time in the simulator.
@FunctionalInterface
public interface Pause {

    void pause(Duration duration) throws InterruptedException;

    /// Waits until the event is complete, or for this long.
    default void await(CompletableFuture<?> event, Duration limit) throws InterruptedException {
        try {
            event.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // The caller checks what has changed.
        }
    }
}
