package io.cadastre.registry;

import io.cadastre.engine.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The requests that wait for their turn, and which of their threads leads.
///
/// One thread at a time settles a batch, that of the oldest waiting request; the others wait until their
/// request has ended or they have to lead.
final class RequestQueue<V, C extends Change> {

    private final Registrar.Limits limits;

    /// Guards `waiting` and `led`, and is never held during a store call.
    private final ReentrantLock lock = new ReentrantLock();

    /// Waiting requests that are not in a batch yet, oldest first.
    private final ArrayDeque<PendingRequest<V, C, ?>> waiting = new ArrayDeque<>();

    /// Whether some thread is settling a batch.
    private boolean led;

    RequestQueue(Registrar.Limits limits) {
        this.limits = limits;
    }

    /// How many requests wait for their turn now.
    int size() {
        return locked(waiting::size);
    }

    /// Puts the request in line and returns whether its thread must lead.
    ///
    /// @throws UnsettledException if too many wait
    boolean admit(PendingRequest<V, C, ?> pending) {
        return admitAll(List.of(pending));
    }

    /// Puts the requests in line, one behind the other, and returns whether the thread of the first must lead.
    ///
    /// @param pending none if it is empty
    /// @throws UnsettledException if too many wait; then none of these does
    boolean admitAll(List<? extends PendingRequest<V, C, ?>> pending) {
        return locked(() -> {
            if (pending.isEmpty()) {
                return false;
            }
            if (waiting.size() + pending.size() > limits.waitingMax()) {
                throw new UnsettledException("%s: %d requests are waiting already, and %d are the most"
                                .formatted(pending.getFirst().words(), waiting.size(), limits.waitingMax()))
                        .because(UnsettledException.Reason.QUEUE_FULL);
            }
            waiting.addAll(pending);
            boolean lead = !led;
            led = true;
            return lead;
        });
    }

    List<PendingRequest<V, C, ?>> nextBatch() {
        return take(limits.combineMax());
    }

    /// The oldest that wait, up to this many.
    List<PendingRequest<V, C, ?>> take(int countMax) {
        return locked(() -> {
            var batch = new ArrayList<PendingRequest<V, C, ?>>();
            while (batch.size() < countMax && !waiting.isEmpty()) {
                batch.add(waiting.removeFirst());
            }
            return batch;
        });
    }

    /// Requests that did not fit into the commit are the oldest again.
    void putBack(List<PendingRequest<V, C, ?>> rest) {
        locked(() -> {
            rest.reversed().forEach(waiting::addFirst);
            return rest;
        });
    }

    /// The younger half is put back.
    List<PendingRequest<V, C, ?>> olderHalf(List<PendingRequest<V, C, ?>> batch) {
        int count = (batch.size() + 1) / 2;
        putBack(batch.subList(count, batch.size()));
        return batch.subList(0, count);
    }

    /// Lets the thread of the oldest waiting request lead.
    void handOver() {
        locked(() -> {
            led = !waiting.isEmpty();
            if (led) {
                waiting.getFirst().lead();
            }
            return led;
        });
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
