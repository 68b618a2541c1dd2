package io.cadastre.verification.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cadastre.address.Family;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Document;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.sqlite.SqliteJournal;
import io.cadastre.datastore.sqlite.SqliteSettings;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.registry.LateRecorder;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Recorder;
import io.cadastre.registry.Registrar;
import io.cadastre.verification.benchmarks.PoolAgents.Books;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderPoolDocument;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Pools of which many agents give addresses at once: W6, a pool that just suffices, and W9, pods with many
/// interfaces. Both on a real API server and on a store in memory that answers after three milliseconds.
public final class PoolBenchmark {

    private static final int AGENTS = 16;
    private static final int ADDRESSES = 1000;
    private static final int WARM_UP_RUNS = 3;
    private static final double ACCOUNTING_SECONDS_MAX = 1;
    private static final double RAW_PERCENT_MIN = 80;

    private static final List<Integer> SIZES = List.of(24, 16, 10);
    private static final double SIZES_RATIO_MAX = 2;

    private static final int INTERFACES = 16;
    private static final int PODS = 128;
    private static final double INTERFACES_SECONDS_MAX = 3;

    private static final Duration CALL = Duration.ofMillis(3);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    private static final int LOOKS_MAX = 300;

    /// One request is one commit, as where each takes its address by a compare-and-set of its own.
    private static final Registrar.Limits ONE_BY_ONE =
            new Registrar.Limits(PoolAgent.LIMITS.attemptsMax(), 1, 10_000, PoolAgent.LIMITS.backoffMax());

    private final PrintStream out;
    private final BenchContext means;
    private final Map<String, String> environment;
    private int runs;

    public PoolBenchmark(PrintStream out, BenchContext means, Map<String, String> environment) {
        this.out = out;
        this.means = means;
        this.environment = environment;
    }

    /// What is to be measured.
    public enum Work {
        W6,
        W9
    }

    public void measure(List<Work> works) throws IOException, InterruptedException, GeneralSecurityException {
        var directory = Files.createTempDirectory("cadastre-bench-ledger");
        try (var journal = SqliteJournal.open(SqliteSettings.of(directory.resolve("ledger.db")));
                var ledger = new LateRecorder(new Ledger(journal), out::println)) {
            inMemory(works, ledger);
            var assets = Path.of(environment.getOrDefault("KUBEBUILDER_ASSETS", ""));
            if (Files.isExecutable(assets.resolve("kube-apiserver"))) {
                onApiServer(works, assets, ledger);
            } else {
                out.println("W6 and W9 were measured in memory only: a real API server needs KUBEBUILDER_ASSETS,"
                        + " KUBEBUILDER_ASSETS=$(testbed/kubernetes kube-apiserver) ./cadastre bench W6 W9");
            }
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void inMemory(List<Work> works, Recorder ledger) throws InterruptedException {
        try (var memory = new MemoryDatastore()) {
            var trial = new Trial(
                    "in memory, 3 ms a call", memory, _ -> new DistantStore(memory, CALL, means.pause()), ledger);
            for (int run = 0; run < WARM_UP_RUNS; run++) {
                trial.run(AGENTS, PoolAgent.LIMITS, Books.POOLS_AND_ENDPOINTS);
            }
            if (works.contains(Work.W6)) {
                judgeSizes();
                judgeAccounting(trial);
                compare(trial);
                var full = trial.run(AGENTS, PoolAgent.LIMITS, Books.POOLS_AND_ENDPOINTS);
                trial.say("W6 with an endpoint for each pod", full);
            }
            if (works.contains(Work.W9)) {
                judgeInterfaces(trial);
            }
        }
    }

    private void onApiServer(List<Work> works, Path assets, Recorder ledger)
            throws IOException, InterruptedException, GeneralSecurityException {
        try (var server = ApiServerPeer.start(means, assets)) {
            server.install(Path.of("deploy/crds/spiderpool.spidernet.io-v2beta1.yaml"));
            var stores = new ArrayList<Datastore>();
            try {
                for (int agent = 0; agent < AGENTS; agent++) {
                    stores.add(server.open());
                }
                awaitKinds(stores.getFirst());
                var trial = new Trial("API server", stores.getFirst(), stores::get, ledger).counting(server);
                out.printf(Locale.ROOT, "load average %s%n", loadAverage());
                trial.run(AGENTS, PoolAgent.LIMITS, Books.POOLS_AND_ENDPOINTS);
                if (works.contains(Work.W6)) {
                    judgeAccounting(trial);
                    judgeEndpoints(trial);
                    compare(trial);
                }
                if (works.contains(Work.W9)) {
                    judgeInterfaces(trial);
                }
                out.printf(Locale.ROOT, "load average %s; a missed bar does not fail this run%n", loadAverage());
            } finally {
                stores.forEach(Datastore::close);
            }
        }
    }

    private void awaitKinds(Datastore store) throws InterruptedException {
        for (int look = 0; look < LOOKS_MAX; look++) {
            try {
                store.listAll(SpiderKeys.POOLS);
                store.listAll(SpiderKeys.RESERVED);
                store.listAll(SpiderKeys.ENDPOINTS);
                return;
            } catch (DatastoreException _) {
                // The server does not serve them yet.
            }
            means.pause().pause(BETWEEN_LOOKS);
        }
        throw new IllegalStateException("the API server does not serve the objects of Spiderpool");
    }

    private static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
    }

    // ---- what is measured ----

    /// A pool of any size costs the same.
    private void judgeSizes() {
        var micros = PoolSizes.micros(SIZES);
        for (int index = 0; index < SIZES.size(); index++) {
            out.printf(
                    Locale.ROOT,
                    "W6 a decision on an address of a /%d: %.2f us%n",
                    SIZES.get(index),
                    micros.get(index));
        }
        judge("W6 of a /10, times of a /24", micros.getLast() / micros.getFirst(), SIZES_RATIO_MAX);
    }

    private void judgeAccounting(Trial trial) throws InterruptedException {
        for (int run = 0; run < 3; run++) {
            var accounting = trial.run(AGENTS, PoolAgent.LIMITS, Books.POOLS);
            trial.say("W6 pool accounting alone", accounting);
            judge("W6 seconds for the pool's addresses", accounting.figures().seconds(), ACCOUNTING_SECONDS_MAX);
        }
    }

    private void judgeEndpoints(Trial trial) throws InterruptedException {
        for (int run = 0; run < 3; run++) {
            var before = trial.rawCreates();
            var full = trial.run(AGENTS, PoolAgent.LIMITS, Books.POOLS_AND_ENDPOINTS);
            var after = trial.rawCreates();
            trial.say("W6 with an endpoint for each pod", full);
            double raw = (before.perSecond() + after.perSecond()) / 2;
            double percent = 100 * full.figures().perSecond() / raw;
            out.printf(
                    Locale.ROOT,
                    "W6 of raw creates by %d writers, %.0f/s before and %.0f/s after: %.0f %% (bar %.0f), %s%n",
                    AGENTS,
                    before.perSecond(),
                    after.perSecond(),
                    percent,
                    RAW_PERCENT_MIN,
                    words(percent >= RAW_PERCENT_MIN));
        }
    }

    /// How else the agents could go about it.
    private void compare(Trial trial) throws InterruptedException {
        trial.say(
                "W6 pool accounting by one writer for all, as an elected one would be",
                trial.run(1, PoolAgent.LIMITS, Books.POOLS));
        trial.say("W6 pool accounting, a compare-and-set for each address", trial.run(AGENTS, ONE_BY_ONE, Books.POOLS));
    }

    private void judgeInterfaces(Trial trial) throws InterruptedException {
        for (int run = 0; run < 3; run++) {
            var interfaces = trial.runInterfaces();
            trial.say("W9 %d interfaces of each of %d pods".formatted(INTERFACES, PODS), interfaces);
            judge("W9 seconds", interfaces.figures().seconds(), INTERFACES_SECONDS_MAX);
        }
    }

    private void judge(String what, double value, double bar) {
        out.printf(Locale.ROOT, "%s: %.2f (bar %.0f), %s%n", what, value, bar, words(value <= bar));
        out.flush();
    }

    private static String words(boolean met) {
        return met ? "met" : "missed";
    }

    /// What a run came to.
    ///
    /// @param requests what the server counted
    private record Run(Figures figures, int failures, int doubled, int missing, String requests) {}

    // ---- runs ----

    /// Agents over one store, and what they do there. Each run has pools and a namespace of its own.
    private final class Trial {

        private final String place;
        private final Datastore store;
        private final IntFunction<Datastore> stores;
        private final Recorder ledger;
        private List<ApiServerPeer> servers = List.of();

        Trial(String place, Datastore store, IntFunction<Datastore> stores, Recorder ledger) {
            this.place = place;
            this.store = store;
            this.stores = stores;
            this.ledger = ledger;
        }

        Trial counting(ApiServerPeer server) {
            servers = List.of(server);
            return this;
        }

        void say(String what, Run run) {
            out.printf(
                    Locale.ROOT,
                    "%s, %s: %.2f s, %s; %d failed, %d doubled, %d missing%s%n",
                    what,
                    place,
                    run.figures().seconds(),
                    run.figures().words(),
                    run.failures(),
                    run.doubled(),
                    run.missing(),
                    run.requests());
            out.flush();
        }

        private PoolAgents agents(int count, Registrar.Limits limits, Books books) {
            return new PoolAgents(IntStream.range(0, count).mapToObj(stores).toList(), limits, books, ledger, means);
        }

        /// All addresses of a pool that has just as many as there are pods.
        Run run(int agentCount, Registrar.Limits limits, Books books) throws InterruptedException {
            int run = ++runs;
            var pool = "exact-%d".formatted(run);
            addPool(
                    pool,
                    "10.%d.0.0/16".formatted(run),
                    "10.%d.1.0-10.%d.%d.%d".formatted(run, run, 1 + (ADDRESSES - 1) / 256, (ADDRESSES - 1) % 256));
            var agents = agents(agentCount, limits, books);
            var before = counts();
            var figures = ConcurrentCallers.measure(
                    ADDRESSES,
                    1,
                    (pod, _) -> agents.allocate(
                            pod, new PodKey("run-" + run, "pod-" + pod), "eth0", PoolAgents.single(pool)));
            var requests = counts(before);
            return judged(figures, agents, ADDRESSES, List.of(pool), requests);
        }

        /// Pods that have as many interfaces, each in a network of its own, and ask for all of them at once.
        Run runInterfaces() throws InterruptedException {
            int run = ++runs;
            var word = "many-%d-".formatted(run);
            var pools = new ArrayList<String>();
            for (int number = 0; number < INTERFACES; number++) {
                pools.add(word + number);
                addPool(
                        word + number,
                        "10.%d.%d.0/24".formatted(run, number),
                        "10.%1$d.%2$d.1-10.%1$d.%2$d.%3$d".formatted(run, number, PODS));
            }
            var agents = agents(AGENTS, PoolAgent.LIMITS, Books.POOLS_AND_ENDPOINTS);
            var before = counts();
            var figures = ConcurrentCallers.measure(
                    PODS * INTERFACES,
                    1,
                    (caller, _) -> agents.allocate(
                            caller / INTERFACES,
                            new PodKey("run-" + run, "pod-" + caller / INTERFACES),
                            PoolAgents.nic(caller % INTERFACES),
                            PoolAgents.several(word, INTERFACES)));
            var requests = counts(before);
            return judged(figures, agents, PODS * INTERFACES, pools, requests);
        }

        private Run judged(Figures figures, PoolAgents agents, int wanted, List<String> pools, String requests) {
            var told = agents.given();
            var distinct = new HashSet<>(told);
            var recorded = pools.stream()
                    .flatMap(pool -> pool(pool).pool().records().keySet().stream())
                    .collect(Collectors.toSet());
            var uncounted = pools.stream().filter(pool -> !counted(pool)).toList();
            if (!recorded.equals(distinct) || !uncounted.isEmpty()) {
                throw new IllegalStateException(
                        "%d addresses are recorded and %d were given, %d of them recorded; wrong counts have %s"
                                .formatted(
                                        recorded.size(),
                                        distinct.size(),
                                        distinct.stream()
                                                .filter(recorded::contains)
                                                .count(),
                                        uncounted));
            }
            return new Run(
                    figures, agents.failures(), told.size() - distinct.size(), wanted - distinct.size(), requests);
        }

        private boolean counted(String name) {
            var pool = pool(name);
            return pool.json()
                    .at("/status/allocatedIPCount")
                    .toString()
                    .equals(Integer.toString(pool.pool().held().size()));
        }

        private SpiderPoolDocument pool(String name) {
            return SpiderPoolDocument.decode(
                    name, store.get(SpiderKeys.pool(name)).map(Document::value).orElseThrow());
        }

        private void addPool(String name, String subnet, String ips) {
            var json = Json.emptyObject();
            json.putObject("metadata").put("name", name);
            json.putObject("spec").put("subnet", subnet).putArray("ips").add(ips);
            var given = new Given(
                    SpiderKinds.POOL, json, new UUID(0, 1), means.clock().instant(), List.of(Family.IPV4, Family.IPV6));
            var page = new ObjectBook(store).open();
            var commit = page.with(SpiderObjects.create(page.view(), given).changes())
                    .save();
            if (!(commit instanceof Commit.Done)) {
                throw new IllegalStateException("pool %s was not created: %s".formatted(name, commit));
            }
        }

        /// Endpoints as large as those of a run, and nothing else, by as many writers as there are agents.
        Figures rawCreates() throws InterruptedException {
            int run = ++runs;
            var sample = store.list(SpiderKeys.ENDPOINTS, 1).documents().getFirst();
            var values = new ArrayList<Bytes>();
            for (int pod = 0; pod < ADDRESSES; pod++) {
                var json = Json.readObject(sample.key(), sample.value());
                ((ObjectNode) json.path("metadata"))
                        .put("namespace", "raw-" + run)
                        .put("name", "pod-" + pod)
                        .remove(List.of("uid", "creationTimestamp", "generation"));
                values.add(Json.write(json));
            }
            return ConcurrentCallers.measure(AGENTS, ADDRESSES / AGENTS, (writer, number) -> {
                int pod = number * AGENTS + writer;
                var write =
                        new Write.Create(SpiderKeys.endpoint(new PodKey("raw-" + run, "pod-" + pod)), values.get(pod));
                if (!(stores.apply(writer).commit(List.of(write)) instanceof Commit.Done)) {
                    throw new IllegalStateException("not created: " + write.key());
                }
            });
        }

        // ---- what the server counted ----

        private List<Long> counts() {
            return servers.stream()
                    .flatMap(server -> Stream.of("spiderippools", "spiderendpoints", "spiderreservedips")
                            .flatMap(resource -> Stream.of("GET", "LIST", "POST", "PUT", "PATCH")
                                    .map(verb -> requests(server, resource, verb))))
                    .toList();
        }

        private static long requests(ApiServerPeer server, String resource, String verb) {
            try {
                return server.requests(resource, verb);
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        private String counts(List<Long> before) {
            var now = counts();
            var words = new ArrayList<String>();
            var names = Stream.of("pools", "endpoints", "reserved")
                    .flatMap(resource ->
                            Stream.of("GET", "LIST", "POST", "PUT", "PATCH").map(verb -> verb + " " + resource))
                    .toList();
            for (int index = 0; index < now.size(); index++) {
                long more = now.get(index) - before.get(index);
                if (more > 0) {
                    words.add("%d %s".formatted(more, names.get(index)));
                }
            }
            return words.isEmpty() ? "" : "; " + String.join(", ", words);
        }
    }
}
