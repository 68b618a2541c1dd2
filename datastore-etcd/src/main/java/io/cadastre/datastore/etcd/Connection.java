package io.cadastre.datastore.etcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// The connection to one endpoint, made again when it broke.
///
/// A gRPC channel that failed to connect waits longer and longer before it tries again, up to two
/// minutes, and does not distinguish a fresh failure from an old one. So a failed channel is thrown
/// away, and the next call dials anew.
final class Connection {

    /// At most one dial in this time.
    private static final Duration DIAL_INTERVAL = Duration.ofMillis(100);

    private final EtcdEndpoint endpoint;
    private final Function<EtcdEndpoint, ManagedChannel> dialer;

    /// Guards the replacement of the channel.
    private final ReentrantLock lock = new ReentrantLock();

    private volatile ManagedChannel channel;
    private long dialedNanos;
    private boolean closed;

    Connection(EtcdEndpoint endpoint, Function<EtcdEndpoint, ManagedChannel> dialer) {
        this.endpoint = endpoint;
        this.dialer = dialer;
        this.channel = dialer.apply(endpoint);
        this.dialedNanos = System.nanoTime();
    }

    EtcdEndpoint endpoint() {
        return endpoint;
    }

    /// A channel that is connected, or connecting, or failed a moment ago.
    ManagedChannel channel() {
        var current = channel;
        return current.getState(true) == ConnectivityState.TRANSIENT_FAILURE ? redial(current) : current;
    }

    boolean ready() {
        return channel.getState(false) == ConnectivityState.READY;
    }

    private ManagedChannel redial(ManagedChannel failed) {
        lock.lock();
        try {
            long now = System.nanoTime();
            boolean tooSoon = now - dialedNanos < DIAL_INTERVAL.toNanos();
            if (!channel.equals(failed) || tooSoon || closed) {
                return channel;
            }
            // Not at once: should it have connected in this very moment, calls on it come to their
            // end.
            failed.shutdown();
            var fresh = dialer.apply(endpoint);
            fresh.getState(true);
            channel = fresh;
            dialedNanos = now;
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    /// Breaks off every call on the connection.
    void close() {
        lock.lock();
        try {
            closed = true;
            channel.shutdownNow();
        } finally {
            lock.unlock();
        }
    }

    void awaitClosed(Duration limit) {
        try {
            channel.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
