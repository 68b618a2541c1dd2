package io.cadastre.agent.spiderpool;

import io.cadastre.wire.pages.HealthCheck;
import io.cadastre.wire.pages.Pages;
import io.cadastre.wire.pages.Pages.Shown;
import io.cadastre.wire.spiderpool.settings.AgentVariable;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The pages that Spiderpool's agent serves over TCP: its metrics, if they are switched on, and whether it is in
/// order, if its port is set.
public final class AgentPages implements AutoCloseable {

    private static final String METRICS = "/metrics";
    private static final String RUNTIME = "/v1/runtime/";

    private final List<Pages> open;

    private AgentPages(List<Pages> open) {
        this.open = List.copyOf(open);
    }

    /// Serves those that are asked for.
    ///
    /// @param host the address of the machine on which they are served
    /// @param announce takes the place of each
    /// @throws java.io.UncheckedIOException if a port cannot be had
    public static AgentPages open(
            SpiderpoolSettings settings, InetAddress host, PoolAgent agent, Consumer<String> announce) {
        var open = new ArrayList<Pages>();
        try {
            if (settings.flag(AgentVariable.METRIC)) {
                open.add(serve(settings, AgentVariable.METRIC_PORT, host, metrics(agent)));
                announce.accept("metrics of pools are on http://%s%s".formatted(place(open.getLast()), METRICS));
            }
            if (settings.isSet(AgentVariable.HEALTH_PORT)) {
                open.add(serve(settings, AgentVariable.HEALTH_PORT, host, health(agent)));
                announce.accept("health checks are on http://%s%sreadiness".formatted(place(open.getLast()), RUNTIME));
            }
        } catch (RuntimeException refused) {
            open.forEach(Pages::close);
            throw refused;
        }
        return new AgentPages(open);
    }

    private static Pages serve(
            SpiderpoolSettings settings, AgentVariable port, InetAddress host, Map<String, Shown> byPath) {
        return Pages.open(new InetSocketAddress(host, settings.number(port)), byPath);
    }

    private static String place(Pages pages) {
        var address = pages.address();
        return "%s:%d".formatted(address.getHostString(), address.getPort());
    }

    static Map<String, Shown> metrics(PoolAgent agent) {
        return Map.of(METRICS, new Shown.Figures(agent::figures));
    }

    /// A process that has begun is alive: starting it anew does not heal its store.
    static Map<String, Shown> health(PoolAgent agent) {
        var pages = new LinkedHashMap<String, Shown>();
        pages.put(RUNTIME + "startup", new Shown.Health(List.of()));
        pages.put(RUNTIME + "readiness", new Shown.Health(List.of(new HealthCheck("store", () -> fault(agent)))));
        pages.put(RUNTIME + "liveness", new Shown.Health(List.of()));
        return pages;
    }

    private static Optional<String> fault(PoolAgent agent) {
        try {
            agent.checkHealth();
            return Optional.empty();
        } catch (SpiderpoolAgentException failed) {
            return Optional.of(failed.words());
        }
    }

    @Override
    public void close() {
        open.forEach(Pages::close);
    }
}
