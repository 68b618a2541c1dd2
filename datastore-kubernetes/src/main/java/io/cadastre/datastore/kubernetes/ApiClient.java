package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.kubernetes.Reply.Answered;
import io.cadastre.datastore.kubernetes.Reply.Cause;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/// Sends requests, and decides which may be sent again.
///
/// A read is tried again after whatever may pass. A write is tried again only if the server certainly
/// did not act on it: it never got there, or was turned away at the door.
final class ApiClient implements AutoCloseable {

    private static final int ATTEMPTS_MAX = 6;
    private static final Duration PAUSE_FIRST = Duration.ofMillis(50);

    /// An answer beyond this size is given up.
    private static final int ANSWER_BYTES_MAX = 256 << 20;

    private final HttpClient http;
    private final String server;
    private final Duration callLimit;
    private final Limiter limiter;
    private final RandomGenerator chance;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Set<Collecting> underWay = ConcurrentHashMap.newKeySet();

    ApiClient(KubernetesSettings settings, RandomGenerator chance) {
        Config config = Configurations.of(settings);
        this.http = Configurations.client(config);
        this.server = config.getMasterUrl();
        this.callLimit = settings.callLimit();
        this.limiter = new Limiter(settings.rate(), System.nanoTime());
        this.chance = chance;
    }

    Duration callLimit() {
        return callLimit;
    }

    Deadline deadline() {
        return Deadline.after(callLimit);
    }

    String server() {
        return server;
    }

    boolean closed() {
        return closing.getCount() == 0;
    }

    void checkOpen() {
        if (closed()) {
            throw new DatastoreException(Kind.CLOSED, "the store is closed");
        }
    }

    /// The answer to a read: good, or that there is no such object, or that a revision is forgotten.
    Answered read(ApiRequest request, Deadline deadline) {
        for (int attempt = 1; ; attempt++) {
            var reply = send(request, deadline);
            checkOpen();
            boolean last = attempt == ATTEMPTS_MAX || deadline.expired();
            var retryAfter = Duration.ZERO;
            switch (reply) {
                case Answered answer
                        when answer.good()
                                || Failures.expired(answer.code())
                                || Failures.absent(
                                        ApiJson.status(answer.code(), answer.body())) -> {
                    return answer;
                }
                case Answered answer -> {
                    boolean mayPass = Failures.turnedAway(answer) || Failures.serverFailed(answer);
                    if (last || !mayPass) {
                        throw refusal(request, answer);
                    }
                    retryAfter = answer.retryAfter();
                }
                case Reply.Unsent(var cause, var sentence) -> {
                    if (last) {
                        throw Failures.unanswered(cause, sentence);
                    }
                }
                case Reply.Lost(var cause, var sentence) -> {
                    if (last || cause == Cause.SIZE) {
                        throw Failures.unanswered(cause, sentence);
                    }
                }
            }
            pause(attempt, retryAfter, deadline);
        }
    }

    /// What became of a write: an answer, which may be a no that says why, or none.
    ///
    /// @throws DatastoreException if the server certainly did not act on it, for a reason that is none of
    ///     the write's own
    Reply write(ApiRequest request, Deadline deadline) {
        for (int attempt = 1; ; attempt++) {
            checkOpen();
            boolean last = attempt == ATTEMPTS_MAX || deadline.expired();
            var retryAfter = Duration.ZERO;
            switch (send(request, deadline)) {
                case Answered answer when Failures.turnedAway(answer) -> {
                    if (last) {
                        throw refusal(request, answer);
                    }
                    retryAfter = answer.retryAfter();
                }
                case Answered answer when Failures.serverFailed(answer) -> {
                    var status = ApiJson.status(answer.code(), answer.body());
                    return new Reply.Lost(
                            Cause.CONNECTION,
                            "the Kubernetes API at %s failed to %s %s: %s"
                                    .formatted(
                                            server,
                                            request.verb().word(),
                                            request.target(),
                                            Failures.said(status)));
                }
                case Answered answer -> {
                    return answer;
                }
                case Reply.Unsent(var cause, var sentence) -> {
                    if (last) {
                        throw Failures.unanswered(cause, sentence);
                    }
                }
                case Reply.Lost lost -> {
                    return lost;
                }
            }
            pause(attempt, retryAfter, deadline);
        }
    }

    DatastoreException refusal(ApiRequest request, Answered answer) {
        return Failures.refusal(server, request, ApiJson.status(answer.code(), answer.body()));
    }

    /// Opens a stream. What comes of it is told to the listener, from any thread.
    void stream(ApiRequest request, StreamListener listener) {
        var body = new Streaming(listener);
        try {
            var _ =
                    http.consumeBytes(built(request, callLimit), body::consume)
                            .whenComplete(
                                    (response, thrown) -> {
                                        if (thrown == null) {
                                            listener.opened(response);
                                        } else {
                                            listener.ended(
                                                    sentence(
                                                            Failures.reply(
                                                                    server, thrown, callLimit)));
                                        }
                                    });
        } catch (IllegalStateException | RejectedExecutionException closed) {
            listener.ended("the store is closed");
        }
    }

    /// Waits for a permit to send, at most until the deadline.
    boolean permitted(Deadline deadline) {
        return switch (limiter.take(System.nanoTime(), deadline.nanosLeft())) {
            case Limiter.Permit.After(var nanos) -> {
                awaitClosing(nanos);
                yield true;
            }
            case Limiter.Permit.TooLate _ -> false;
        };
    }

    @Override
    public void close() {
        closing.countDown();
        underWay.forEach(
                collecting ->
                        collecting.end(
                                new Reply.Lost(
                                        Cause.CONNECTION,
                                        "the store was closed before the answer came")));
        http.close();
    }

    private Reply send(ApiRequest request, Deadline deadline) {
        checkOpen();
        if (!permitted(deadline)) {
            return new Reply.Unsent(
                    Cause.TIME,
                    "more requests wait for the Kubernetes API at %s than may be sent within %s"
                            .formatted(server, Failures.seconds(callLimit)));
        }
        var left = Duration.ofNanos(Math.max(1, deadline.nanosLeft()));
        var collecting = new Collecting();
        underWay.add(collecting);
        try {
            // Whoever closed before may have missed this one.
            checkOpen();
            var _ =
                    http.consumeBytes(built(request, left), collecting::consume)
                            .whenComplete(collecting::answered);
            return await(collecting, left);
        } catch (IllegalStateException closedMeanwhile) {
            return new Reply.Unsent(Cause.CONNECTION, "the store is closed");
        } catch (RejectedExecutionException closedMeanwhile) {
            return new Reply.Lost(Cause.CONNECTION, "the store was closed while it was sending");
        } finally {
            underWay.remove(collecting);
        }
    }

    private Reply await(Collecting collecting, Duration left) {
        try {
            return collecting.reply.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            collecting.abandon();
            return Failures.tooLate(server, callLimit);
        } catch (InterruptedException interrupted) {
            collecting.abandon();
            Thread.currentThread().interrupt();
            return new Reply.Lost(
                    Cause.CONNECTION,
                    "interrupted while waiting for the Kubernetes API at %s".formatted(server));
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a reply is never an exception", impossible);
        }
    }

    private HttpRequest built(ApiRequest request, Duration limit) {
        var builder =
                http.newHttpRequestBuilder()
                        .uri(server + request.path())
                        .header("Accept", "application/json")
                        .timeout(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
        return request.body().isEmpty()
                ? builder.build()
                : builder.method(request.verb().method, "application/json", request.body()).build();
    }

    /// The pause doubles, and varies by half so that many clients of a server that comes back do not come
    /// at once.
    private void pause(int attempt, Duration asked, Deadline deadline) {
        long nanos = PAUSE_FIRST.toNanos() << (attempt - 1);
        long varied = nanos / 2 + chance.nextLong(nanos / 2 + 1);
        awaitClosing(Math.min(deadline.nanosLeft(), Math.max(varied, asked.toNanos())));
    }

    private void awaitClosing(long nanos) {
        if (nanos <= 0) {
            return;
        }
        try {
            if (closing.await(nanos, TimeUnit.NANOSECONDS)) {
                checkOpen();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(
                    Kind.FAILED, "interrupted while waiting to ask again", interrupted);
        }
    }

    static Duration retryAfter(HttpResponse<?> response) {
        var header = response.header("Retry-After");
        try {
            return header == null ? Duration.ZERO : Duration.ofSeconds(Long.parseLong(header));
        } catch (NumberFormatException date) {
            // Kubernetes writes seconds; a proxy that writes a date is asked again at our own pace.
            return Duration.ofSeconds(1);
        }
    }

    private static String sentence(Reply reply) {
        return switch (reply) {
            case Answered answer -> "code " + answer.code();
            case Reply.Unsent(_, var sentence) -> sentence;
            case Reply.Lost(_, var sentence) -> sentence;
        };
    }

    /// What is told of a stream, from any thread.
    interface StreamListener {

        void opened(HttpResponse<AsyncBody> response);

        /// More bytes. The next are sent when the body is asked to be consumed again.
        void received(byte[] bytes, AsyncBody body);

        void ended(String sentence);
    }

    private record Streaming(StreamListener listener) {

        void consume(List<ByteBuffer> buffers, AsyncBody body) {
            var bytes = new ByteArrayOutputStream();
            buffers.forEach(buffer -> append(bytes, buffer));
            listener.received(bytes.toByteArray(), body);
        }
    }

    /// Puts the pieces of an answer together. One thread at a time brings them.
    private final class Collecting {

        private final CompletableFuture<Reply> reply = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<AsyncBody> body = new CompletableFuture<>();

        void consume(List<ByteBuffer> buffers, AsyncBody source) {
            buffers.forEach(buffer -> append(bytes, buffer));
            if (bytes.size() > ANSWER_BYTES_MAX) {
                end(
                        new Reply.Lost(
                                Cause.SIZE,
                                "the Kubernetes API at %s answered with more than %d bytes"
                                        .formatted(server, ANSWER_BYTES_MAX)));
                source.cancel();
            } else {
                source.consume();
            }
        }

        void answered(@Nullable HttpResponse<AsyncBody> response, @Nullable Throwable thrown) {
            if (response == null) {
                var cause = thrown == null ? new IOException("no answer") : thrown;
                end(Failures.reply(server, cause, callLimit));
                return;
            }
            var source = response.body();
            body.complete(source);
            var _ = source.done().whenComplete((_, broken) -> ended(response, broken));
            source.consume();
        }

        private void ended(HttpResponse<AsyncBody> response, @Nullable Throwable broken) {
            end(
                    broken == null
                            ? new Answered(
                                    response.code(),
                                    Bytes.of(bytes.toByteArray()),
                                    retryAfter(response))
                            : Failures.reply(server, broken, callLimit));
        }

        void end(Reply ending) {
            reply.complete(ending);
        }

        /// Lets the connection go, now or when the answer begins.
        void abandon() {
            var _ = body.thenAccept(AsyncBody::cancel);
        }
    }

    private static void append(ByteArrayOutputStream bytes, ByteBuffer buffer) {
        var piece = new byte[buffer.remaining()];
        buffer.get(piece);
        bytes.writeBytes(piece);
    }
}
