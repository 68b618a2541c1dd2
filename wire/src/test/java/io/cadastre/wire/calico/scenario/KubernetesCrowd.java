package io.cadastre.wire.calico.scenario;

import static io.cadastre.wire.calico.scenario.Words.pool;
import static org.awaitility.Awaitility.await;

import io.cadastre.address.Family;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attribute;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.Owner;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.wire.calico.CalicoReflector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Agents of as many nodes, each with connections, a watch and a registrar of its own.
record KubernetesCrowd(Datastore store, ScenarioCluster cluster, List<Agent> agents) implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    /// The addresses that the agents got, and how long it took.
    ///
    /// @param nanos how long each address took
    record Answers(List<String> addresses, List<Long> nanos, long elapsedNanos) {

        double perSecond() {
            return addresses.size() / (elapsedNanos / 1e9);
        }
    }

    /// One of them.
    private record Agent(
            String node, Datastore store, CalicoReflector reflector, Registrar<BlockView, BlockChange> registrar) {

        static Agent on(String node, KubernetesPlace place, Pause pause) {
            var store = place.open();
            var reflector = CalicoReflector.begin(store, Owner.host(node), () -> ScenarioCluster.NOW, pause);
            return new Agent(
                    node,
                    store,
                    reflector,
                    new Registrar<>(
                            reflector.book(),
                            new Ledger(new MemoryJournal()),
                            Registrar.Limits.DEFAULT,
                            () -> ScenarioCluster.NOW,
                            new Random(node.hashCode()),
                            pause));
        }

        List<String> take(String handle) {
            var request = AssignRequest.on(node, AddressUse.WORKLOAD, ScenarioCluster.NOW)
                    .ipv4(Ask.of(1))
                    .by(Requester.of(handle));
            return ScenarioCluster.texts(registrar.enact(
                    new Request<>("an address", (view, lost) -> BlockEngine.assign(view, request.after(lost)))));
        }

        void close() {
            reflector.close();
            store.close();
        }
    }

    /// As many agents on an empty server, all of which know what they watch.
    static KubernetesCrowd gather(KubernetesPlace place, int count, String pool, Pause pause) {
        var store = place.openEmpty();
        var cluster = ScenarioCluster.of(store, place.scenery(), pool("p", pool));
        var agents = new ArrayList<Agent>();
        for (int number = 0; number < count; number++) {
            var node = "agent-" + number;
            cluster.node(node);
            agents.add(Agent.on(node, place, pause));
        }
        await().atMost(START_LIMIT)
                .until(() -> agents.stream().allMatch(agent -> agent.reflector().inSync()));
        return new KubernetesCrowd(store, cluster, agents);
    }

    /// All agents take addresses at once, each one after another, `addressCount` together.
    Answers take(int addressCount) throws InterruptedException, ExecutionException {
        return take(addressCount, 1);
    }

    /// All agents take addresses at once, `addressCount` together, each agent for this many pods at a time.
    Answers take(int addressCount, int podsAtOnce) throws InterruptedException, ExecutionException {
        var addresses = new ArrayList<String>();
        var nanos = new ArrayList<Long>();
        long begun = System.nanoTime();
        int callers = agents.size() * podsAtOnce;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<Answers>>();
            for (int caller = 0; caller < callers; caller++) {
                // The first few take one more than the others, if it must be.
                int count = (addressCount + callers - 1 - caller) / callers;
                running.add(threads.submit(taking(agents.get(caller % agents.size()), "caller-" + caller, count)));
            }
            for (var one : running) {
                addresses.addAll(one.get().addresses());
                nanos.addAll(one.get().nanos());
            }
        }
        return new Answers(addresses, nanos, System.nanoTime() - begun);
    }

    private static Callable<Answers> taking(Agent agent, String caller, int count) {
        return () -> {
            var addresses = new ArrayList<String>();
            var nanos = new ArrayList<Long>();
            for (int number = 0; number < count; number++) {
                long begun = System.nanoTime();
                addresses.addAll(agent.take("%s.pod-%d".formatted(caller, number)));
                nanos.add(System.nanoTime() - begun);
            }
            return new Answers(addresses, nanos, 0);
        };
    }

    BlockView view() {
        return cluster.view();
    }

    /// All addresses that are given, by what is in the store.
    List<String> held() {
        var held = new ArrayList<String>();
        for (var block : view().blocks(Family.IPV4)) {
            for (int ordinal = 0; ordinal < block.size(); ordinal++) {
                if (block.attribute(ordinal).orElse(null) instanceof Attribute.Held) {
                    held.add(block.address(ordinal).toString());
                }
            }
        }
        return held;
    }

    @Override
    public void close() {
        agents.forEach(Agent::close);
        store.close();
    }
}
