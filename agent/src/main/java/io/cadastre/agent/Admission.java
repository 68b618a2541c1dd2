package io.cadastre.agent;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Counts the callers who are served and who wait, and turns away those who are too many.
final class Admission {

    private final int callersMax;

    /// First come, first served.
    private final Semaphore underWay;

    /// Guards `callers`, and is held for a moment only.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition emptied = lock.newCondition();
    private int callers;

    Admission(int underWayMax, int waitingMax) {
        callersMax = underWayMax + waitingMax;
        underWay = new Semaphore(underWayMax, true);
    }

    /// Whether there is room for one more. Then he must leave some time.
    boolean enter() {
        lock.lock();
        try {
            if (callers >= callersMax) {
                return false;
            }
            callers++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            callers--;
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a place among those who are served.
    void begin() {
        underWay.acquireUninterruptibly();
    }

    void end() {
        underWay.release();
    }

    /// Waits until everybody has left, or for so long.
    boolean awaitEmpty(Duration limit) throws InterruptedException {
        long nanos = limit.toNanos();
        lock.lock();
        try {
            while (callers > 0 && nanos > 0) {
                nanos = emptied.awaitNanos(nanos);
            }
            return callers == 0;
        } finally {
            lock.unlock();
        }
    }
}
