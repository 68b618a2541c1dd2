package io.cadastre.verification.simulation.pool;

import io.cadastre.agent.calico.AgentContext;
import io.cadastre.agent.spiderpool.PoolAgent;
import io.cadastre.agent.spiderpool.PoolAgentSettings;
import io.cadastre.controller.ControlLoop;
import io.cadastre.controller.ControllerContext;
import io.cadastre.controller.collection.ClusterSource;
import io.cadastre.controller.spiderpool.collection.PoolGarbageCollection;
import io.cadastre.controller.spiderpool.collection.PoolGcSettings;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.verification.simulation.controller.RivalControllers;
import io.cadastre.verification.simulation.runtime.ProcessLife;
import io.cadastre.verification.simulation.runtime.RemoteStore;
import io.cadastre.verification.simulation.runtime.Report;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.verification.simulation.runtime.SimulationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// A cluster in which agents give pods addresses of pools, pods come back under their names, users change the pools,
/// and two or three controllers, of which one leads, take back what is left. One seed is one history.
///
/// No pod loses what it has; what a StatefulSet keeps stays and is its next pod's; and in the end, when no faults
/// occur any more, nothing is recorded for pods that are gone.
final class PoolClusterSimulation {

    /// How long the controllers have to take back what is left.
    private static final Duration TIDYING_MAX = Duration.ofMinutes(5);

    private static final String SCAN_SECONDS = "20";

    private final ClusterPlan plan;
    private final Simulation stage;
    private final ClusterObjects objects;
    private final ClusterWitness witness;
    private final PoolUser user;
    private final RivalControllers rivals;
    private final List<KubeletScript> scripts = new ArrayList<>();

    private PoolClusterSimulation(long seed) {
        var dice = new SplittableRandom(seed);
        this.plan = ClusterPlan.drawn(dice.split());
        this.stage = new Simulation(seed, PoolSimulation.DIALECT, dice, plan.faults());
        this.objects = new ClusterObjects(stage);
        this.witness = new ClusterWitness(stage.store());
        this.user = new PoolUser(stage, plan.addresses());
        this.rivals = new RivalControllers(stage, plan.trouble(), plan.atomic(), this::collection, this::busy);
        user.begin();
        stage.observe(witness::look);
    }

    /// Runs the simulation of a seed with the code that ships.
    ///
    /// @throws SimulationFailure if anything was not as it must be
    static Report run(long seed) {
        return new PoolClusterSimulation(seed).run();
    }

    private ControlLoop collection(ControllerContext context) {
        var settings = PoolGcSettings.of(Map.of("SPIDERPOOL_GC_DEFAULT_INTERVAL_DURATION", SCAN_SECONDS));
        return new PoolGarbageCollection(
                context,
                plan.cleaning() ? settings.deletingOutdatedEndpoints() : settings,
                ClusterSource.CALICO_AND_KUBERNETES);
    }

    private Report run() {
        for (int number = 1; number <= plan.agents(); number++) {
            startAgent("node-" + number);
        }
        stage.startUser("user", user.script(plan.edits(), stage.splitDice()));
        rivals.start(plan.controllers());
        stage.startSupervisor(this::busy, this::supervise);
        return stage.run(witness::states);
    }

    private void startAgent(String node) {
        objects.addNode(node);
        var own = new ArrayList<KubeletScript>();
        for (int number = 1; number <= plan.podsEach(); number++) {
            own.add(new KubeletScript(stage, objects, witness, node, number, plan.livesEach(), stage.splitDice()));
        }
        scripts.addAll(own);
        stage.startProcess(node, own, life -> agent(node, life));
    }

    private PoolAgent agent(String node, ProcessLife life) {
        return new PoolAgent(
                new AgentContext(
                        new RemoteStore(stage.network(), life, plan.atomic()),
                        new Ledger(new MemoryJournal()),
                        stage.scheduler(),
                        stage.splitDice(),
                        stage.scheduler().pausing()),
                node,
                PoolAgentSettings.of(Map.of()));
    }

    private boolean busy() {
        return stage.anyUserAtWork() || scripts.stream().anyMatch(script -> !script.finished());
    }

    /// Waits until nothing is recorded for any pod.
    private void supervise() {
        scripts.forEach(KubeletScript::retire);
        stage.await(() -> !anythingLeft(), TIDYING_MAX);
        if (anythingLeft()) {
            stage.fail("all pods are gone, and the pools record %s, and there are %d endpoints"
                    .formatted(witness.left(), witness.endpoints()));
        }
        rivals.finish();
    }

    private boolean anythingLeft() {
        return !witness.left().isEmpty() || (plan.cleaning() && witness.endpoints() > 0);
    }
}
