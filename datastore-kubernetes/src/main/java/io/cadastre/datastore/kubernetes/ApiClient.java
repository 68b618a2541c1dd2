package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.kubernetes.ApiReply.Answered;
import io.cadastre.datastore.kubernetes.ApiReply.Cause;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
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
import org.jspecify.annotations.Nullable;

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
            boolean last = attempt == ATTEMPTS_MAX || deadline.over();
            var retryAfter = Duration.ZERO;
            switch (reply) {
                case Answered answer
                when answer.good()
                        || ApiFailures.expired(answer.code())
                        || ApiFailures.absent(ApiJson.status(answer.code(), answer.body())) -> {
                    return answer;
                }
                case Answered answer -> {
                    boolean mayPass = ApiFailures.turnedAway(answer) || ApiFailures.serverFailed(answer);
                    if (last || !mayPass) {
                        throw refusal(request, answer);
                    }
                    retryAfter = answer.retryAfter();
                }
                case ApiReply.Unsent(var cause, var sentence) -> {
                    if (last) {
                        throw ApiFailures.unanswered(cause, sentence);
                    }
                }
                case ApiReply.Lost(var cause, var sentence) -> {
                    if (last || cause == Cause.SIZE) {
                        throw ApiFailures.unanswered(cause, sentence);
                    }
                }
            }
            pause(attempt, retryAfter, deadline);
        }
    }

    /// What became of a write: an answer, which may be a no that says why, or none.
    ///
    /// @throws DatastoreException if the server certainly did not act on it, for a reason that does not
    ///     lie in the write
    ApiReply write(ApiRequest request, Deadline deadline) {
        for (int attempt = 1; ; attempt++) {
            checkOpen();
            boolean last = attempt == ATTEMPTS_MAX || deadline.over();
            var retryAfter = Duration.ZERO;
            switch (send(request, deadline)) {
                case Answered answer
                when ApiFailures.turnedAway(answer) -> {
                    if (last) {
                        throw refusal(request, answer);
                    }
                    retryAfter = answer.retryAfter();
                }
                case Answered answer
                when ApiFailures.serverFailed(answer) -> {
                    var status = ApiJson.status(answer.code(), answer.body());
                    return new ApiReply.Lost(
                            Cause.CONNECTION,
                            "the Kubernetes API at %s failed to %s %s: %s"
                                    .formatted(
                                            server, request.verb().word(), request.target(), ApiFailures.said(status)));
                }
                case Answered answer -> {
                    return answer;
                }
                case ApiReply.Unsent(var cause, var sentence) -> {
                    if (last) {
                        throw ApiFailures.unanswered(cause, sentence);
                    }
                }
                case ApiReply.Lost lost -> {
                    return lost;
                }
            }
            pause(attempt, retryAfter, deadline);
        }
    }

    DatastoreException refusal(ApiRequest request, Answered answer) {
        return ApiFailures.refusal(server, request, ApiJson.status(answer.code(), answer.body()));
    }

    /// Opens a stream. The listener receives what comes of it, from any thread.
    void stream(ApiRequest request, StreamListener listener) {
        var body = new Streaming(listener);
        try {
            var _ = http.consumeBytes(built(request, callLimit), body::consume).whenComplete((response, thrown) -> {
                if (thrown == null) {
                    listener.opened(response);
                } else {
                    listener.ended(sentence(ApiFailures.reply(server, thrown, callLimit)));
                }
            });
        } catch (IllegalStateException | RejectedExecutionException closed) {
            listener.ended("the store is closed");
        }
    }

    /// Waits for a permit to send, at most until the deadline.
    boolean permitted(Deadline deadline) {
        if (deadline.over()) {
            return false;
        }
        return switch (limiter.take(System.nanoTime(), deadline.leftNanos())) {
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
        underWay.forEach(collecting ->
                collecting.end(new ApiReply.Lost(Cause.CONNECTION, "the store was closed before the answer came")));
        http.close();
    }

    private ApiReply send(ApiRequest request, Deadline deadline) {
        checkOpen();
        if (!permitted(deadline)) {
            return new ApiReply.Unsent(
                    Cause.TIME,
                    "more requests wait for the Kubernetes API at %s than may be sent within %s"
                            .formatted(server, ApiFailures.seconds(callLimit)));
        }
        var left = Duration.ofNanos(Math.max(1, deadline.leftNanos()));
        var collecting = new Collecting();
        underWay.add(collecting);
        try {
            // A close that came before may have missed this one.
            checkOpen();
            var _ = http.consumeBytes(built(request, left), collecting::consume).whenComplete(collecting::answered);
            return await(collecting, left);
        } catch (IllegalStateException closedMeanwhile) {
            return new ApiReply.Unsent(Cause.CONNECTION, "the store is closed");
        } catch (RejectedExecutionException closedMeanwhile) {
            return new ApiReply.Lost(Cause.CONNECTION, "the store was closed while it was sending");
        } finally {
            underWay.remove(collecting);
        }
    }

    private ApiReply await(Collecting collecting, Duration left) {
        try {
            return collecting.reply.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            collecting.abandon();
            return ApiFailures.tooLate(server, callLimit);
        } catch (InterruptedException interrupted) {
            collecting.abandon();
            Thread.currentThread().interrupt();
            return new ApiReply.Lost(
                    Cause.CONNECTION, "interrupted while waiting for the Kubernetes API at %s".formatted(server));
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a reply is never an exception", impossible);
        }
    }

    private HttpRequest built(ApiRequest request, Duration limit) {
        var builder = http.newHttpRequestBuilder()
                .uri(server + request.path())
                .header("Accept", "application/json")
                .timeout(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
        return request.body().isEmpty()
                ? builder.build()
                : builder.method(request.verb().method, request.mediaType(), request.body())
                        .build();
    }

    /// The pause doubles, and varies by half so that many clients of a server that comes back do not come
    /// at once.
    private void pause(int attempt, Duration asked, Deadline deadline) {
        long nanos = PAUSE_FIRST.toNanos() << (attempt - 1);
        long varied = nanos / 2 + chance.nextLong(nanos / 2 + 1);
        awaitClosing(Math.min(deadline.leftNanos(), Math.max(varied, asked.toNanos())));
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
            throw new DatastoreException(Kind.FAILED, "interrupted while waiting to ask again", interrupted);
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

    private static String sentence(ApiReply reply) {
        return switch (reply) {
            case Answered answer -> "code " + answer.code();
            case ApiReply.Unsent(var _, var sentence) -> sentence;
            case ApiReply.Lost(var _, var sentence) -> sentence;
        };
    }

    /// What a stream reports, from any thread.
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

        private final CompletableFuture<ApiReply> reply = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<AsyncBody> body = new CompletableFuture<>();

        void consume(List<ByteBuffer> buffers, AsyncBody source) {
            buffers.forEach(buffer -> append(bytes, buffer));
            if (bytes.size() > ANSWER_BYTES_MAX) {
                end(new ApiReply.Lost(
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
                end(ApiFailures.reply(server, cause, callLimit));
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
                            ? new Answered(response.code(), Bytes.of(bytes.toByteArray()), retryAfter(response))
                            : ApiFailures.reply(server, broken, callLimit));
        }

        void end(ApiReply ending) {
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
