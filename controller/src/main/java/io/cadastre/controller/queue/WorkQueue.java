package io.cadastre.controller.queue;

import io.cadastre.controller.election.MonotonicClock;
import io.cadastre.registry.Pause;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /// When each waiting key is due.
    private final Map<K, Due> waiting = new HashMap<>();

    private final Set<K> working = new HashSet<>();

    /// Failures in a row.
    private final Map<K, Integer> failures = new HashMap<>();

    private long number;

    /// When the bucket of retries would be full if no more were taken.
    private long fullAt;

    /// @param number the key that was added first comes first
    private record Due(long nanos, long number) {}

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
            put(key, now + Math.max(backoff.after(count).toNanos(), nanosUntilTurn(now)));
        } finally {
            lock.unlock();
        }
    }

    /// How long it takes until the bucket has one for another retry. Times are only compared by their
    /// difference, since a stopwatch may pass the largest number.
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
        var added = new Due(due, number);
        waiting.merge(key, added, (former, later) -> former.nanos() - later.nanos() <= 0 ? former : later);
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
            var next = next().filter(key -> nanosUntil(key) <= 0);
            next.ifPresent(key -> {
                waiting.remove(key);
                working.add(key);
            });
            return next;
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
                left = Math.min(left, next().map(this::nanosUntil).orElse(left));
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
            working.remove(key);
            wake();
        } finally {
            lock.unlock();
        }
    }

    private Optional<K> next() {
        long now = stopwatch.nanos();
        return waiting.entrySet().stream()
                .filter(entry -> !working.contains(entry.getKey()))
                .min(Map.Entry.comparingByValue(
                        Comparator.<Due>comparingLong(due -> due.nanos() - now).thenComparingLong(Due::number)))
                .map(Map.Entry::getKey);
    }

    private long nanosUntil(K key) {
        var due = waiting.get(key);
        if (due == null) {
            throw new IllegalStateException(key + " does not wait");
        }
        return due.nanos() - stopwatch.nanos();
    }
}
