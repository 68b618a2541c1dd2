package io.cadastre.datastore.kubernetes;

import io.fabric8.kubernetes.client.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The transport in use. One that is suspected is probed, and replaced if it is dead.
///
/// A connection may die without a word: a router forgets it, a peer is gone. The kernel notices after a quarter of
/// an hour, and until then the JDK puts each new request on the same connection of HTTP/2. So a small request is sent
/// over a suspected transport. If neither its answer nor anything else comes, what is under way has no
/// more to wait for, and new connections are made.
///
/// A slow server answers the probe, which costs it nothing, and keeps its connections. Whatever else is heard
/// meanwhile counts as well: the answer to the probe may wait behind a long list on a slow line. A connection that
/// breaks with a word is no concern of this class, since the JDK drops it.
final class LiveTransport {

    /// It is exempt from the server's limits of requests, every user may ask it, and no etcd takes part in the answer.
    private static final String PROBE_PATH = "livez?exclude=etcd";

    private final String server;
    private final Supplier<ApiTransport> transports;
    private final ProbeLimits limits;

    /// Guards the fields below. `current` is read without it.
    private final ReentrantLock lock = new ReentrantLock();

    private volatile ApiTransport current;
    private boolean closed;
    private boolean probing;
    private long probedNanos;
    private long replacedNanos;

    /// @param server with a slash at its end
    LiveTransport(String server, Supplier<ApiTransport> transports, ProbeLimits limits) {
        this.server = server;
        this.transports = transports;
        this.limits = limits;
        this.current = transports.get();
        long now = System.nanoTime();
        this.probedNanos = now - limits.answer().toNanos();
        this.replacedNanos = now - limits.replacementInterval().toNanos();
    }

    ProbeLimits limits() {
        return limits;
    }

    ApiTransport current() {
        return current;
    }

    /// Has a transport probed that does not answer, unless it was replaced already, or is or was just probed for
    /// another. Returns at once.
    void suspect(ApiTransport transport) {
        if (beginProbe(transport)) {
            Thread.startVirtualThread(() -> {
                try {
                    if (!answers(transport)) {
                        replace(transport);
                    }
                } finally {
                    endProbe();
                }
            });
        }
    }

    void close(String sentence) {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        current.end(sentence);
    }

    private boolean beginProbe(ApiTransport transport) {
        lock.lock();
        try {
            boolean recent = System.nanoTime() - probedNanos < limits.answer().toNanos();
            if (closed || probing || recent || transport != current) {
                return false;
            }
            probing = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void endProbe() {
        lock.lock();
        try {
            probing = false;
            probedNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /// Whether anything comes over this transport, be it the news that a connection is broken.
    private boolean answers(ApiTransport transport) {
        long sentNanos = System.nanoTime();
        try {
            var answer = transport.send(probe(transport), (_, body) -> body.consume());
            var _ = answer.thenAccept(response -> response.body().consume());
            answer.get(limits.answer().toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException silent) {
            return transport.heardSince(sentNanos);
        } catch (ExecutionException failed) {
            return !(failed.getCause() instanceof HttpTimeoutException) || transport.heardSince(sentNanos);
        } catch (RuntimeException unsent) {
            // Without a probe there is no verdict.
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private HttpRequest probe(ApiTransport transport) {
        return transport
                .request()
                .uri(server + PROBE_PATH)
                .timeout(Math.max(1, limits.answer().toMillis()), TimeUnit.MILLISECONDS)
                .build();
    }

    private void replace(ApiTransport dead) {
        lock.lock();
        try {
            long now = System.nanoTime();
            boolean recent = now - replacedNanos < limits.replacementInterval().toNanos();
            if (closed || recent) {
                return;
            }
            current = transports.get();
            replacedNanos = now;
        } finally {
            lock.unlock();
        }
        dead.end(
                "the connection to the Kubernetes API at %s was given up: no answer came, and none to a probe within %s"
                        .formatted(server, ApiFailures.seconds(limits.answer())));
    }
}
