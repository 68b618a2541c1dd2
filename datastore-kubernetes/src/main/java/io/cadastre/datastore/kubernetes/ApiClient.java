package io.cadastre.datastore.kubernetes;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.DatastoreException.Kind;
import io.cadastre.datastore.Deadline;
import io.cadastre.datastore.kubernetes.ApiReply.Answered;
import io.cadastre.datastore.kubernetes.ApiReply.Cause;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
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

    /// How much longer one sending of a write may take than the server may work on it.
    private static final Duration WAY_LIMIT = Duration.ofMillis(500);

    /// An answer beyond this size is given up.
    private static final int ANSWER_BYTES_MAX = 256 << 20;

    /// This many requests are under way at a time, beside watches. Servers allow about a hundred on a connection
    /// of HTTP/2, and the JDK fails one that is too many without saying that it was not sent.
    private static final int REQUESTS_MAX = 64;

    private final String server;
    private final LiveTransport transports;
    private final Duration callLimit;
    private final Duration writeLimit;
    private final Limiter limiter;
    private final Semaphore places = new Semaphore(REQUESTS_MAX, true);
    private final RandomGenerator chance;
    private final CountDownLatch closing = new CountDownLatch(1);

    /// @param server with a slash at its end
    ApiClient(String server, LiveTransport transports, KubernetesSettings settings, RandomGenerator chance) {
        this.server = server;
        this.transports = transports;
        this.callLimit = settings.callLimit();
        this.writeLimit = settings.writeLimit();
        this.limiter = new Limiter(settings.rate(), System.nanoTime());
        this.chance = chance;
    }

    /// @throws DatastoreException if the configuration or the credentials are unusable
    static ApiClient of(KubernetesSettings settings, RandomGenerator chance) {
        var config = Configurations.of(settings);
        var transports = Configurations.transport(config, ProbeLimits.DEFAULT);
        return new ApiClient(config.getMasterUrl(), transports, settings, chance);
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
        var transport = transports.current();
        var body = new Streaming(listener);
        if (!transport.begin(body)) {
            listener.ended("its connection was given up before it was asked for");
            return;
        }
        try {
            var _ = transport
                    .send(built(transport, request, callLimit), body::consume)
                    .whenComplete((response, thrown) -> {
                        if (thrown == null) {
                            var _ = response.body().done().whenComplete((_, _) -> transport.done(body));
                            listener.opened(response);
                        } else {
                            transport.done(body);
                            listener.ended(sentence(judged(transport, ApiFailures.reply(server, thrown, callLimit))));
                        }
                    });
        } catch (IllegalStateException | RejectedExecutionException ended) {
            transport.done(body);
            listener.ended("its connection was given up before it was asked for");
        }
    }

    /// How long a stream may be silent before its connection is suspect.
    Duration streamSilence() {
        return transports.limits().streamSilence();
    }

    /// Has the connections probed. Returns at once.
    void suspectConnections() {
        transports.suspect(transports.current());
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
        transports.close("the store was closed before the answer came");
    }

    private ApiReply send(ApiRequest request, Deadline deadline) {
        checkOpen();
        if (!permitted(deadline) || !placed(deadline)) {
            return new ApiReply.Unsent(
                    Cause.TIME,
                    "more requests wait for the Kubernetes API at %s than may be sent within %s"
                            .formatted(server, ApiFailures.seconds(callLimit)));
        }
        try {
            var transport = transports.current();
            var answer = answerBy(request, deadline);
            request.beforeSending().run();
            return judged(transport, send(transport, request, answer));
        } finally {
            places.release();
        }
    }

    /// So that a write which is slow on its way does not arrive long after it was sent.
    private Deadline answerBy(ApiRequest request, Deadline deadline) {
        return writeLimit.isZero() || !request.writes() ? deadline : deadline.orSooner(writeLimit.plus(WAY_LIMIT));
    }

    private ApiReply send(ApiTransport transport, ApiRequest request, Deadline deadline) {
        var unsent = new ApiReply.Unsent(
                Cause.CONNECTION,
                "the connection to the Kubernetes API at %s was given up before it was used".formatted(server));
        var left = Duration.ofNanos(Math.max(1, deadline.leftNanos()));
        var collecting = new Collecting(deadline.limit());
        if (!transport.begin(collecting)) {
            checkOpen();
            return unsent;
        }
        try {
            var _ = transport
                    .send(built(transport, request, left), collecting::consume)
                    .whenComplete(collecting::answered);
            return await(collecting, transport, deadline);
        } catch (IllegalStateException endedMeanwhile) {
            return unsent;
        } catch (RejectedExecutionException endedMeanwhile) {
            return new ApiReply.Lost(Cause.CONNECTION, "the store was closed while it was sending");
        } finally {
            transport.done(collecting);
        }
    }

    /// A request that the server left without an answer makes its transport suspect.
    private ApiReply judged(ApiTransport transport, ApiReply reply) {
        if (reply instanceof ApiReply.Lost(var cause, var _) && cause == Cause.TIME) {
            transports.suspect(transport);
        }
        return reply;
    }

    private boolean placed(Deadline deadline) {
        try {
            return places.tryAcquire(deadline.leftNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatastoreException(Kind.FAILED, "interrupted while waiting to ask", interrupted);
        }
    }

    private ApiReply await(Collecting collecting, ApiTransport transport, Deadline deadline) {
        long silenceNanos = transports.limits().requestSilence().toNanos();
        // Ends: each turn takes some of the time that is left.
        while (true) {
            try {
                return collecting.reply.get(Math.min(deadline.leftNanos(), silenceNanos), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                if (deadline.over()) {
                    collecting.abandon();
                    return ApiFailures.tooLate(server, deadline.limit());
                }
                // One that has never answered may still be connecting. A write that ends so is known to be unsent, and
                // given up it would be unknown.
                if (transport.heard()) {
                    transports.suspect(transport);
                }
            } catch (InterruptedException interrupted) {
                collecting.abandon();
                Thread.currentThread().interrupt();
                return new ApiReply.Lost(
                        Cause.CONNECTION, "interrupted while waiting for the Kubernetes API at %s".formatted(server));
            } catch (ExecutionException impossible) {
                throw new IllegalStateException("a reply is never an exception", impossible);
            }
        }
    }

    private HttpRequest built(ApiTransport transport, ApiRequest request, Duration limit) {
        var builder = transport
                .request()
                .uri(server + request.within(writeLimit).path())
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

    private record Streaming(StreamListener listener) implements ApiTransport.UnderWay {

        @Override
        public void lost(String sentence) {
            listener.ended(sentence);
        }

        void consume(List<ByteBuffer> buffers, AsyncBody body) {
            var bytes = new ByteArrayOutputStream();
            buffers.forEach(buffer -> append(bytes, buffer));
            listener.received(bytes.toByteArray(), body);
        }
    }

    /// Puts the pieces of an answer together. One thread at a time brings them.
    private final class Collecting implements ApiTransport.UnderWay {

        private final CompletableFuture<ApiReply> reply = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<AsyncBody> body = new CompletableFuture<>();
        private final Duration limit;

        Collecting(Duration limit) {
            this.limit = limit;
        }

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
                end(ApiFailures.reply(server, cause, limit));
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
                            : ApiFailures.reply(server, broken, limit));
        }

        @Override
        public void lost(String sentence) {
            end(new ApiReply.Lost(Cause.CONNECTION, sentence));
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
