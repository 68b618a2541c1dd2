package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.controller.ControlLoops;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.election.ElectionSettings;
import io.cadastre.controller.election.LeaderElectionLoop;
import io.cadastre.controller.election.LeaderElector;
import io.cadastre.controller.nodecidr.NodeIpam;
import io.cadastre.controller.nodecidr.NodeIpamSettings;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType;
import io.cadastre.controller.nodecidr.NodeWriter;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.controller.ElectedLoops;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/// A cluster whose Nodes come and go, often under the name of one before, and two or three controllers of which
/// one gives them CIDRs: they are stopped, killed and closed, lose their lease, and their clocks differ. One seed is
/// one history.
///
/// Besides what [NodeIpamWitness] looks for after every write, three things must hold in the end, when no more faults
/// occur. Every Node has CIDRs, or none are left. When all Nodes are deleted, and no late write can arrive any more,
/// each block can be given again. And no controller begins a patch while another has the lease.
public final class NodeIpamSimulation {

    public static final String DIALECT = "node-ipam";

    private static final long LIFE_MILLISECONDS_MAX = 120_000;
    private static final long DOWN_MILLISECONDS_MAX = 20_000;

    private static final long OVERLAP_MILLISECONDS_MAX = 4_000;

    /// Waits grow with each failure, so the last one may be as long as all before.
    private static final Duration SERVING_MAX = Duration.ofMinutes(20);

    /// Longer than a block is held for a late write, by a slow clock.
    private static final Duration LATE_WRITES = Duration.ofSeconds(140);

    private final Simulation stage;
    private final NodeIpamPlan plan;
    private final UnaryOperator<NodeWriter> writers;
    private final NodeIpamWitness witness;
    private final SimulatedApi api;
    private final NodePeople people;

    /// How many processes have begun.
    private int beginnings;

    private boolean over;

    private NodeIpamSimulation(long seed, UnaryOperator<NodeWriter> writers) {
        var dice = new SplittableRandom(seed);
        this.plan = NodeIpamPlan.drawn(dice.split());
        this.writers = writers;
        this.stage = new Simulation(seed, DIALECT, dice, plan.faults());
        this.witness = new NodeIpamWitness(stage, plan);
        this.api = new SimulatedApi(stage, plan, stage.splitDice(), witness);
        this.people = new NodePeople(stage, plan, api, witness);
        stage.observe(() -> witness.look(api.nodes()));
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    public static Report run(long seed) {
        return run(seed, UnaryOperator.identity());
    }

    /// @param writers puts something between a controller and the API server
    static Report run(long seed, UnaryOperator<NodeWriter> writers) {
        return new NodeIpamSimulation(seed, writers).run();
    }

    private Report run() {
        for (int number = 1; number <= plan.people(); number++) {
            stage.startUser("person-" + number, people.script(number, stage.splitDice()));
        }
        for (int number = 1; number <= plan.controllers(); number++) {
            var name = "control-" + number;
            var host = SimulatedHost.drawn(stage.splitDice());
            var choices = stage.splitDice();
            stage.startWorker(name, () -> controlForever(name, host, choices));
        }
        stage.startSupervisor(stage::anyUserAtWork, this::supervise);
        return stage.run(witness::requireRecorded, witness::looks);
    }

    private void supervise() {
        people.tidy();
        stage.await(() -> api.late() == 0, SERVING_MAX);
        stage.await(() -> witness.unserved(api.nodes()).isEmpty(), SERVING_MAX);
        requireServed();
        people.deleteAll();
        stage.scheduler().pause(LATE_WRITES);
        int room = witness.room(List.of());
        for (int number = 1; number <= room; number++) {
            api.create("people", "last-" + number, List.of());
        }
        stage.await(() -> api.nodes().stream().noneMatch(node -> node.podCidrs().isEmpty()), SERVING_MAX);
        requireServed();
        over = true;
    }

    private void requireServed() {
        var unserved = witness.unserved(api.nodes());
        if (!unserved.isEmpty()) {
            over = true;
            stage.fail("%s have no CIDRs, and some are free: %s".formatted(unserved, api.nodes()));
        }
    }

    // ---- controllers ----

    private void controlForever(String name, SimulatedHost host, SplittableRandom choices) {
        // Ends: when the supervisor has seen the end.
        for (int number = 1; !over; number++) {
            controlOnce("%s.%d".formatted(name, number), name, host, choices);
            if (stage.anyUserAtWork()) {
                stage.rest(choices, DOWN_MILLISECONDS_MAX);
            }
        }
    }

    /// One process from its beginning to its end, which is a kill or an orderly one.
    private void controlOnce(String identity, String name, SimulatedHost host, SplittableRandom choices) {
        var process = new SimulatedProcess(stage, host, identity, choices.split(), plan.machines());
        var remote = new RemoteStore(stage.network(), process.life(), true);
        var store = new ProcessStore(remote, process, stage.network());
        var told = new Ledger(host.journal());
        var journal = new ProcessJournal(host.journal(), process, stage.network(), () -> witness.appended(name, told));
        var means = new ControllerContext(
                store,
                new Ledger(journal),
                process.clock(),
                process.stopwatch(),
                choices.split(),
                process.pause(),
                words -> note(identity, words));
        var writer = writers.apply(new ProcessWriter(process, api, store));
        var ipam = new NodeIpam(
                means, new NodeIpamSettings(new AllocatorType.Range(plan.config()), plan.writers()), writer);
        var settings = ElectionSettings.of(SimulatedApi.NAMESPACE, SimulatedApi.LEASE, identity);
        var elector = new LeaderElector(store, settings, means.stopwatch(), means.clock());
        observe(elector);
        var loops = ControlLoops.begin(means, identity, List.of(ipam));
        var election = new LeaderElectionLoop(
                elector,
                settings,
                means.stopwatch(),
                choices.split(),
                means.pause(),
                new ElectedLoops(stage, loops, identity, () -> witness.ended(identity)),
                means.reports());
        election.begin();
        beginnings++;
        awaitEnd(choices);
        if (!plan.rolling() && choices.nextBoolean() && !over) {
            stage.history().event(identity, "is killed");
            witness.ended(identity);
            process.life().end();
            election.stop();
            loops.close();
        } else {
            election.stop();
            loops.close();
            if (!loops.unsettled()) {
                election.vacate();
            }
        }
    }

    private void note(String identity, String words) {
        stage.history().event(identity, words);
        if (words.contains("a failure that is a bug")) {
            stage.fail("%s: %s".formatted(identity, words));
        }
    }

    /// As the controller does, which goes on without.
    private static void observe(LeaderElector elector) {
        try {
            elector.observe();
        } catch (DatastoreException _) {
            // The loops list again when they are elected.
        }
    }

    private void awaitEnd(SplittableRandom choices) {
        var end = stage.scheduler().instant().plus(Duration.ofMillis(choices.nextLong(LIFE_MILLISECONDS_MAX)));
        int before = beginnings;
        while (!over && (!stage.anyUserAtWork() || stage.scheduler().instant().isBefore(end))) {
            stage.scheduler().pause(Simulation.LOOK);
            if (plan.rolling() && stage.anyUserAtWork() && beginnings > before) {
                stage.rest(choices, OVERLAP_MILLISECONDS_MAX);
                return;
            }
        }
    }
}
