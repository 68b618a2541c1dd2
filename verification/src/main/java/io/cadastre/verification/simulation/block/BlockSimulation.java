package io.cadastre.verification.simulation.block;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.IpamConfig;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.release.AffinityRelease;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import io.cadastre.verification.simulation.runtime.WatchersStore;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.calico.CalicoKeys;
import io.cadastre.wire.calico.CalicoReflector;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Eight hosts that take and give back addresses of blocks for pods and tunnels, two of them Windows, some
/// of which watch what they decide on and some of which are switched off for ever; an operator that changes
/// pools and reservations meanwhile, a process that deletes a pool, and a collector. One seed is one
/// history.
public final class BlockSimulation {

    public static final String DIALECT = "calico";

    /// How far instants that are given are apart at least, in nanoseconds: a block's first number is its
    /// time, and from there it counts.
    private static final long INSTANTS_APART = 1000;

    private final BlockPlan plan;
    private final BlockClients clients;
    private final Simulation stage;
    private final BlockWorld cluster;
    private final BlockWitness witness;
    private final AddressUsers tenants = new AddressUsers();
    private final Map<String, CalicoReflector> reflectors = new TreeMap<>();
    private long instantsGiven;

    private BlockSimulation(long seed, BlockClients clients) {
        this.clients = clients;
        var dice = new SplittableRandom(seed);
        this.plan = BlockPlan.of(seed, dice.split());
        this.stage = new Simulation(seed, DIALECT, dice, plan.faults());
        this.cluster = new BlockWorld(stage.store(), plan, stage.scheduler());
        cluster.found();
        this.witness = new BlockWitness(stage, plan, cluster);
        witness.limit(AddressUsers.SHARED_CAPPED, AddressUsers.CAP);
        for (int host = 1; host <= BlockPlan.HOSTS; host++) {
            witness.limit(AddressUsers.tunnel(BlockWorld.host(host)).handle(), 1);
        }
        stage.observe(witness::look, witness::holdings);
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return run(seed, BlockClients::real);
    }

    static Report run(long seed, BlockClients clients) {
        return new BlockSimulation(seed, clients).run();
    }

    private Report run() {
        for (int host = 1; host <= BlockPlan.HOSTS; host++) {
            var name = BlockWorld.host(host);
            boolean watches = host > BlockPlan.HOSTS - plan.watchers();
            stage.startProcess(
                    name,
                    stage.scripts(name, plan.load(), thread -> new BlockRequests(this, thread)),
                    watches ? life -> openWatching(name, life) : this::open,
                    () -> close(name));
        }
        if (plan.deaths() > 0) {
            stage.startWorker("reaper", new Reaper(stage.splitDice()));
        }
        if (plan.regime() == BlockPlan.Regime.CHANGING) {
            stage.startWorker("operator", new Operator(stage.splitDice()));
            var removals = stage.splitDice();
            if (plan.emphasis() == BlockPlan.Emphasis.RIVALS) {
                long same = removals.nextLong();
                startRemover("remover-1", new SplittableRandom(same));
                startRemover("remover-2", new SplittableRandom(same));
            } else if (removals.nextInt(3) == 0) {
                startRemover("remover", removals);
            }
        }
        if (plan.leaks()) {
            stage.startController(
                    "collect", life -> new BlockCollection(stage, witness, tenants, open(life), this::instant));
        }
        return stage.run(this::takeEverythingBack, witness::states);
    }

    private void startRemover(String name, SplittableRandom choices) {
        stage.startController(name, life -> new PoolRemover(name, choices, open(life), this::instant));
    }

    private BlockClient open(ProcessLife life) {
        return clients.open(remote(life), store -> new CalicoBook(store, stage.scheduler()), stage.context(life));
    }

    private RemoteStore remote(ProcessLife life) {
        return new RemoteStore(stage.network(), life, plan.atomic());
    }

    /// The threads of the reflector are virtual and inherit the scheduler of this one.
    private BlockClient openWatching(String host, ProcessLife life) {
        return clients.open(
                new WatchersStore(remote(life), life),
                store -> {
                    var reflector =
                            CalicoReflector.begin(store, Owner.host(host), stage.scheduler(), stage.scheduler()::pause);
                    reflectors.put(host, reflector);
                    return reflector.book();
                },
                stage.context(life));
    }

    /// Of a host that does not watch there is nothing to close.
    private void close(String host) {
        var reflector = reflectors.remove(host);
        if (reflector != null) {
            reflector.close();
        }
    }

    BlockPlan plan() {
        return plan;
    }

    Simulation stage() {
        return stage;
    }

    BlockWitness witness() {
        return witness;
    }

    AddressUsers tenants() {
        return tenants;
    }

    /// The time now, which is not given twice.
    Instant instant() {
        return stage.scheduler().instant().plusNanos(++instantsGiven * INSTANTS_APART);
    }

    /// Whatever was left half done, the holders give back, the hosts go, and nothing is left.
    private void takeEverythingBack() {
        new BlockRemoval(cluster, this::instant).run();
    }

    /// Switches hosts off. Their pods are gone with them, and so may be their documents.
    private final class Reaper implements Runnable {

        private final SplittableRandom choices;

        Reaper(SplittableRandom choices) {
            this.choices = choices;
        }

        @Override
        public void run() {
            for (int number = 1; number <= plan.deaths(); number++) {
                stage.rest(choices, 1500);
                var host = BlockWorld.host(choices.nextInt(1, BlockPlan.HOSTS + 1));
                stage.switchOff(host);
                tenants.lose(host).forEach(handle -> witness.ask(host, handle, true));
                if (choices.nextBoolean()) {
                    stage.network().delete("reaper", CalicoKeys.NODES + host);
                }
            }
        }
    }

    /// Changes pools and reservations, straight in the store.
    private final class Operator implements Runnable {

        private static final int CHANGES_MAX = 5;
        private static final int RESTLESS_CHANGES = 30;
        private static final long REST_MAX = 800;
        private static final long RESTLESS_REST_MAX = 60;
        private static final String RESERVATION = "kept-free";

        private final SplittableRandom choices;
        private final TreeMap<String, BlockWorld.Serving> servings = new TreeMap<>();

        Operator(SplittableRandom choices) {
            this.choices = choices;
        }

        @Override
        public void run() {
            boolean restless =
                    switch (plan.emphasis()) {
                        case LATE_REQUESTS, COMPACTIONS -> true;
                        case NONE, RIVALS -> false;
                    };
            int changes = restless ? RESTLESS_CHANGES : choices.nextInt(CHANGES_MAX);
            long restMax = restless ? RESTLESS_REST_MAX : REST_MAX;
            for (int number = 1; number <= changes; number++) {
                stage.rest(choices, restMax);
                if (choices.nextBoolean()) {
                    togglePool();
                } else {
                    reserve();
                }
            }
        }

        private void togglePool() {
            var pool = plan.pools().get(choices.nextInt(plan.pools().size()));
            var serving = servings.get(pool.name()) == BlockWorld.Serving.DISABLED
                    ? BlockWorld.Serving.ENABLED
                    : BlockWorld.Serving.DISABLED;
            servings.put(pool.name(), serving);
            stage.network().put("operator", CalicoKeys.POOLS + pool.name(), BlockWorld.pool(pool, serving));
        }

        private void reserve() {
            var addresses = new TreeSet<String>();
            for (var pool : plan.pools()) {
                addresses.add(pool.cidr().first().plus(choices.nextInt(16)).toString());
            }
            stage.network()
                    .put(
                            "operator",
                            CalicoKeys.RESERVATIONS + RESERVATION,
                            BlockWorld.reservation(RESERVATION, List.copyOf(addresses)));
        }
    }

    /// Deletes a pool as the command line does, and sets it up again. First it gives nothing new, then its
    /// blocks are given up, then it is deleted. Holders of its addresses keep them.
    private final class PoolRemover implements Runnable {

        private static final Duration NOTICE = Duration.ofMillis(500);
        private static final int TRIES_MAX = 5;

        private final String name;
        private final SplittableRandom choices;
        private final BlockClient client;
        private final Supplier<Instant> clock;

        PoolRemover(String name, SplittableRandom choices, BlockClient client, Supplier<Instant> clock) {
            this.name = name;
            this.choices = choices;
            this.client = client;
            this.clock = clock;
        }

        @Override
        public void run() {
            var pool = plan.pools().get(choices.nextInt(plan.pools().size()));
            var key = CalicoKeys.POOLS + pool.name();
            stage.rest(choices, 600);
            stage.network().put(name, key, BlockWorld.pool(pool, BlockWorld.Serving.DISABLED));
            stage.scheduler().pause(NOTICE);
            if (releaseBlocks(pool)) {
                stage.network().delete(name, key);
                stage.history().event(name, "removed pool " + pool.name());
            }
            stage.rest(choices, 600);
            stage.network().put(name, key, BlockWorld.pool(pool, BlockWorld.Serving.ENABLED));
            client.settleAccounts(stage, name);
        }

        private boolean releaseBlocks(BlockPlan.PoolPlan pool) {
            for (int number = 1; number <= TRIES_MAX; number++) {
                try {
                    var words = "release pool " + pool.cidr();
                    stage.history().request(name, words);
                    var now = clock.get();
                    var release = client.enact(
                            words, view -> BlockEngine.releasePool(view, pool.cidr(), Attempts.first(now)));
                    stage.history().event(name, words + " -> " + release);
                    return release instanceof AffinityRelease.Done;
                } catch (UnsettledException | UnrecordedException | DatastoreException unsettled) {
                    stage.history().event(name, "unsettled");
                }
            }
            return false;
        }
    }

    /// Some configuration that is allowed.
    IpamConfig drawnConfig(SplittableRandom choices) {
        return plan.config().withStrictAffinity(choices.nextBoolean()).withCooldownSeconds(choices.nextInt(3));
    }
}
