package io.cadastre.cli.run;

import io.cadastre.agent.AddFailureListener;
import io.cadastre.agent.Agent;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.AgentSettings;
import io.cadastre.agent.HostNamespaces;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.PluginRouter;
import io.cadastre.agent.ServedPlugins;
import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.net.CadastreNet;
import io.cadastre.agent.net.Host;
import io.cadastre.agent.net.NamespaceCache;
import io.cadastre.agent.net.PodAnnotations;
import io.cadastre.agent.net.PodEvents;
import io.cadastre.agent.net.PodNotes;
import io.cadastre.agent.spiderpool.AgentPages;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.agent.spiderpool.Spiderpool;
import io.cadastre.agent.spiderpool.SpiderpoolLimits;
import io.cadastre.agent.spiderpool.SpiderpoolServer;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.session.Cluster;
import io.cadastre.cli.session.Session;
import io.cadastre.cli.session.StoreOptions;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.LedgerRetention.Bound;
import io.cadastre.registry.Recorder;
import io.cadastre.wire.calico.AffinityLabels;
import io.cadastre.wire.calico.endpoint.EndpointKeys;
import io.cadastre.wire.spiderpool.PodIdentity;
import io.cadastre.wire.spiderpool.settings.SpiderpoolSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/// A running agent, from start to stop.
public final class AgentRun {

    /// Shorter than the limit of any call, so that a caller that waits in vain gets an error.
    public static final Duration FOLDER_LOCK_MAX = Duration.ofSeconds(20);

    /// The dialect if none is chosen.
    public static final String DIALECT = "calico";

    private final CommandContext context;
    private final StoreOptions storeOptions;
    private final AgentSettings settings;
    private final String node;
    private final List<Bound> ledgerBounds;
    private final SpiderpoolSettings spiderpoolSettings;

    /// Where the API of Spiderpool's agent is served; empty if it is not.
    private final String spiderpoolSocket;

    /// Where its metrics and health checks are.
    private final InetAddress spiderpoolHost;

    AgentRun(CommandContext context, StoreOptions storeOptions, AgentSettings settings, String node) {
        this(context, storeOptions, settings, node, List.of(), SpiderpoolSettings.of(Map.of()));
    }

    /// @param ledgerBounds how much of the ledger to keep
    AgentRun(
            CommandContext context,
            StoreOptions storeOptions,
            AgentSettings settings,
            String node,
            List<Bound> ledgerBounds,
            SpiderpoolSettings spiderpoolSettings) {
        this(
                context,
                storeOptions,
                settings,
                node,
                ledgerBounds,
                spiderpoolSettings,
                "",
                InetAddress.getLoopbackAddress());
    }

    private AgentRun(
            CommandContext context,
            StoreOptions storeOptions,
            AgentSettings settings,
            String node,
            List<Bound> ledgerBounds,
            SpiderpoolSettings spiderpoolSettings,
            String spiderpoolSocket,
            InetAddress spiderpoolHost) {
        this.context = context;
        this.storeOptions = storeOptions;
        this.settings = settings;
        this.node = node;
        this.ledgerBounds = List.copyOf(ledgerBounds);
        this.spiderpoolSettings = spiderpoolSettings;
        this.spiderpoolSocket = spiderpoolSocket;
        this.spiderpoolHost = spiderpoolHost;
    }

    /// This, with the API of Spiderpool's agent on another socket.
    AgentRun servingSpiderpool(Path socket) {
        return new AgentRun(
                context,
                storeOptions,
                settings,
                node,
                ledgerBounds,
                spiderpoolSettings,
                socket.toString(),
                spiderpoolHost);
    }

    /// This, with metrics and health checks of Spiderpool's agent on another address of this machine.
    AgentRun monitoredOn(InetAddress host) {
        return new AgentRun(
                context, storeOptions, settings, node, ledgerBounds, spiderpoolSettings, spiderpoolSocket, host);
    }

    /// Something that is stopped with the agent.
    @FunctionalInterface
    private interface Served extends AutoCloseable {
        @Override
        void close();
    }

    /// @param announcement printed as soon as calls are answered
    int run(Runnable announcement) {
        try (var stop = StopSignal.begin()) {
            serve(() -> AgentWarmUp.run(context), () -> {
                announcement.run();
                context.out().flush();
                stop.await();
                context.err().println("cadastre: stopping");
            });
            return ExitCode.DONE;
        }
    }

    /// Answers calls while the given work runs.
    ///
    /// @param before runs as soon as the store is open, before any plugin can call
    void serve(Runnable before, Runnable during) {
        try (var session = Session.open(storeOptions, context);
                var _ = RetentionOptions.begin(ledgerBounds, session);
                var ledger = ledger(session);
                var store = withRecords(session.datastore());
                var namespaces = namespaces(session);
                var ipam = CalicoIpam.open(
                        ownMeans(session, store, ledger), node, session.pods().with(namespaces))) {
            var means = ownMeans(session, store, ledger);
            var pools = new PoolAgent(means, node, PoolAgentSettings.of(spiderpoolSettings), namespaces);
            try (var _ = start(router(session, means, pools, ipam, namespaces), before);
                    var _ = servePools(means, pools);
                    var _ = AgentPages.open(spiderpoolSettings, spiderpoolHost, pools, context.out()::println)) {
                during.run();
            }
        }
    }

    private Served servePools(AgentContext means, PoolAgent pools) {
        return spiderpoolSocket.isEmpty()
                ? () -> {}
                : SpiderpoolServer.start(
                                Path.of(spiderpoolSocket),
                                pools,
                                settings.readMax(),
                                refusalsOfPools(means),
                                context::complain)::close;
    }

    private Agent start(PluginRouter router, Runnable before) {
        before.run();
        return Agent.start(settings, router, context::complain);
    }

    /// In a cluster each reading is a request to the API server; elsewhere the right to watch may be missing.
    private NamespaceCache namespaces(Session session) {
        var store = session.datastore();
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED, ETCD -> NamespaceCache.unwatched(store, context.pause());
            case KUBERNETES -> NamespaceCache.begin(store, context.pause());
        };
    }

    /// In a cluster, only a node itself uses the records of its endpoints, so they stay on the node.
    private Datastore withRecords(Datastore store) {
        var environment = context.environment();
        return switch (storeOptions.kind(environment)) {
            case EMBEDDED, ETCD -> store;
            case KUBERNETES -> {
                var file = storeOptions.dataDirectory(environment).resolve("endpoints.db");
                labelAffinities(store);
                var own = SqliteDatastore.open(SqliteSettings.of(file));
                yield RoutedDatastore.of(List.of(
                        new Route("", store),
                        new Route(EndpointKeys.ENDPOINTS, own),
                        new Route(EndpointKeys.PROFILES, own)));
            }
        };
    }

    /// Affinities of an old Calico have no labels and are not found without them. A cluster of Spiderpool's pools may
    /// lack Calico's kinds.
    private void labelAffinities(Datastore store) {
        try {
            int labelled = AffinityLabels.complete(store, node);
            if (labelled > 0) {
                context.complain("labelled %d affinities of %s".formatted(labelled, node));
            }
        } catch (DatastoreException failed) {
            if (failed.kind() != DatastoreException.Kind.NOT_INSTALLED) {
                throw failed;
            }
            context.complain(
                    "this cluster lacks Calico's kinds, so this agent serves only other dialects; for Calico's,"
                            + " apply the definitions of deploy/crds");
        }
    }

    /// A decision on a remote store is durable there, so callers do not wait for this machine's disk.
    private Recorder ledger(Session session) {
        var ledger = session.ledger();
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED -> ledger;
            case ETCD, KUBERNETES -> new LateRecorder(ledger, context::complain);
        };
    }

    /// Its folders are on this machine with every store.
    private static HostLocal hostLocal(Session session, AgentHome home) {
        return new HostLocal(
                FOLDER_LOCK_MAX, session.ledger(), session.context().clock(), home);
    }

    private AgentHome home() {
        return new AgentHome(node, storeOptions.repeated(context.environment()));
    }

    private AgentContext ownMeans(Session session, Datastore store, Recorder ledger) {
        return means(session, store, ledger).forCommandsWith(home().commandOptions());
    }

    public static AgentContext means(Session session, Datastore store, Recorder ledger) {
        var context = session.context();
        return new AgentContext(store, ledger, context.clock(), context.dice(), context.pause());
    }

    private PluginRouter router(
            Session session, AgentContext means, PoolAgent pools, CalicoIpam calico, NamespaceCache namespaces) {
        var hostLocal = hostLocal(session, home());
        var spiderpool = spiderpool(means, pools);
        Map<String, Plugin> byDialect = Map.of(DIALECT, calico, "host-local", hostLocal, "spiderpool", spiderpool);
        var ofAddresses = new ServedPlugins(
                Map.of("calico-ipam", calico, "host-local", hostLocal, "spiderpool", spiderpool), byDialect, DIALECT);
        var net = new CadastreNet(
                means,
                calico.gate(),
                Host.own(node, context.environment().getOrDefault("FELIX_INTERFACEPREFIX", ""), context::complain),
                session.pods().with(namespaces),
                notes(session, means),
                ofAddresses);
        return new PluginRouter(
                ofAddresses.with(Map.of("cadastre-net", net, "calico", net)), new HostNamespaces(), refusals(means));
    }

    /// Addresses of the pools in the store, or of the agent whose socket a network names.
    private Spiderpool spiderpool(AgentContext means, PoolAgent pools) {
        return new Spiderpool(
                pools,
                SpiderpoolLimits.within(settings.callMax(), settings.delMax()),
                means.pause(),
                context::complain,
                home());
    }

    /// In a cluster, pods get annotations; elsewhere the endpoints have the addresses.
    private PodNotes notes(Session session, AgentContext means) {
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED, ETCD -> PodNotes.NONE;
            case KUBERNETES -> new PodAnnotations(means.store(), Cluster.podPatch(session), context::complain);
        };
    }

    /// In a cluster, refusals become events; other stores have no events.
    private AddFailureListener refusals(AgentContext means) {
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED, ETCD -> (_, _) -> {};
            case KUBERNETES -> events(means);
        };
    }

    private BiConsumer<PodIdentity, String> refusalsOfPools(AgentContext means) {
        return switch (storeOptions.kind(context.environment())) {
            case EMBEDDED, ETCD -> (_, _) -> {};
            case KUBERNETES -> events(means)::refused;
        };
    }

    private PodEvents events(AgentContext means) {
        return new PodEvents(means.store(), means.clock(), node, context::complain);
    }
}
