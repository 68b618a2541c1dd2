package io.cadastre.wire.pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Pages over HTTP by which a process is monitored: whether it is in order, and what it counts.
///
/// A page of health answers as those of Kubernetes do: 200 and `ok`, or, when something is wrong or
/// `?verbose` is asked for, a line for each check; 500 if one fails.
public final class Pages implements AutoCloseable {

    /// At most this many calls are answered at once; further ones are asked to come again.
    private static final int CALLS_MAX = 16;

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int BUSY = 503;

    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;
    private final Semaphore places = new Semaphore(CALLS_MAX);

    private Pages(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /// What a page shows.
    public sealed interface Shown {

        /// Whether these are in order.
        record Health(List<HealthCheck> checks) implements Shown {

            public Health {
                checks = List.copyOf(checks);
            }
        }

        /// What is counted, as Prometheus reads it, with what the process itself costs.
        record Figures(Supplier<List<Metric>> metrics) implements Shown {}
    }

    /// The pages `/livez`, `/readyz` and `/metrics`.
    ///
    /// @param alive must be in order, or the process is to be started anew
    /// @param ready must be in order, or nothing is to be expected from it yet
    public record Content(List<HealthCheck> alive, List<HealthCheck> ready, Supplier<List<Metric>> metrics) {

        public Content {
            alive = List.copyOf(alive);
            ready = List.copyOf(ready);
        }

        private Map<String, Shown> byPath() {
            var pages = new LinkedHashMap<String, Shown>();
            pages.put("/livez", new Shown.Health(alive));
            pages.put("/readyz", new Shown.Health(ready));
            pages.put("/metrics", new Shown.Figures(metrics));
            return pages;
        }
    }

    /// Serves the pages there from now on.
    ///
    /// @throws UncheckedIOException if it cannot listen there
    public static Pages open(InetSocketAddress address, Content content) {
        return open(address, content.byPath());
    }

    /// Serves these pages there from now on.
    ///
    /// @param byPath each with its path, which begins with a slash
    /// @throws UncheckedIOException if it cannot listen there
    public static Pages open(InetSocketAddress address, Map<String, Shown> byPath) {
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException refused) {
            throw new UncheckedIOException(
                    "cannot listen on %s:%d: %s"
                            .formatted(address.getHostString(), address.getPort(), refused.getMessage()),
                    refused);
        }
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var pages = new Pages(server, threads);
        server.setExecutor(threads);
        var shown = Collections.unmodifiableMap(new LinkedHashMap<>(byPath));
        server.createContext("/", exchange -> pages.answer(exchange, shown));
        server.start();
        return pages;
    }

    /// The address of the pages, for when any free port was asked for.
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private record Answer(int status, String type, String body) {}

    private void answer(HttpExchange exchange, Map<String, Shown> byPath) throws IOException {
        try (exchange) {
            if (!places.tryAcquire()) {
                send(exchange, new Answer(BUSY, PLAIN, "busy\n"));
                return;
            }
            try {
                send(exchange, answerTo(exchange, byPath));
            } finally {
                places.release();
            }
        }
    }

    private static Answer answerTo(HttpExchange exchange, Map<String, Shown> byPath) {
        var method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return new Answer(METHOD_NOT_ALLOWED, PLAIN, "only GET and HEAD\n");
        }
        var uri = exchange.getRequestURI();
        var shown = byPath.get(uri.getPath());
        return switch (shown) {
            case null -> new Answer(NOT_FOUND, PLAIN, "not found; use %s\n".formatted(alternatives(byPath)));
            case Shown.Health(var checks) -> health(uri, checks);
            case Shown.Figures(var counted) -> {
                var metrics = new ArrayList<>(counted.get());
                metrics.addAll(ProcessFigures.now());
                yield new Answer(OK, PROMETHEUS, Metric.text(metrics));
            }
        };
    }

    /// In words, for example `/livez, /readyz or /metrics`.
    private static String alternatives(Map<String, Shown> byPath) {
        var paths = List.copyOf(byPath.keySet());
        return paths.size() < 2
                ? String.join("", paths)
                : String.join(", ", paths.subList(0, paths.size() - 1)) + " or " + paths.getLast();
    }

    private static Answer health(URI uri, List<HealthCheck> checks) {
        boolean verbose =
                uri.getQuery() != null && List.of(uri.getQuery().split("&", -1)).contains("verbose");
        var text = new StringBuilder("[+]ping ok\n");
        boolean sound = true;
        for (var check : checks) {
            var fault = check.fault().get();
            sound &= fault.isEmpty();
            text.append(fault.map(words -> "[-]%s failed: %s\n".formatted(check.name(), words))
                    .orElseGet(() -> "[+]%s ok\n".formatted(check.name())));
        }
        text.append(uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1))
                .append(sound ? " check passed\n" : " check failed\n");
        return sound && !verbose
                ? new Answer(OK, PLAIN, "ok")
                : new Answer(sound ? OK : FAILED, PLAIN, text.toString());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        var body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.getResponseHeaders().set("Cache-Control", "no-cache, private");
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
