package io.cadastre.datastore.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/// A server that follows a plan, one request after another, and remembers what was asked. Probes are not in the plan:
/// they are answered unless it says otherwise. It speaks HTTP/1.1 only.
final class FaultyApi implements AutoCloseable {

    private static final String PROBE_PATH = "/livez";

    private static final int BACKLOG = 50;

    private final HttpServer server;
    private final String scheme;
    private final AtomicInteger probes = new AtomicInteger();
    private volatile Behaviour whenProbed = answer(200, "ok");
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Deque<Behaviour> plan = new ArrayDeque<>();
    private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch closing = new CountDownLatch(1);

    FaultyApi(Behaviour... behaviours) throws IOException {
        this(HttpServer.create(anyPort(), BACKLOG), "http", behaviours);
    }

    private FaultyApi(HttpServer server, String scheme, Behaviour... behaviours) {
        this.server = server;
        this.scheme = scheme;
        plan.addAll(List.of(behaviours));
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.createContext(PROBE_PATH, exchange -> {
            probes.incrementAndGet();
            handle(exchange, whenProbed);
        });
        server.start();
    }

    /// One that is reached by TLS, and offers no protocol by ALPN.
    static FaultyApi overTls(SSLContext context, Behaviour... behaviours) throws IOException {
        var server = HttpsServer.create(anyPort(), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new FaultyApi(server, "https", behaviours);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /// What the server does with a request.
    @FunctionalInterface
    interface Behaviour {
        void handle(HttpExchange exchange, FaultyApi api) throws Exception;
    }

    /// What was asked of the server.
    record Asked(String method, String path, String token, String body) {}

    static Behaviour answer(int code, String body) {
        return (exchange, _) -> respond(exchange, code, body);
    }

    static Behaviour status(int code, String reason, String message) {
        return answer(code, """
            {"kind":"Status","apiVersion":"v1","status":"Failure","message":"%s","reason":"%s",
            "details":{"name":"x"},"code":%d}
            """.formatted(message, reason, code));
    }

    static Behaviour turnAway(int code, int seconds) {
        return (exchange, _) -> {
            exchange.getResponseHeaders().add("Retry-After", Integer.toString(seconds));
            respond(exchange, code, "");
        };
    }

    /// Keeps the request and says nothing.
    static Behaviour hang() {
        return (_, api) -> api.closing.await();
    }

    /// Ends the connection without a word.
    static Behaviour cut() {
        return (exchange, _) -> exchange.close();
    }

    /// A document at a revision, as an object.
    static String object(String key, int revision) {
        var object = DocumentsMap.in("n").create(key, Bytes.ofUtf8("1"));
        return object.utf8()
                .replace(
                        "\"metadata\":{",
                        "\"metadata\":{\"uid\":\"u-1\",\"resourceVersion\":\"%d\",".formatted(revision));
    }

    FaultyApi whenProbed(Behaviour behaviour) {
        whenProbed = behaviour;
        return this;
    }

    int probes() {
        return probes.get();
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    KubernetesSettings settings(Path directory) throws IOException {
        return settings(directory, "");
    }

    /// @param user what the configuration file says of the user
    KubernetesSettings settings(Path directory, String user) throws IOException {
        return settings(directory, user, url());
    }

    /// Settings for a way that leads here through another port.
    KubernetesSettings settingsThrough(int otherPort, Path directory) throws IOException {
        return settings(directory, "", "%s://127.0.0.1:%d".formatted(scheme, otherPort));
    }

    private static KubernetesSettings settings(Path directory, String user, String url) throws IOException {
        var file = Files.writeString(directory.resolve("kubeconfig"), """
            apiVersion: v1
            kind: Config
            current-context: faulty
            contexts:
            - {name: faulty, context: {cluster: faulty, user: one}}
            - {name: elsewhere, context: {cluster: elsewhere, user: one}}
            clusters:
            - {name: faulty, cluster: {server: "%s", insecure-skip-tls-verify: true}}
            - {name: elsewhere, cluster: {server: "http://127.0.0.1:1"}}
            users: [{name: one, user: {%s}}]
            """.formatted(url, user));
        return KubernetesSettings.of(new Access.Kubeconfig(file, ""));
    }

    String url() {
        return "%s://127.0.0.1:%d".formatted(scheme, port());
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.close();
    }

    private void serve(HttpExchange exchange) throws IOException {
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var token = exchange.getRequestHeaders().getFirst("Authorization");
        asked.add(new Asked(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), token == null ? "" : token, body));
        handle(exchange, next());
    }

    private void handle(HttpExchange exchange, Behaviour behaviour) throws IOException {
        try {
            behaviour.handle(exchange, this);
        } catch (IOException | RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new IOException(failed);
        }
    }

    /// The last behaviour stays.
    private synchronized Behaviour next() {
        return plan.size() > 1 ? plan.removeFirst() : plan.getFirst();
    }

    private static void respond(HttpExchange exchange, int code, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
