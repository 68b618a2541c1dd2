package io.cadastre.verification.simulation;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.nodecidr.Assignment;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.kubernetes.NodeBook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/// Processes that add and remove nodes, one that registers nodes without CIDRs, and a controller that
/// watches and serves those. One seed is one history.
public final class NodeCidrSimulation {

    private static final int STEPS_MAX = 200_000;
    private static final Duration RESTART_MAX = Duration.ofSeconds(2);
    private static final String REGISTERED = "kubelet-";
    private static final Duration WATCH_LIMIT = Duration.ofMillis(200);

    /// A process is restarted this often; then it stays dead.
    private static final int LIVES_MAX = 20;

    private final long seed;
    private final SplittableRandom dice;
    private final Plan plan;
    private final Offices offices;
    private final SeededScheduler scheduler;
    private final History history;
    private final Datastore store = new MemoryDatastore();
    private final Ledger ledger = new Ledger(new MemoryJournal());
    private final LatePost latePost = new LatePost();
    private final Network network;
    private final Witness witness;
    private int workersAtWork;

    private NodeCidrSimulation(long seed, Offices offices) {
        this.seed = seed;
        this.offices = offices;
        this.dice = new SplittableRandom(seed);
        this.plan = Plan.drawn(dice.split());
        this.scheduler = new SeededScheduler(dice.split());
        this.history = new History(scheduler);
        var book = new NodeBook(store, plan.config(), scheduler);
        this.witness = new Witness(store, () -> book.open().view(), ledger);
        this.network =
                new Network(
                        store,
                        scheduler,
                        dice.split(),
                        plan.weather(),
                        history,
                        latePost,
                        witness::look);
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return run(seed, Offices::real);
    }

    static Report run(long seed, Offices offices) {
        return new NodeCidrSimulation(seed, offices).run();
    }

    private Report run() {
        for (int process = 1; process <= plan.processes(); process++) {
            startProcess("proc-" + process);
        }
        if (plan.registrations() > 0) {
            startRegistrations();
            startController();
        }
        try {
            scheduler.run(STEPS_MAX);
        } catch (AssertionError failure) {
            throw new SimulationFailure(seed, failure, history.lines(), ledger.read(1, 1000));
        }
        return new Report(
                seed,
                history.lines(),
                history.requests(),
                history.events(),
                history.faults(),
                witness.states());
    }

    /// A process with several threads on one registrar. When it crashes it is restarted and goes on
    /// with what it has left to ask.
    private void startProcess(String name) {
        var scripts = new ArrayList<Script>();
        for (int thread = 1; thread <= plan.threadsPerProcess(); thread++) {
            scripts.add(new Script("%s.%d".formatted(name, thread), dice.split()));
        }
        var restartDice = dice.split();
        scheduler.start(
                name,
                () -> {
                    for (int number = 1; number <= LIVES_MAX; number++) {
                        liveOnce(new Life(name), scripts);
                        if (scripts.stream().allMatch(Script::finished)) {
                            return;
                        }
                        history.event(name, "is restarted");
                        scheduler.pause(
                                Duration.ofMillis(restartDice.nextLong(RESTART_MAX.toMillis())));
                    }
                });
    }

    private void liveOnce(Life life, List<Script> scripts) {
        var remote = new RemoteStore(network, life);
        var office = offices.open(remote, desk());
        var ends = new ArrayList<CompletableFuture<Boolean>>();
        for (var script : scripts) {
            var end = new CompletableFuture<Boolean>();
            ends.add(end);
            workersAtWork++;
            scheduler.start(
                    script.name(),
                    () -> {
                        try {
                            script.perform(office);
                        } catch (Crash crash) {
                            history.event(script.name(), "dies");
                        } finally {
                            workersAtWork--;
                            end.complete(true);
                        }
                    });
        }
        ends.forEach(CompletableFuture::join);
    }

    private Offices.Desk desk() {
        return new Offices.Desk(plan.config(), ledger, scheduler, dice.split());
    }

    /// What one thread asks, one after the other. It has nodes of its own and asks about shared ones.
    private final class Script {

        private final String name;
        private final SplittableRandom choices;
        private int asked;

        Script(String name, SplittableRandom choices) {
            this.name = name;
            this.choices = choices;
        }

        String name() {
            return name;
        }

        boolean finished() {
            return asked >= plan.requestsPerThread();
        }

        void perform(Office office) {
            while (!finished()) {
                asked++;
                boolean shared = choices.nextInt(4) == 0;
                var node =
                        shared
                                ? "shared-" + choices.nextInt(plan.sharedNodes())
                                : "%s-%d".formatted(name.replace('.', '-'), choices.nextInt(3));
                ask(office, node, !shared, choices.nextInt(3) > 0);
            }
        }

        private void ask(Office office, String node, boolean exclusive, boolean add) {
            var words = (add ? "add " : "remove ") + node;
            var question = question(name, words, node, exclusive);
            try {
                if (add) {
                    var answer = office.add(node);
                    history.event(name, words + " -> " + answer);
                    witness.told(question, answer);
                } else {
                    var answer = office.remove(node);
                    history.event(name, words + " -> " + answer);
                    witness.told(question, answer);
                }
            } catch (UnsettledException unsettled) {
                history.event(name, words + " -> unsettled");
            } catch (DatastoreException failed) {
                history.event(name, words + " -> failed");
                witness.toldFailed(question);
            }
        }
    }

    /// Nothing can be promised of a node while a request of an earlier question is still under way.
    private Witness.Question question(String actor, String words, String node, boolean exclusive) {
        history.request(actor, words);
        return witness.ask(node, exclusive && !latePost.writes(NodeBook.NODES + node));
    }

    /// Node documents without CIDRs, as kubelets write them, straight to the store.
    private void startRegistrations() {
        var pauses = dice.split();
        workersAtWork++;
        scheduler.start(
                "kubelets",
                () -> {
                    for (int number = 1; number <= plan.registrations(); number++) {
                        scheduler.pause(Duration.ofMillis(pauses.nextLong(500)));
                        register(REGISTERED + number);
                    }
                    workersAtWork--;
                });
    }

    private void register(String node) {
        var document =
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}"
                        .formatted(node);
        var commit =
                network.apply(
                        "kubelets",
                        List.of(new Write.Create(NodeBook.NODES + node, Bytes.ofUtf8(document))));
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError("%s could not be registered: %s".formatted(node, commit));
        }
    }

    /// Lists, watches, and asks for CIDRs for every registered node; asking for one that has some
    /// changes nothing. It may crash at any store call and begins again. Once everybody else has
    /// finished, every registered node has its CIDRs or there are none left.
    private void startController() {
        scheduler.start(
                "control",
                () -> {
                    for (int number = 1; number <= LIVES_MAX; number++) {
                        try {
                            control(new Life("control"));
                            witness.requireServed(REGISTERED);
                            return;
                        } catch (Crash crash) {
                            history.event("control", "is restarted");
                        }
                    }
                });
    }

    private void control(Life life) {
        var remote = new RemoteStore(network, life);
        var office = offices.open(remote, desk());
        var unserved = new TreeSet<String>();
        var listing = remote.listAll(NodeBook.NODES);
        listing.documents().forEach(document -> note(document.key(), unserved));
        try (var watch = remote.watch(NodeBook.NODES, listing.revision())) {
            // Ends: every worker has a bounded script, and then nothing changes any more.
            while (true) {
                boolean last = workersAtWork == 0;
                boolean settled = serve(office, unserved);
                switch (watch.next(WATCH_LIMIT)) {
                    case Watch.Notice.Changed changed -> {
                        for (var change : changed.changes()) {
                            if (change instanceof Watch.Change.Put put) {
                                note(put.key(), unserved);
                            }
                        }
                    }
                    case Watch.Notice.Quiet _ -> {
                        if (last && settled) {
                            return;
                        }
                    }
                    case Watch.Notice.Compacted _ ->
                            throw new AssertionError("nothing is compacted here");
                }
            }
        }
    }

    private static void note(String key, SortedSet<String> unserved) {
        var node = key.substring(NodeBook.NODES.length());
        if (node.startsWith(REGISTERED)) {
            unserved.add(node);
        }
    }

    /// Asks for each node, keeps those that got nothing, and tells whether every question had an
    /// answer.
    private boolean serve(Office office, SortedSet<String> unserved) {
        boolean settled = true;
        for (var node : List.copyOf(unserved)) {
            var words = "add " + node;
            var question = question("control", words, node, true);
            try {
                var answer = office.add(node);
                history.event("control", words + " -> " + answer);
                witness.told(question, answer);
                if (answer instanceof Assignment.Assigned) {
                    unserved.remove(node);
                }
            } catch (UnsettledException unsettled) {
                history.event("control", words + " -> unsettled");
                settled = false;
            }
        }
        return settled;
    }
}
