package io.cadastre.cni.runtime;

import io.cadastre.datastore.Deadline;
import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// When plugins may be called: one operation at a time for a container, and a GC alone.
///
/// It guards the callers of one runtime in one process; there is no lock between processes, as in
/// `libcni`.
final class ContainerLocks {

    private static final int STRIPES = 64;

    /// Held in common by the operations on containers, and alone by a GC. Fair, so that a GC gets its
    /// turn among many.
    private final ReentrantReadWriteLock all = new ReentrantReadWriteLock(true);

    /// Each guards the containers whose hash falls on it.
    private final List<ReentrantLock> containers =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toList();

    <T> T ofContainer(String containerId, Deadline deadline, Supplier<T> operation) {
        var stripe = containers.get(Math.floorMod(containerId.hashCode(), STRIPES));
        return holding(all.readLock(), deadline, () -> holding(stripe, deadline, operation));
    }

    void alone(Deadline deadline, Runnable operation) {
        holding(all.writeLock(), deadline, () -> {
            operation.run();
            return true;
        });
    }

    private static <T> T holding(Lock lock, Deadline deadline, Supplier<T> operation) {
        try {
            if (!lock.tryLock(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
                throw new CniException(CniCode.UNKNOWN, "another operation did not end before the deadline");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CniException(CniCode.UNKNOWN, "interrupted while waiting for its turn");
        }
        try {
            return operation.get();
        } finally {
            lock.unlock();
        }
    }
}
