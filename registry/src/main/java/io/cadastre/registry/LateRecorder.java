package io.cadastre.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// Writes to a ledger a moment later, many entries at once, so that callers do not wait for its disk.
///
/// It is for decisions whose store lives on other machines: what was done is safe there, and a process
/// that dies loses the history of its last moment and no address. While the ledger cannot be written,
/// no caller returns before its entry is written, so that a caller that does not commit while one of
/// its entries is refused stops committing.
public final class LateRecorder implements Recorder {

    /// How long an entry waits for others to be written with it.
    public static final Duration DELAY = Duration.ofMillis(50);

    /// At most this many entries are owed, which is what a ledger takes at once.
    private static final int OWED_MAX = 1000;

    /// How many delays pass before another attempt after one that failed. They end with the failure:
    /// once a caller could write again, entries that are left to the writer wait no longer than others.
    private static final int RETRY_DELAYS = 20;

    private final Ledger ledger;
    private final Consumer<String> complaints;

    /// Guards everything below. A caller that cannot go on before the ledger is written holds it
    /// meanwhile, and all others wait; the writer does not hold it while it writes, so that callers do
    /// not wait.
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition somethingOwed = lock.newCondition();
    private final Condition writerDone = lock.newCondition();

    /// Complete when this is closed.
    private final CompletableFuture<Boolean> closing = new CompletableFuture<>();

    private final Pause pause;

    /// What was taken and is not written, oldest first.
    private final List<Ledger.Entry> owed = new ArrayList<>();

    /// Whether the writer is writing the first ones that are owed.
    private boolean writing;

    /// Whether the last attempt failed. What is owed may be in the ledger nevertheless.
    private boolean failed;

    private boolean closed;

    /// @param complaints receives the failures to write the ledger that no caller receives
    public LateRecorder(Ledger ledger, Consumer<String> complaints) {
        this(
                ledger,
                complaints,
                Thread::sleep,
                Thread.ofPlatform().daemon().name("ledger").factory());
    }

    /// @param pause how the writer waits
    /// @param threads makes the thread of the writer
    public LateRecorder(Ledger ledger, Consumer<String> complaints, Pause pause, ThreadFactory threads) {
        this.ledger = ledger;
        this.complaints = complaints;
        this.pause = pause;
        threads.newThread(this::writeUntilClosed).start();
    }

    @Override
    public void append(List<Ledger.Entry> entries) {
        if (entries.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            if (closed || failed || owed.size() + entries.size() > OWED_MAX) {
                writeOwed();
                attempt(() -> ledger.append(entries));
            } else {
                owed.addAll(entries);
                somethingOwed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void appendUnlessThere(List<Ledger.Entry> entries) {
        lock.lock();
        try {
            writeOwed();
            attempt(() -> ledger.appendUnlessThere(entries));
        } finally {
            lock.unlock();
        }
    }

    /// Writes what is owed. Whatever is brought afterwards is written at once.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.complete(true);
            somethingOwed.signal();
            writeOwed();
        } catch (RuntimeException failure) {
            complaints.accept("the last %d decisions are not in the ledger, which could not be written: %s"
                    .formatted(owed.size(), failure.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /// Only with the lock.
    private void writeOwed() {
        while (writing) {
            writerDone.awaitUninterruptibly();
        }
        if (failed) {
            while (!owed.isEmpty()) {
                attempt(() -> appendUnlessRefused(owed.getFirst()));
                owed.removeFirst();
            }
        } else if (!owed.isEmpty()) {
            attempt(() -> ledger.append(List.copyOf(owed)));
            owed.clear();
        }
    }

    /// An entry that the ledger can never take is left out: everything after it would wait for ever.
    private void appendUnlessRefused(Ledger.Entry entry) {
        try {
            ledger.appendUnlessThere(List.of(entry));
        } catch (IllegalArgumentException refused) {
            complaints.accept("%s is not in the ledger, which can never take it: %s"
                    .formatted(entry.request(), refused.getMessage()));
        }
    }

    private void attempt(Runnable write) {
        boolean done = false;
        try {
            write.run();
            done = true;
        } finally {
            failed = !done;
        }
    }

    private void writeUntilClosed() {
        lock.lock();
        try {
            while (!closed) {
                if (owed.isEmpty()) {
                    somethingOwed.awaitUninterruptibly();
                } else {
                    rest(DELAY);
                    for (int delay = 2; failed && !closed && delay <= RETRY_DELAYS; delay++) {
                        rest(DELAY);
                    }
                    if (!closed) {
                        writeBehind();
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends early when this is closed. Others go on meanwhile.
    private void rest(Duration duration) {
        lock.unlock();
        try {
            pause.await(closing, duration);
        } catch (InterruptedException _) {
            // This thread is not interrupted; if it is, it writes at once.
        } finally {
            lock.lock();
        }
    }

    private void writeBehind() {
        try {
            if (failed) {
                writeOwed();
            } else if (!owed.isEmpty()) {
                writeWhileOthersGoOn();
            }
        } catch (RuntimeException failure) {
            complaints.accept("the ledger cannot be written: " + failure.getMessage());
        }
    }

    private void writeWhileOthersGoOn() {
        var oldest = List.copyOf(owed);
        writing = true;
        lock.unlock();
        boolean done = false;
        try {
            ledger.append(oldest);
            done = true;
        } finally {
            lock.lock();
            writing = false;
            failed = !done;
            if (done) {
                owed.subList(0, oldest.size()).clear();
            }
            writerDone.signalAll();
        }
    }
}
