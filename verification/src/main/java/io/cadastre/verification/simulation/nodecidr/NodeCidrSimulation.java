package io.cadastre.verification.simulation.nodecidr;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Commit;
import io.cadastre.datastore.Watch;
import io.cadastre.datastore.Write;
import io.cadastre.engine.nodecidr.NodeCidrAssignment;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Reply;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.SimulatedThread;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import io.cadastre.wire.kubernetes.NodeBook;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// Processes that add and remove nodes, one that registers nodes without CIDRs, and a controller that
/// watches and serves those. One seed is one history.
public final class NodeCidrSimulation {

    public static final String DIALECT = "node-cidr";

    private static final String REGISTERED = "kubelet-";
    private static final Duration WATCH_LIMIT = Duration.ofMillis(200);

    private final NodeCidrPlan plan;
    private final NodeCidrClients clients;
    private final Simulation stage;
    private final NodeCidrWitness witness;

    private NodeCidrSimulation(long seed, NodeCidrClients clients) {
        this.clients = clients;
        var dice = new SplittableRandom(seed);
        this.plan = NodeCidrPlan.drawn(dice.split());
        this.stage = new Simulation(seed, DIALECT, dice, plan.faults());
        var book = new NodeBook(stage.store(), plan.config(), stage.scheduler());
        this.witness = new NodeCidrWitness(stage.store(), () -> book.open().view(), stage.ledger());
        stage.observe(witness::look, () -> NodeCidrHoldings.of(book.open().view()));
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return run(seed, NodeCidrClients::real);
    }

    static Report run(long seed, NodeCidrClients clients) {
        return new NodeCidrSimulation(seed, clients).run();
    }

    private Report run() {
        for (int process = 1; process <= plan.processes(); process++) {
            var name = "proc-" + process;
            stage.startProcess(
                    name, stage.scripts(name, plan.load(), thread -> client -> askNext(thread, client)), this::open);
        }
        if (plan.registrations() > 0) {
            startRegistrations();
            startController();
        }
        return stage.run(witness::states);
    }

    private NodeCidrClient open(ProcessLife life) {
        return open(new RemoteStore(stage.network(), life, plan.atomic()), life);
    }

    private NodeCidrClient open(RemoteStore store, ProcessLife life) {
        return clients.open(store, plan.config(), stage.context(life));
    }

    /// Each thread has nodes of its own and asks about shared ones.
    private void askNext(SimulatedThread thread, NodeCidrClient client) {
        var choices = thread.choices();
        boolean shared = choices.nextInt(4) == 0;
        var node = shared
                ? "shared-" + choices.nextInt(plan.sharedNodes())
                : "%s-%d".formatted(thread.prefix(), choices.nextInt(3));
        boolean adds = choices.nextInt(3) > 0;
        stage.askUntilRecorded(thread.process(), () -> {
            if (adds) {
                add(thread.name(), client, node, !shared);
            } else {
                remove(thread.name(), client, node, !shared);
            }
        });
    }

    private Reply<NodeCidrAssignment> add(String actor, NodeCidrClient client, String node, boolean exclusive) {
        var words = "add " + node;
        var question = question(actor, words, node, exclusive);
        return stage.ask(actor, words, () -> client.add(node))
                .ifAnswered(answer -> witness.told(question, answer))
                .ifNothingDone(() -> witness.toldFailed(question));
    }

    private void remove(String actor, NodeCidrClient client, String node, boolean exclusive) {
        var words = "remove " + node;
        var question = question(actor, words, node, exclusive);
        stage.ask(actor, words, () -> client.remove(node))
                .ifAnswered(answer -> witness.told(question, answer))
                .ifNothingDone(() -> witness.toldFailed(question));
    }

    /// Nothing can be promised of a node while a request of an earlier question is still under way.
    private NodeCidrWitness.Question question(String actor, String words, String node, boolean exclusive) {
        stage.history().request(actor, words);
        return witness.ask(node, exclusive && !stage.latePost().writes(NodeBook.NODES + node));
    }

    /// Node documents without CIDRs, as kubelets write them, straight to the store.
    private void startRegistrations() {
        var pauses = stage.splitDice();
        stage.startWorker("kubelets", () -> {
            for (int number = 1; number <= plan.registrations(); number++) {
                stage.rest(pauses, 500);
                register(REGISTERED + number);
            }
        });
    }

    private void register(String node) {
        var document = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(node);
        var commit = stage.network()
                .apply("kubelets", List.of(new Write.Create(NodeBook.NODES + node, Bytes.ofUtf8(document))));
        if (!(commit instanceof Commit.Done)) {
            throw new AssertionError("%s could not be registered: %s".formatted(node, commit));
        }
    }

    /// Lists, watches, and asks for CIDRs for every registered node; asking for one that has some changes
    /// nothing. It may crash at any store call and begins again. Once all other processes have finished,
    /// every registered node has its CIDRs or there are none left.
    private void startController() {
        stage.startController("control", life -> () -> {
            control(life);
            witness.requireServed(REGISTERED);
        });
    }

    private void control(ProcessLife life) {
        var remote = new RemoteStore(stage.network(), life, true);
        var client = open(remote, life);
        // Ends: after a compaction it lists anew, and the other scripts go on.
        while (!controlled(remote, client)) {
            stage.history().event("control", "lists anew");
        }
    }

    /// Lists and watches. Returns whether there is nothing left to do.
    private boolean controlled(RemoteStore remote, NodeCidrClient client) {
        var unserved = new TreeSet<String>();
        var listing = remote.listAll(NodeBook.NODES);
        listing.documents().forEach(document -> note(document.key(), unserved));
        try (var watch = remote.watch(NodeBook.NODES, listing.revision())) {
            // Ends: every worker has a bounded script, and then nothing changes any more.
            while (true) {
                boolean last = !stage.anyWorkerAtWork();
                boolean settled = serve(client, unserved);
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
                            return true;
                        }
                    }
                    case Watch.Notice.Compacted _ -> {
                        return false;
                    }
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

    /// Asks for each node, keeps those that got nothing, and returns whether every question had an answer.
    private boolean serve(NodeCidrClient client, SortedSet<String> unserved) {
        boolean settled = true;
        for (var node : List.copyOf(unserved)) {
            settled &= add("control", client, node, true)
                    .ifAnswered(answer -> {
                        if (answer instanceof NodeCidrAssignment.Assigned) {
                            unserved.remove(node);
                        }
                    })
                    .answered();
        }
        return settled;
    }
}
