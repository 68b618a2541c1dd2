package io.cadastre.agent;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Counts the callers that are served and those that wait, and rejects callers above the limit.
///
/// Calls that start programs have their own places: such a program may call this agent, and would wait for
/// a place forever if the calls that started the programs had taken them all.
final class Admission {

    private final int callersMax;

    /// First come, first served.
    private final Semaphore underWay;

    private final Semaphore outerUnderWay;

    /// Guards `callers` and `outerCallers`, and is held for a moment only.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition emptied = lock.newCondition();

    /// Those whose calls start no programs, or are not read yet.
    private int callers;

    /// Those whose calls start programs.
    private int outerCallers;

    /// Both limits are those of each kind of call.
    Admission(int underWayMax, int waitingMax) {
        callersMax = underWayMax + waitingMax;
        underWay = new Semaphore(underWayMax, true);
        outerUnderWay = new Semaphore(underWayMax, true);
    }

    /// Waits for a place among those that are served; empty if too many wait.
    Optional<Place> enter() {
        lock.lock();
        try {
            if (callers >= callersMax) {
                return Optional.empty();
            }
            callers++;
        } finally {
            lock.unlock();
        }
        underWay.acquireUninterruptibly();
        return Optional.of(new Place());
    }

    /// The right of a caller to be served, until it is closed.
    final class Place implements AutoCloseable {

        private boolean outer;

        private Place() {}

        /// Waits for a place among the calls that start programs, in exchange for this one. Returns whether
        /// there was room.
        boolean moveOut() {
            lock.lock();
            try {
                if (outerCallers >= callersMax) {
                    return false;
                }
                outerCallers++;
                callers--;
            } finally {
                lock.unlock();
            }
            outer = true;
            underWay.release();
            outerUnderWay.acquireUninterruptibly();
            return true;
        }

        @Override
        public void close() {
            (outer ? outerUnderWay : underWay).release();
            lock.lock();
            try {
                if (outer) {
                    outerCallers--;
                } else {
                    callers--;
                }
                emptied.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Waits until all callers have left, or until the limit has passed.
    boolean awaitEmpty(Duration limit) throws InterruptedException {
        long nanos = limit.toNanos();
        lock.lock();
        try {
            while (callers + outerCallers > 0 && nanos > 0) {
                nanos = emptied.awaitNanos(nanos);
            }
            return callers + outerCallers == 0;
        } finally {
            lock.unlock();
        }
    }
}
