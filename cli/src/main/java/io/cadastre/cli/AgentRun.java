package io.cadastre.cli;

import io.cadastre.agent.Agent;
import io.cadastre.agent.AgentHome;
import io.cadastre.agent.AgentSettings;
import io.cadastre.agent.HostNamespaces;
import io.cadastre.agent.Plugin;
import io.cadastre.agent.Refusals;
import io.cadastre.agent.Switchboard;
import io.cadastre.agent.calico.CalicoIpam;
import io.cadastre.agent.calico.Means;
import io.cadastre.agent.hostlocal.HostLocal;
import io.cadastre.agent.net.CadastreNet;
import io.cadastre.agent.net.Host;
import io.cadastre.agent.net.PodAnnotations;
import io.cadastre.agent.net.PodEvents;
import io.cadastre.agent.net.PodNotes;
import io.cadastre.agent.net.ServedPlugins;
import io.cadastre.agent.net.StoredPods;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.agent.spiderpool.Spiderpool;
import io.cadastre.agent.spiderpool.SpiderpoolLimits;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.RoutedDatastore;
import io.cadastre.datastore.RoutedDatastore.Route;
import io.cadastre.datastore.sqlite.SqliteDatastore;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.LedgerRetention.Bound;
import io.cadastre.registry.Recorder;
import io.cadastre.wire.calico.AffinityLabels;
import io.cadastre.wire.calico.endpoint.EndpointKeys;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// An agent from its beginning until somebody stops the process.
final class AgentRun {

    /// Shorter than any call may take, so that whoever waits in vain is told so.
    static final Duration FOLDER_LOCK_MAX = Duration.ofSeconds(20);

    /// What answers where no dialect is chosen.
    static final String DIALECT = "calico";

    private final Surroundings surroundings;
    private final StoreOptions storeOptions;
    private final AgentSettings settings;
    private final String node;
    private final List<Bound> ledgerBounds;

    AgentRun(
            Surroundings surroundings,
            StoreOptions storeOptions,
            AgentSettings settings,
            String node) {
        this(surroundings, storeOptions, settings, node, List.of());
    }

    /// @param ledgerBounds how much of its ledger it keeps
    AgentRun(
            Surroundings surroundings,
            StoreOptions storeOptions,
            AgentSettings settings,
            String node,
            List<Bound> ledgerBounds) {
        this.surroundings = surroundings;
        this.storeOptions = storeOptions;
        this.settings = settings;
        this.node = node;
        this.ledgerBounds = List.copyOf(ledgerBounds);
    }

    /// @param announcement is made as soon as calls are answered
    int run(Runnable announcement) {
        try (var stop = StopSignal.begin()) {
            serve(
                    () -> AgentWarmUp.run(surroundings),
                    () -> {
                        announcement.run();
                        surroundings.out().flush();
                        stop.await();
                        surroundings.err().println("cadastre: stopping");
                    });
            return ExitCode.DONE;
        }
    }

    /// Answers calls as long as something is done.
    ///
    /// @param before what is done as soon as the store is open, when no plugin can call yet
    void serve(Runnable before, Runnable during) {
        try (var office = Office.open(storeOptions, surroundings);
                var _ = RetentionOptions.begin(ledgerBounds, office);
                var ledger = ledger(office);
                var store = withRecords(office.datastore());
                var ipam = CalicoIpam.open(ownMeans(office, store, ledger), node, office.pods());
                var _ =
                        start(
                                switchboard(
                                        ownMeans(office, store, ledger),
                                        ipam,
                                        hostLocal(office, home()),
                                        office.pods()),
                                before)) {
            during.run();
        }
    }

    private Agent start(Switchboard switchboard, Runnable before) {
        before.run();
        return Agent.start(settings, switchboard, surroundings::complain);
    }

    /// In a cluster, what a node records of its endpoints concerns nobody else and stays with it.
    private Datastore withRecords(Datastore store) {
        var environment = surroundings.environment();
        return switch (storeOptions.kind(environment)) {
            case EMBEDDED, ETCD -> store;
            case KUBERNETES -> {
                var file = storeOptions.dataDirectory(environment).resolve("endpoints.db");
                labelAffinities(store);
                var own = SqliteDatastore.open(SqliteSettings.of(file));
                yield RoutedDatastore.of(
                        List.of(
                                new Route("", store),
                                new Route(EndpointKeys.ENDPOINTS, own),
                                new Route(EndpointKeys.PROFILES, own)));
            }
        };
    }

    /// Affinities that an old Calico left are not found without labels.
    private void labelAffinities(Datastore store) {
        int labelled = AffinityLabels.complete(store, node);
        if (labelled > 0) {
            surroundings.complain("labelled %d affinities of %s".formatted(labelled, node));
        }
    }

    /// What is decided on a store elsewhere is safe there, so nobody waits for this machine's disk.
    private Recorder ledger(Office office) {
        var ledger = office.ledger();
        return switch (storeOptions.kind(surroundings.environment())) {
            case EMBEDDED -> ledger;
            case ETCD, KUBERNETES -> new LateRecorder(ledger, surroundings::complain);
        };
    }

    /// Its folders are on this machine, whatever the store is.
    private static HostLocal hostLocal(Office office, AgentHome home) {
        return new HostLocal(FOLDER_LOCK_MAX, office.ledger(), office.surroundings().clock(), home);
    }

    private AgentHome home() {
        return new AgentHome(node, storeOptions.repeated(surroundings.environment()));
    }

    private Means ownMeans(Office office, Datastore store, Recorder ledger) {
        return means(office, store, ledger).forCommandsWith(home().commandOptions());
    }

    static Means means(Office office, Datastore store, Recorder ledger) {
        var surroundings = office.surroundings();
        return new Means(
                store, ledger, surroundings.clock(), surroundings.dice(), surroundings.pause());
    }

    private Switchboard switchboard(
            Means means, CalicoIpam calico, HostLocal hostLocal, StoredPods pods) {
        var spiderpool = spiderpool(means);
        Map<String, Plugin> byDialect =
                Map.of(DIALECT, calico, "host-local", hostLocal, "spiderpool", spiderpool);
        Map<String, Plugin> ofAddresses =
                Map.of("calico-ipam", calico, "host-local", hostLocal, "spiderpool", spiderpool);
        var net =
                new CadastreNet(
                        means,
                        Host.own(
                                node,
                                surroundings
                                        .environment()
                                        .getOrDefault("FELIX_INTERFACEPREFIX", ""),
                                surroundings::complain),
                        pods,
                        notes(means),
                        ServedPlugins.of(ofAddresses, byDialect, DIALECT));
        var byName = new HashMap<>(ofAddresses);
        byName.put("cadastre-net", net);
        byName.put("calico", net);
        return new Switchboard(byName, byDialect, DIALECT, new HostNamespaces(), refusals(means));
    }

    /// Addresses of the pools in the store, or of the agent whose socket a network names.
    private Spiderpool spiderpool(Means means) {
        return new Spiderpool(
                new PoolAgent(means, node, poolSettings()),
                SpiderpoolLimits.within(settings.callMax(), settings.delMax()),
                means.pause(),
                surroundings::complain,
                home());
    }

    private PoolAgentSettings poolSettings() {
        return poolSettings(surroundings);
    }

    static PoolAgentSettings poolSettings(Surroundings surroundings) {
        try {
            return PoolAgentSettings.of(surroundings.environment());
        } catch (IllegalArgumentException nonsense) {
            throw new UsageException(String.valueOf(nonsense.getMessage()));
        }
    }

    /// Pods are annotated where there are any; elsewhere the endpoints say it.
    private PodNotes notes(Means means) {
        return switch (storeOptions.kind(surroundings.environment())) {
            case EMBEDDED, ETCD -> PodNotes.NONE;
            case KUBERNETES -> new PodAnnotations(means.store(), surroundings::complain);
        };
    }

    /// A cluster is told of them; anywhere else nobody would look there.
    private Refusals refusals(Means means) {
        return switch (storeOptions.kind(surroundings.environment())) {
            case EMBEDDED, ETCD -> (_, _) -> {};
            case KUBERNETES ->
                    new PodEvents(means.store(), means.clock(), node, surroundings::complain);
        };
    }
}
