package io.cadastre.verification.simulation;

import io.cadastre.address.Family;
import io.cadastre.address.RangeSet;
import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.pool.AllocateRequest;
import io.cadastre.engine.pool.Controller;
import io.cadastre.engine.pool.ForcedReleaseRequest;
import io.cadastre.engine.pool.Labels;
import io.cadastre.engine.pool.Networks;
import io.cadastre.engine.pool.Nic.GatewayUse;
import io.cadastre.engine.pool.PodKey;
import io.cadastre.engine.pool.PoolHoldings;
import io.cadastre.engine.pool.PoolNames;
import io.cadastre.engine.pool.PoolSettings;
import io.cadastre.engine.pool.ReleaseRequest;
import io.cadastre.engine.pool.ReleaseRequest.Standing;
import io.cadastre.engine.pool.Tenancy;
import io.cadastre.engine.pool.Tenant;
import io.cadastre.engine.pool.Tenant.Life;
import io.cadastre.engine.pool.Wish;
import io.cadastre.engine.pool.WishedRoutes;
import io.cadastre.engine.pool.Wishes;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.json.Json;
import io.cadastre.wire.spiderpool.objects.ObjectBook;
import io.cadastre.wire.spiderpool.objects.SpiderKeys;
import io.cadastre.wire.spiderpool.objects.SpiderObjects;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Given;
import io.cadastre.wire.spiderpool.objects.SpiderObjects.Kind;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;

/// Processes that give pods addresses of shared pools and take them back. One seed is one history.
///
/// A pod that has given back is gone: the next one of its name has another uid, as in a cluster.
public final class PoolSimulation {

    private final PoolPlan plan;
    private final PoolOffices offices;
    private final Stage stage;
    private final SeededScheduler scheduler;
    private final History history;
    private final PoolWitness witness;

    /// How many pods of each name have gone.
    private final TreeMap<PodKey, Integer> generations = new TreeMap<>();

    private PoolSimulation(long seed, PoolOffices offices) {
        this.offices = offices;
        var dice = new SplittableRandom(seed);
        this.plan = PoolPlan.drawn(dice.split());
        this.stage = new Stage(seed, Dialect.SPIDERPOOL, dice, plan.weather());
        this.scheduler = stage.scheduler();
        this.history = stage.history();
        layOut(stage.store(), plan.addresses());
        this.witness = new PoolWitness(stage.store(), plan.atomic());
        stage.observe(witness::look, () -> PoolHoldings.of(witness.state()));
    }

    /// Two pools of IPv4, one of IPv6, and an address of the first that nobody may have.
    static void layOut(Datastore store, int addresses) {
        put(
                store,
                Kind.POOL,
                "a",
                "{\"subnet\":\"10.1.0.0/24\",\"ips\":[\"10.1.0.1-10.1.0.%d\"]}"
                        .formatted(addresses));
        put(
                store,
                Kind.POOL,
                "b",
                "{\"subnet\":\"10.2.0.0/24\",\"ips\":[\"10.2.0.1-10.2.0.%d\"],\"excludeIPs\":[\"10.2.0.2\"]}"
                        .formatted(addresses));
        put(
                store,
                Kind.POOL,
                "c",
                "{\"subnet\":\"fd00::/64\",\"ips\":[\"fd00::1-fd00::%x\"]}".formatted(addresses));
        put(store, Kind.RESERVED, "r", "{\"ips\":[\"10.1.0.2\"]}");
    }

    private static void put(Datastore store, Kind kind, String name, String spec) {
        var json = Json.emptyObject();
        json.putObject("metadata").put("name", name);
        json.set("spec", Json.readObject(name, Bytes.ofUtf8(spec)));
        var page = new ObjectBook(store).open();
        var given =
                new Given(
                        kind,
                        json,
                        new UUID(0, 1),
                        Instant.EPOCH,
                        List.of(Family.IPV4, Family.IPV6));
        var changes = SpiderObjects.create(page.view(), given).changes();
        if (!(page.with(changes).save() instanceof Commit.Done)) {
            throw new AssertionError("%s cannot be laid out".formatted(name));
        }
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return run(seed, PoolOffices::real);
    }

    static Report run(long seed, PoolOffices offices) {
        return new PoolSimulation(seed, offices).run();
    }

    private Report run() {
        for (int process = 1; process <= plan.processes(); process++) {
            var name = "agent-" + process;
            var scripts = new ArrayList<PodScript>();
            for (int thread = 1; thread <= plan.threadsPerProcess(); thread++) {
                scripts.add(new PodScript(name, thread, stage.splitDice()));
            }
            stage.startProcess(
                    name,
                    scripts,
                    life ->
                            offices.open(
                                    new RemoteStore(stage.network(), life, plan.atomic()),
                                    new PoolOffices.Desk(
                                            stage.journal(life),
                                            stage.ledgerWitness(),
                                            scheduler,
                                            stage.splitDice())));
        }
        return stage.run(() -> {}, witness::states);
    }

    /// What is asked for a pod.
    private enum Verb {
        ADD,
        RELEASE,
        FORCE
    }

    /// What one thread asks, one after the other. It has pods of its own and asks about shared ones.
    private final class PodScript implements Script<PoolOffice> {

        private static final int REMINDERS_MAX = 20;

        private final String process;
        private final String name;
        private final SplittableRandom choices;
        private int asked;

        PodScript(String process, int thread, SplittableRandom choices) {
            this.process = process;
            this.name = "%s.%d".formatted(process, thread);
            this.choices = choices;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean finished() {
            return asked >= plan.requestsPerThread();
        }

        @Override
        public void perform(PoolOffice office) {
            while (!finished()) {
                asked++;
                boolean shared = choices.nextInt(4) == 0;
                var key =
                        new PodKey(
                                "sim",
                                shared
                                        ? PoolWitness.SHARED
                                                + among()
                                                + choices.nextInt(plan.sharedPods())
                                        : "%s-%d"
                                                .formatted(
                                                        name.replace('.', '-'),
                                                        choices.nextInt(3)));
                var verb =
                        switch (choices.nextInt(6)) {
                            case 0, 1 -> Verb.RELEASE;
                            case 2 -> Verb.FORCE;
                            default -> Verb.ADD;
                        };
                var wish = wish(choices.nextInt(3));
                int generation = generations.getOrDefault(key, 0);
                // Whoever releases a pod does so because it is gone.
                if (verb == Verb.RELEASE) {
                    generations.put(key, generation + 1);
                }
                askUntilRecorded(office, new Errand(verb, key, "uid-" + generation, wish, !shared));
            }
        }

        /// A pod is on one node. Where there are no transactions, two processes that serve one pod at once
        /// write the same and cannot tell who did it, so that the ledger may tell of it twice.
        private String among() {
            return plan.atomic() ? "" : process + "-";
        }

        /// Again while the ledger does not have it, since asking twice is asking once.
        private void askUntilRecorded(PoolOffice office, Errand errand) {
            ask(office, errand);
            for (int time = 1; time <= REMINDERS_MAX && stage.owes(process); time++) {
                ask(office, errand);
            }
        }

        private void ask(PoolOffice office, Errand errand) {
            var words = "%s %s %s".formatted(errand.verb(), errand.key(), errand.uid());
            history.request(name, words);
            var question =
                    witness.ask(
                            Tenancy.of(errand.key(), errand.uid()),
                            errand.exclusive()
                                    && !stage.latePost().writes(SpiderKeys.endpoint(errand.key())));
            try {
                switch (errand.verb()) {
                    case ADD -> {
                        var answer =
                                office.allocate(request(errand.key(), errand.uid(), errand.wish()));
                        history.event(name, words + " -> " + answer);
                        witness.told(question, answer);
                    }
                    case RELEASE -> {
                        var answer =
                                office.release(
                                        new ReleaseRequest(
                                                errand.key(),
                                                "eth0",
                                                errand.uid(),
                                                new Standing.Gone()));
                        history.event(name, words + " -> " + answer);
                        witness.told(question, answer);
                    }
                    case FORCE -> {
                        var answer =
                                office.forceRelease(
                                        new ForcedReleaseRequest(errand.key(), errand.uid()));
                        history.event(name, words + " -> " + answer);
                        witness.told(question, answer);
                    }
                }
            } catch (UnsettledException unsettled) {
                history.event(name, words + " -> unsettled");
                if (!unsettled.perhapsDone()) {
                    witness.toldFailed(question);
                }
            } catch (UnrecordedException done) {
                history.event(name, words + " -> unrecorded");
            } catch (DatastoreException failed) {
                history.event(name, words + " -> failed");
                witness.toldFailed(question);
            }
        }
    }

    /// One thing to ask.
    ///
    /// @param exclusive whether nobody else asks about the pod
    private record Errand(Verb verb, PodKey key, String uid, Wish wish, boolean exclusive) {}

    /// What a pod may ask for: 0, 1 or 2.
    static Wish wish(int number) {
        return switch (number) {
            case 0 -> new Wish.Single(new PoolNames(List.of("a", "b"), List.of()));
            case 1 -> new Wish.Single(new PoolNames(List.of("[ab]"), List.of("c")));
            default ->
                    new Wish.Several(
                            List.of(
                                    item("eth0", new PoolNames(List.of("b"), List.of("c"))),
                                    item("net1", new PoolNames(List.of("a"), List.of()))));
        };
    }

    private static Wish.Item item(String nic, PoolNames names) {
        return new Wish.Item(nic, names, GatewayUse.DEFAULT_ROUTE);
    }

    /// The request of this pod.
    static AllocateRequest request(PodKey key, String uid, Wish wish) {
        return new AllocateRequest(
                new Tenant(
                        key,
                        uid,
                        "node-1",
                        Life.ALIVE,
                        Labels.NONE,
                        new Controller("v1", "Pod", key.name())),
                "eth0",
                new Wishes(
                        wish,
                        Wishes.NONE.namespace(),
                        Wishes.NONE.configured(),
                        Wishes.NONE.gatewayUse()),
                WishedRoutes.NONE,
                Networks.unknown("kube-system"),
                PoolSettings.DEFAULT,
                RangeSet.EMPTY);
    }
}
