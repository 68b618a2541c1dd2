package io.cadastre.cli.nodecidr;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Stands between a controller and an API server. It remembers the patches of Nodes, decides what becomes of them, and
/// can hold back what watches report.
final class ApiProxy implements AutoCloseable {

    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "http2-settings", ":status");
    private static final int CHUNK = 8192;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client;
    private final URI target;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger underWayMax = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Guarded by the lock, as is what follows.
    private final List<Patch> patches = new ArrayList<>();
    private final List<String> queries = new ArrayList<>();

    private final Deque<PlannedReply> plan = new ArrayDeque<>();
    private boolean patchesHeld;
    private boolean watchesHeld;
    private boolean watchesExpired;
    private boolean closed;

    /// @param url of the API server, with a certificate of its own
    ApiProxy(URI url, Path certificate) throws IOException, GeneralSecurityException {
        target = url;
        client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(certificate))
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    private static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (var file = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "api", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /// A patch of a Node as it was sent.
    record Patch(String uri, String contentType, String body) {

        String node() {
            return uri.replaceFirst(".*/nodes/", "");
        }
    }

    /// What becomes of a patch of a Node.
    enum PlannedReply {
        DONE,
        /// Answered with 500, and not passed on.
        CODE_500,
        /// Answered with 504, and not passed on.
        CODE_504,
        /// Passed on, and the connection is cut before the answer.
        ANSWER_LOST
    }

    /// From now on, patches of Nodes end so, one after the other; those after them are passed on.
    void plan(PlannedReply... fates) {
        locked(() -> plan.addAll(List.of(fates)));
    }

    /// Patches of Nodes arrive here and are not passed on.
    void holdPatches() {
        locked(() -> patchesHeld = true);
    }

    void passPatches() {
        locked(() -> patchesHeld = false);
    }

    /// Watches report nothing.
    void holdWatches() {
        locked(() -> watchesHeld = true);
    }

    void passWatches() {
        locked(() -> watchesHeld = false);
    }

    /// Watches end without what was held back, and the next one begins after what the server remembers.
    void expireWatches() {
        locked(() -> {
            watchesExpired = true;
            watchesHeld = false;
        });
    }

    /// What stood behind the paths of the patches.
    List<String> queries() {
        lock.lock();
        try {
            return List.copyOf(queries);
        } finally {
            lock.unlock();
        }
    }

    List<Patch> patches() {
        lock.lock();
        try {
            return List.copyOf(patches);
        } finally {
            lock.unlock();
        }
    }

    List<String> patchesOf(String node) {
        return patches().stream()
                .filter(patch -> patch.node().equals(node))
                .map(Patch::body)
                .toList();
    }

    List<String> patched() {
        return patches().stream().map(Patch::node).toList();
    }

    int underWay() {
        return underWay.get();
    }

    int underWayMax() {
        return underWayMax.get();
    }

    /// A configuration file that leads through here.
    ///
    /// @param token of the user
    Path kubeconfig(Path directory, String token) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig-of-" + token), """
            apiVersion: v1
            kind: Config
            current-context: proxy
            contexts: [{name: proxy, context: {cluster: proxy, user: one}}]
            clusters: [{name: proxy, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: one, user: {token: %s}}]
            """.formatted(
                        server.getAddress().getPort(), token));
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        locked(() -> closed = true);
        server.stop(0);
        client.shutdownNow();
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var uri = exchange.getRequestURI().toString();
        boolean patch = exchange.getRequestMethod().equals("PATCH") && uri.startsWith("/api/v1/nodes/");
        try (exchange) {
            if (patch) {
                serveOnePatch(exchange, body);
            } else if (uri.contains("watch=") && expired()) {
                answer(exchange, 410, "Expired");
            } else {
                pass(exchange, body);
            }
        } catch (InterruptedException closing) {
            // The proxy is closed.
        }
    }

    private boolean expired() {
        lock.lock();
        try {
            boolean expired = watchesExpired;
            watchesExpired = false;
            return expired;
        } finally {
            lock.unlock();
        }
    }

    private void serveOnePatch(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        underWayMax.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        try {
            switch (fate(exchange, body)) {
                case DONE -> pass(exchange, body);
                case CODE_500 -> answer(exchange, 500, "InternalError");
                case CODE_504 -> answer(exchange, 504, "Timeout");
                case ANSWER_LOST -> {
                    var _ = client.send(request(exchange, body), BodyHandlers.discarding());
                }
            }
        } finally {
            underWay.decrementAndGet();
        }
    }

    private PlannedReply fate(HttpExchange exchange, byte[] body) throws InterruptedException {
        lock.lock();
        try {
            queries.add(String.valueOf(exchange.getRequestURI().getQuery()));
            patches.add(new Patch(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(body, StandardCharsets.UTF_8)));
            var fate = plan.isEmpty() ? PlannedReply.DONE : plan.removeFirst();
            // Ends: the test lets patches pass, or closes the proxy.
            while (patchesHeld && !closed) {
                changed.await();
            }
            return fate;
        } finally {
            lock.unlock();
        }
    }

    private static void answer(HttpExchange exchange, int code, String reason) throws IOException {
        var json =
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"planned\",\"reason\":\"%s\",\"code\":%d}"
                        .formatted(reason, code)
                        .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, json.length);
        exchange.getResponseBody().write(json);
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        var builder = HttpRequest.newBuilder(target.resolve(exchange.getRequestURI()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OF_THE_CONNECTION.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> builder.header(name, value));
            }
        });
        return builder.build();
    }

    private void pass(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        var response = client.send(request(exchange, body), BodyHandlers.ofInputStream());
        response.headers().map().forEach((name, values) -> {
            if (!OF_THE_CONNECTION.contains(name)) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        boolean watch = exchange.getRequestURI().toString().contains("watch=");
        try (var answer = response.body()) {
            exchange.sendResponseHeaders(response.statusCode(), 0);
            copy(answer, exchange, watch);
        }
    }

    private void copy(InputStream answer, HttpExchange exchange, boolean watch)
            throws IOException, InterruptedException {
        var chunk = new byte[CHUNK];
        // Ends: with the answer.
        for (int count = answer.read(chunk); count >= 0; count = answer.read(chunk)) {
            if (watch && !watchMayReport()) {
                return;
            }
            exchange.getResponseBody().write(chunk, 0, count);
            exchange.getResponseBody().flush();
        }
    }

    /// Waits while watches are held back. Whether this one may go on.
    private boolean watchMayReport() throws InterruptedException {
        lock.lock();
        try {
            // Ends: the test lets watches go on, or closes the proxy.
            while (watchesHeld && !closed) {
                changed.await();
            }
            return !watchesExpired;
        } finally {
            lock.unlock();
        }
    }
}
