package io.cadastre.controller.spiderpool.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cadastre.datastore.Bytes;
import io.cadastre.wire.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/// Serves reviews over HTTPS.
///
/// A review is a POST of at most [Json#MESSAGE_BYTES_MAX] bytes. A few are answered at a time, and a further caller
/// waits a while for its turn. How long a request and its headers may take and be is set for all servers of the process
/// by [io.cadastre.wire.pages.HttpLimits].
final class ReviewServer implements AutoCloseable {

    static final String HEALTH = "/webhook-health-check";

    /// How many reviews are read and answered at a time.
    private static final int REVIEWS_MAX = 16;

    /// How long a caller waits for its turn. The API server waits ten seconds for its answer.
    private static final Duration TURN_LIMIT = Duration.ofSeconds(5);

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int FAILED = 500;
    private static final int BUSY = 503;

    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    private final HttpsServer server;
    private final ExecutorService threads;
    private final Reviews reviews;
    private final Consumer<String> failures;
    private final Semaphore turns = new Semaphore(REVIEWS_MAX, true);

    private ReviewServer(HttpsServer server, ExecutorService threads, Reviews reviews, Consumer<String> failures) {
        this.server = server;
        this.threads = threads;
        this.reviews = reviews;
        this.failures = failures;
    }

    /// Serves there from now on.
    ///
    /// @param failures takes a sentence for each failure that is a bug
    /// @throws UncheckedIOException if it cannot listen there
    static ReviewServer open(InetSocketAddress address, SSLContext tls, Reviews reviews, Consumer<String> failures) {
        HttpsServer server;
        try {
            server = HttpsServer.create(address, 0);
        } catch (IOException refused) {
            throw new UncheckedIOException(
                    "cannot listen on %s:%d: %s"
                            .formatted(address.getHostString(), address.getPort(), refused.getMessage()),
                    refused);
        }
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var opened = new ReviewServer(server, threads, reviews, failures);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/", opened::answer);
        server.start();
        return opened;
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private record Answer(int status, String type, Bytes body) {

        static Answer plain(int status, String sentence) {
            return new Answer(status, PLAIN, Bytes.ofUtf8(sentence + "\n"));
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            send(exchange, answerTo(exchange));
        }
    }

    private Answer answerTo(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        var method = exchange.getRequestMethod();
        if (HEALTH.equals(path)) {
            return method.equals("GET") || method.equals("HEAD")
                    ? Answer.plain(OK, "ok")
                    : Answer.plain(METHOD_NOT_ALLOWED, "%s takes GET and HEAD, not %s".formatted(HEALTH, method));
        }
        if (!reviews.serves(path)) {
            return Answer.plain(
                    NOT_FOUND, "nothing is reviewed at this path; use one of %s".formatted(reviews.paths()));
        }
        if (!method.equals("POST")) {
            return Answer.plain(METHOD_NOT_ALLOWED, "a review is a POST, not %s".formatted(method));
        }
        return inTurn(exchange, path);
    }

    private Answer inTurn(HttpExchange exchange, String path) throws IOException {
        try {
            if (!turns.tryAcquire(TURN_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                return Answer.plain(BUSY, "%d reviews are under way; ask again".formatted(REVIEWS_MAX));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Answer.plain(BUSY, "this process is stopping; ask another one");
        }
        try {
            var body = exchange.getRequestBody().readNBytes(Json.MESSAGE_BYTES_MAX + 1);
            return body.length > Json.MESSAGE_BYTES_MAX
                    ? Answer.plain(TOO_LARGE, "a review has at most %d bytes".formatted(Json.MESSAGE_BYTES_MAX))
                    : answer(path, Bytes.of(body));
        } finally {
            turns.release();
        }
    }

    private Answer answer(String path, Bytes body) {
        try {
            return switch (reviews.answer(path, body)) {
                case Reviews.Result.Answered(var review) -> new Answer(OK, JSON, review);
                case Reviews.Result.NoReview(var fault) -> Answer.plain(BAD_REQUEST, fault);
            };
        } catch (RuntimeException unexpected) {
            failures.accept("a review failed by a bug: %s at %s"
                    .formatted(
                            unexpected,
                            unexpected.getStackTrace().length == 0
                                    ? "?"
                                    : unexpected.getStackTrace()[0]));
            return Answer.plain(FAILED, "the review failed by a bug; the log of this process says more");
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        var body = answer.body().toByteArray();
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(answer.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
