package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A bucket of permits that fills at a steady rate. A caller that finds it empty takes a future permit
/// and waits for it, so that permits are given in the order they were asked for.
final class Limiter {

    private final double nanosPerPermit;
    private final double burst;

    /// Guards the fields below.
    private final ReentrantLock lock = new ReentrantLock();

    private double permits;
    private long filledNanos;

    Limiter(Rate rate, long nowNanos) {
        this.nanosPerPermit = (double) TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
        this.burst = rate.burst();
        this.permits = rate.burst();
        this.filledNanos = nowNanos;
    }

    /// Takes a permit, unless it would come later than this many nanoseconds from now.
    ///
    /// @return how long to wait before using it, or how much too late it would come
    Permit take(long nowNanos, long nanosMax) {
        lock.lock();
        try {
            permits = Math.min(burst, permits + (nowNanos - filledNanos) / nanosPerPermit);
            filledNanos = nowNanos;
            long waitNanos = permits >= 1 ? 0 : (long) Math.ceil((1 - permits) * nanosPerPermit);
            if (waitNanos > nanosMax) {
                return new Permit.TooLate();
            }
            permits -= 1;
            return new Permit.After(waitNanos);
        } finally {
            lock.unlock();
        }
    }

    /// Leave to send one request.
    sealed interface Permit {

        record After(long nanos) implements Permit {}

        record TooLate() implements Permit {}
    }
}
