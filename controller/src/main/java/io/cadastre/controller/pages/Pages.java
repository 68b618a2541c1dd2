package io.cadastre.controller.pages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Three pages over HTTP: `/livez`, `/readyz` and `/metrics`.
///
/// The first two answer as those of Kubernetes do: 200 and `ok`, or, when something is wrong or
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

    /// What the pages show.
    ///
    /// @param alive must be in order, or the process is to be started anew
    /// @param ready must be in order, or nothing is to be expected from it yet
    public record Content(List<HealthCheck> alive, List<HealthCheck> ready, Supplier<List<Metric>> metrics) {

        public Content {
            alive = List.copyOf(alive);
            ready = List.copyOf(ready);
        }
    }

    /// Serves the pages there from now on.
    ///
    /// @throws UncheckedIOException if it cannot listen there
    public static Pages open(InetSocketAddress address, Content content) {
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
        server.createContext("/", exchange -> pages.answer(exchange, content));
        server.start();
        return pages;
    }

    /// The address of the pages, for when any free port was asked for.
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private record Answer(int status, String type, String body) {}

    private void answer(HttpExchange exchange, Content content) throws IOException {
        try (exchange) {
            if (!places.tryAcquire()) {
                send(exchange, new Answer(BUSY, PLAIN, "busy\n"));
                return;
            }
            try {
                send(exchange, answerTo(exchange, content));
            } finally {
                places.release();
            }
        }
    }

    private static Answer answerTo(HttpExchange exchange, Content content) {
        var method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return new Answer(METHOD_NOT_ALLOWED, PLAIN, "only GET and HEAD\n");
        }
        var uri = exchange.getRequestURI();
        boolean verbose =
                uri.getQuery() != null && List.of(uri.getQuery().split("&", -1)).contains("verbose");
        return switch (uri.getPath()) {
            case "/livez" -> health("livez", content.alive(), verbose);
            case "/readyz" -> health("readyz", content.ready(), verbose);
            case "/metrics" -> {
                var metrics = new ArrayList<>(content.metrics().get());
                metrics.addAll(ProcessFigures.now());
                yield new Answer(OK, PROMETHEUS, Metric.text(metrics));
            }
            default -> new Answer(NOT_FOUND, PLAIN, "not found; use /livez, /readyz or /metrics\n");
        };
    }

    private static Answer health(String name, List<HealthCheck> checks, boolean verbose) {
        var text = new StringBuilder("[+]ping ok\n");
        boolean sound = true;
        for (var check : checks) {
            var fault = check.fault().get();
            sound &= fault.isEmpty();
            text.append(fault.map(words -> "[-]%s failed: %s\n".formatted(check.name(), words))
                    .orElseGet(() -> "[+]%s ok\n".formatted(check.name())));
        }
        text.append(name).append(sound ? " check passed\n" : " check failed\n");
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
