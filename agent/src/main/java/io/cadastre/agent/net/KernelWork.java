package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// What the kernel may take its time for: it deletes a link only when nobody uses it any more.
final class KernelWork {

    private KernelWork() {}

    /// Does the work, and waits for it so long. What takes longer goes on, since the kernel cannot be
    /// stopped; whoever asked is told to ask again.
    ///
    /// @param late what he is told
    /// @throws CniException if it takes longer, or as the work fails
    static void within(Duration limit, String late, Runnable work) {
        var done = new CompletableFuture<Boolean>();
        // A thread of the system's own: the kernel would keep a shared one.
        Thread.ofPlatform()
                .daemon()
                .name("kernel-work")
                .start(
                        () -> {
                            try {
                                work.run();
                                done.complete(true);
                            } catch (RuntimeException | Error failure) {
                                done.completeExceptionally(failure);
                            }
                        });
        try {
            done.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new CniException(CniCode.TRY_AGAIN_LATER, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CniException(CniCode.TRY_AGAIN_LATER, "stopped while the kernel was busy");
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(failed);
            }
        }
    }
}
