package io.cadastre.agent.net;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Work for which the kernel may need time: it deletes a link only when it is not used any more.
final class KernelWork {

    private KernelWork() {}

    /// Does the work, and waits for it up to the limit. Work that takes longer goes on, since the kernel
    /// cannot be stopped; the caller is asked to try again.
    ///
    /// @param late the message for the caller
    /// @throws CniException if it takes longer, or as the work fails
    static void within(Duration limit, String late, Runnable work) {
        var done = new CompletableFuture<Boolean>();
        // A thread of the system's own: the kernel would keep a shared one.
        Thread.ofPlatform().daemon().name("kernel-work").start(() -> {
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
