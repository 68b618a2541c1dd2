package io.cadastre.cli.run;

import java.util.concurrent.CountDownLatch;

/// Waits for the signal to stop, and keeps the process alive until everything is closed.
final class StopSignal implements AutoCloseable {

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook = Thread.ofPlatform().unstarted(() -> {
        asked.countDown();
        awaitQuietly(over);
    });

    static StopSignal begin() {
        var signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /// Waits until the process is asked to stop, or this thread is interrupted.
    void await() {
        awaitQuietly(asked);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        if (asked.getCount() > 0) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // Then it has been of use.
            }
        }
    }
}
