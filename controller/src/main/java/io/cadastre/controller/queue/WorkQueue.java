package io.cadastre.controller.queue;

import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.registry.Pause;
import io.cadastre.wire.pages.Metric;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/// Keys of what is to be done. A key that waits is not added a second time, but it may come earlier than it
/// would have. A key that is being worked on is not given to another worker; if it is added meanwhile, it
/// comes again afterwards. So there are never more keys waiting than there are keys.
///
/// Safe for use by any number of threads.
public final class WorkQueue<K> {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private final MonotonicClock stopwatch;
    private final Backoff backoff;

    /// Guards everything below.
    private final ReentrantLock lock = new ReentrantLock();

    private final Pause pause;

    /// Complete when something was added or is done since it was made.
    private CompletableFuture<Boolean> changed = new CompletableFuture<>();

    /// When each waiting key is due, and the waiting keys that are not worked on in the order in which they are.
    private final Map<K, Due<K>> waiting = new HashMap<>();

    private final TreeSet<Due<K>> inOrder = new TreeSet<>();

    /// When the work on each key began.
    private final Map<K, Long> working = new HashMap<>();

    /// Failures in a row.
    private final Map<K, Integer> failures = new HashMap<>();

    private final QueueFigures figures = new QueueFigures();

    private long number;

    /// When the bucket of retries would be full if no more were taken.
    private long fullAt;

    /// Times are only compared by their difference, since a stopwatch may pass the largest number.
    ///
    /// @param number the key that was added first comes first
    private record Due<K>(K key, long nanos, long number) implements Comparable<Due<K>> {
        @Override
        public int compareTo(Due<K> other) {
            long later = nanos - other.nanos;
            return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
        }
    }

    public WorkQueue(MonotonicClock stopwatch, Pause pause, Backoff backoff) {
        this.stopwatch = stopwatch;
        this.pause = pause;
        this.backoff = backoff;
        this.fullAt = stopwatch.nanos();
    }

    public void add(K key) {
        addAfter(key, Duration.ZERO);
    }

    /// The key is due after this time, or earlier if it was to come earlier.
    public void addAfter(K key, Duration delay) {
        lock.lock();
        try {
            put(key, stopwatch.nanos() + delay.toNanos());
        } finally {
            lock.unlock();
        }
    }

    /// The work failed: the key comes again after a while.
    public void retry(K key) {
        lock.lock();
        try {
            long now = stopwatch.nanos();
            int count = failures.merge(key, 1, Integer::sum);
            figures.retried();
            put(key, now + Math.max(backoff.after(count).toNanos(), nanosUntilTurn(now)));
        } finally {
            lock.unlock();
        }
    }

    /// How long it takes until the bucket has one for another retry.
    private long nanosUntilTurn(long now) {
        long each = SECOND_NANOS / backoff.perSecond();
        if (fullAt - now < 0) {
            fullAt = now;
        }
        fullAt += each;
        return Math.max(0, fullAt - now - backoff.burst() * each);
    }

    private void put(K key, long due) {
        number++;
        var former = waiting.get(key);
        if (former == null) {
            figures.added();
        }
        if (former == null || former.nanos() - due > 0) {
            var added = new Due<>(key, due, number);
            waiting.put(key, added);
            if (!working.containsKey(key)) {
                if (former != null) {
                    inOrder.remove(former);
                }
                inOrder.add(added);
            }
        }
        wake();
    }

    /// Only with the lock.
    private void wake() {
        changed.complete(true);
        changed = new CompletableFuture<>();
    }

    /// The work went well: the next failure is the first one again.
    public void succeeded(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /// A key that is due, to be worked on until [#done(Object)]; empty if there is none.
    public Optional<K> poll() {
        lock.lock();
        try {
            long now = stopwatch.nanos();
            if (inOrder.isEmpty() || inOrder.first().nanos() - now > 0) {
                return Optional.empty();
            }
            var next = inOrder.removeFirst();
            waiting.remove(next.key());
            working.put(next.key(), now);
            figures.waited(now - next.nanos());
            return Optional.of(next.key());
        } finally {
            lock.unlock();
        }
    }

    /// Waits at most this long for a key that is due.
    public Optional<K> take(Duration limit) throws InterruptedException {
        long deadline = stopwatch.nanos() + limit.toNanos();
        // Ends: at the deadline at the latest.
        while (true) {
            CompletableFuture<Boolean> change;
            long left;
            lock.lockInterruptibly();
            try {
                var due = poll();
                left = deadline - stopwatch.nanos();
                if (due.isPresent() || left <= 0) {
                    return due;
                }
                if (!inOrder.isEmpty()) {
                    left = Math.min(left, inOrder.first().nanos() - stopwatch.nanos());
                }
                change = changed;
            } finally {
                lock.unlock();
            }
            pause.await(change, Duration.ofNanos(left));
        }
    }

    /// The work on the key is over.
    public void done(K key) {
        lock.lock();
        try {
            var began = working.remove(key);
            if (began != null) {
                figures.worked(stopwatch.nanos() - began);
            }
            var again = waiting.get(key);
            if (again != null) {
                inOrder.add(again);
            }
            wake();
        } finally {
            lock.unlock();
        }
    }

    /// What client-go counts of a queue, by its names.
    ///
    /// @param name of the queue, the value of the label `name`
    public List<Metric> figures(String name) {
        lock.lock();
        try {
            long now = stopwatch.nanos();
            var running = working.values().stream()
                    .mapToDouble(began -> (now - began) / (double) SECOND_NANOS)
                    .summaryStatistics();
            int due = (int) inOrder.stream()
                    .takeWhile(waits -> waits.nanos() - now <= 0)
                    .count();
            return figures.metrics(name, due, running.getSum(), Math.max(0, running.getMax()));
        } finally {
            lock.unlock();
        }
    }
}
