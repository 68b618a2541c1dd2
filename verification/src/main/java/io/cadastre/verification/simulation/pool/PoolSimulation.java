package io.cadastre.verification.simulation.pool;

import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodInfo;
import io.cadastre.engine.pool.PodInfo.Life;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolAllocateRequest;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolPreference;
import io.cadastre.engine.pool.PoolPreferences;
import io.cadastre.engine.pool.PoolRecord;
import io.cadastre.engine.pool.PoolReleaseRequest;
import io.cadastre.engine.pool.PoolReleaseRequest.PodState;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.engine.pool.RequestedRoutes;
import io.cadastre.engine.pool.TopController;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.SimulatedThread;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderKind;
import io.cadastre.wire.spiderpool.objects.SpiderKinds;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/// Processes that give pods addresses of shared pools and take them back. One seed is one history.
///
/// A pod that has given back is gone: the next one of its name has another uid, as in a cluster.
public final class PoolSimulation {

    public static final String DIALECT = "spiderpool";

    private final PoolPlan plan;
    private final PoolClients clients;
    private final Simulation stage;
    private final PoolWitness witness;

    /// How many pods of each name have gone.
    private final TreeMap<PodKey, Integer> generations = new TreeMap<>();

    private PoolSimulation(long seed, PoolClients clients) {
        this.clients = clients;
        var dice = new SplittableRandom(seed);
        this.plan = PoolPlan.drawn(dice.split());
        this.stage = new Simulation(seed, DIALECT, dice, plan.faults());
        layOut(stage.store(), plan.addresses());
        this.witness = new PoolWitness(stage.store(), plan.atomic());
        stage.observe(witness::look, () -> PoolHoldings.of(witness.state()));
    }

    /// Two pools of IPv4, one of IPv6, and an address of the first that is never given.
    public static void layOut(Datastore store, int addresses) {
        put(
                store,
                SpiderKinds.POOL,
                "a",
                "{\"subnet\":\"10.1.0.0/24\",\"ips\":[\"10.1.0.1-10.1.0.%d\"]}".formatted(addresses));
        put(
                store,
                SpiderKinds.POOL,
                "b",
                "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.%d\"],\"excludeIPs\":[\"10.2.0.2\"]}"
                        .formatted(addresses));
        put(
                store,
                SpiderKinds.POOL,
                "c",
                "{\"subnet\":\"fd00::/64\",\"ips\":[\"fd00::1-fd00::%x\"]}".formatted(addresses));
        put(store, SpiderKinds.RESERVED, "r", "{\"ips\":[\"10.1.0.2\"]}");
    }

    private static void put(Datastore store, SpiderKind kind, String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject(name, Bytes.ofUtf8(spec)));
        var page = new ObjectBook(store).open();
        var given = new Given(kind, json, new UUID(0, 1), Instant.EPOCH, List.of(Family.IPV4, Family.IPV6));
        var changes = SpiderObjects.create(page.view(), given).changes();
        if (!(page.with(changes).save() instanceof Commit.Done)) {
            throw new AssertionError("%s cannot be laid out".formatted(name));
        }
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return inCluster(seed) ? PoolClusterSimulation.run(seed) : run(seed, PoolClients::real);
    }

    /// Whether the history of a seed is one of a whole cluster. Every third is.
    static boolean inCluster(long seed) {
        return new SplittableRandom(seed).nextInt(3) == 0;
    }

    static Report run(long seed, PoolClients clients) {
        return new PoolSimulation(seed, clients).run();
    }

    private Report run() {
        for (int process = 1; process <= plan.processes(); process++) {
            var name = "agent-" + process;
            stage.startProcess(
                    name, stage.scripts(name, plan.load(), thread -> client -> askNext(thread, client)), this::open);
        }
        return stage.run(witness::states);
    }

    private PoolClient open(ProcessLife life) {
        return clients.open(new RemoteStore(stage.network(), life, plan.atomic()), stage.context(life));
    }

    /// What is asked for a pod.
    private enum Verb {
        ADD,
        RELEASE,
        FORCE
    }

    /// Each thread has pods of its own and asks about shared ones.
    private void askNext(SimulatedThread thread, PoolClient client) {
        var choices = thread.choices();
        boolean shared = choices.nextInt(4) == 0;
        var key = new PodKey(
                "sim",
                shared
                        ? PoolWitness.SHARED + among(thread) + choices.nextInt(plan.sharedPods())
                        : "%s-%d".formatted(thread.prefix(), choices.nextInt(3)));
        var verb =
                switch (choices.nextInt(6)) {
                    case 0, 1 -> Verb.RELEASE;
                    case 2 -> Verb.FORCE;
                    default -> Verb.ADD;
                };
        var preference = preference(choices.nextInt(3));
        int generation = generations.getOrDefault(key, 0);
        // A pod is released because it is gone.
        if (verb == Verb.RELEASE) {
            generations.put(key, generation + 1);
        }
        var task = new Task(verb, key, "uid-" + generation, preference, !shared);
        stage.askUntilRecorded(thread.process(), () -> ask(thread.name(), client, task));
    }

    /// A pod is on one node. Where there are no transactions, two processes that serve one pod at once
    /// write the same and cannot know which of them did it, so that the ledger may record it twice.
    private String among(SimulatedThread thread) {
        return plan.atomic() ? "" : thread.process() + "-";
    }

    private void ask(String actor, PoolClient client, Task task) {
        var words = "%s %s %s".formatted(task.verb(), task.key(), task.uid());
        stage.history().request(actor, words);
        var question = witness.ask(
                PoolRecord.of(task.key(), task.uid()),
                task.exclusive() && !stage.latePost().writes(SpiderKeys.endpoint(task.key())));
        Runnable failed = () -> witness.toldFailed(question);
        switch (task.verb()) {
            case ADD -> {
                var request = request(task.key(), task.uid(), task.preference());
                stage.ask(actor, words, () -> client.allocate(request))
                        .ifAnswered(answer -> witness.told(question, answer))
                        .ifNothingDone(failed);
            }
            case RELEASE -> {
                var request = new PoolReleaseRequest(task.key(), "eth0", task.uid(), new PodState.Gone());
                stage.ask(actor, words, () -> client.release(request))
                        .ifAnswered(answer -> witness.told(question, answer))
                        .ifNothingDone(failed);
            }
            case FORCE -> {
                var request = new ForcedReleaseRequest(task.key(), task.uid());
                stage.ask(actor, words, () -> client.forceRelease(request))
                        .ifAnswered(answer -> witness.told(question, answer))
                        .ifNothingDone(failed);
            }
        }
    }

    /// One thing to ask.
    ///
    /// @param exclusive whether no other process asks about the pod
    private record Task(Verb verb, PodKey key, String uid, PoolPreference preference, boolean exclusive) {}

    /// What a pod may ask for: 0, 1 or 2.
    public static PoolPreference preference(int number) {
        return switch (number) {
            case 0 -> new PoolPreference.Single(new PoolNames(List.of("a", "b"), List.of()));
            case 1 -> new PoolPreference.Single(new PoolNames(List.of("[ab]"), List.of("c")));
            default ->
                new PoolPreference.Several(List.of(
                        item("eth0", new PoolNames(List.of("b"), List.of("c"))),
                        item("net1", new PoolNames(List.of("a"), List.of()))));
        };
    }

    private static PoolPreference.Item item(String nic, PoolNames names) {
        return new PoolPreference.Item(nic, names, GatewayUse.DEFAULT_ROUTE);
    }

    /// The request of this pod.
    public static PoolAllocateRequest request(PodKey key, String uid, PoolPreference preference) {
        return new PoolAllocateRequest(
                new PodInfo(key, uid, "node-1", Life.ALIVE, Labels.NONE, new TopController("v1", "Pod", key.name())),
                "eth0",
                new PoolPreferences(
                        preference,
                        PoolPreferences.NONE.namespace(),
                        PoolPreferences.NONE.configured(),
                        PoolPreferences.NONE.gatewayUse()),
                RequestedRoutes.NONE,
                Networks.unknown("kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY);
    }
}
