package io.cadastre.agent;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Hangs up on callers whose deadline has passed.
///
/// Its thread checks at regular intervals instead of being woken for each call: most calls end long before
/// their deadline, and waking a thread takes longer than noting a deadline. Without callers the thread
/// rests.
final class CallDeadlines implements AutoCloseable {

    /// A deadline may be missed by this much.
    private static final Duration PERIOD = Duration.ofMillis(100);

    /// After this many looks without a waiter it rests until one comes.
    private static final int IDLE_LOOKS_MAX = 20;

    private final Map<SocketChannel, Long> deadlines = new ConcurrentHashMap<>();
    private final Consumer<String> log;
    private final Thread thread;
    private volatile boolean resting;
    private volatile boolean closed;

    CallDeadlines(Consumer<String> log) {
        this.log = log;
        this.thread = Thread.ofPlatform().daemon().name("agent-alarm").start(this::watch);
    }

    /// In the place of an earlier deadline of the caller.
    ///
    /// @param nanos by the clock that only runs forward
    void set(SocketChannel client, long nanos) {
        deadlines.put(client, nanos);
        if (resting) {
            LockSupport.unpark(thread);
        }
    }

    void clear(SocketChannel client) {
        deadlines.remove(client);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        int idleLooks = 0;
        // Ends: when this is closed.
        while (!closed) {
            if (idleLooks < IDLE_LOOKS_MAX) {
                LockSupport.parkNanos(this, PERIOD.toNanos());
            } else {
                rest();
            }
            idleLooks = deadlines.isEmpty() ? Math.min(idleLooks + 1, IDLE_LOOKS_MAX) : 0;
            hangUp();
        }
    }

    /// A caller notes its deadline and then checks whether this thread rests, so one of the two sees the
    /// other.
    private void rest() {
        resting = true;
        if (deadlines.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        resting = false;
    }

    private void hangUp() {
        long now = System.nanoTime();
        deadlines.forEach((client, deadline) -> {
            if (deadline - now <= 0 && deadlines.remove(client, deadline)) {
                close(client);
            }
        });
    }

    private void close(SocketChannel client) {
        try {
            client.close();
        } catch (IOException broken) {
            log.accept("the connection of a caller could not be closed: " + broken.getMessage());
        }
    }
}
