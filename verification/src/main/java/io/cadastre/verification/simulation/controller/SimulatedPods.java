package io.cadastre.verification.simulation.controller;

import io.cadastre.address.Address;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.engine.Decision;
import io.cadastre.engine.block.AddressUse;
import io.cadastre.engine.block.Attempts;
import io.cadastre.engine.block.BlockChange;
import io.cadastre.engine.block.BlockEngine;
import io.cadastre.engine.block.BlockView;
import io.cadastre.engine.block.assign.AssignRequest;
import io.cadastre.engine.block.assign.AssignRequest.Ask;
import io.cadastre.engine.block.assign.Requester;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Registrar;
import io.cadastre.registry.Request;
import io.cadastre.verification.simulation.block.BlockPlan;
import io.cadastre.verification.simulation.block.BlockState;
import io.cadastre.verification.simulation.block.BlockWorld;
import io.cadastre.verification.simulation.runtime.DirectStore;
import io.cadastre.verification.simulation.runtime.Simulation;
import io.cadastre.wire.calico.CalicoBook;
import io.cadastre.wire.kubernetes.CoreKeys;
import io.cadastre.wire.kubernetes.NodeBook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Pods that come and go, as documents of Kubernetes, and what they have.
final class SimulatedPods {

    private static final String NAMESPACE = "simulated";
    private static final long YOUTH_MILLISECONDS_MAX = 8_000;
    private static final long AGE_MILLISECONDS_MAX = 40_000;
    private static final Duration KNOWN_BEFORE = Duration.ofSeconds(3);

    /// A pod that comes back does so before the grace is over.
    private static final long AWAY_MILLISECONDS_MAX =
            ControllerSimulation.GRACE.dividedBy(2).toMillis();

    private final Simulation stage;
    private final BlockWorld cluster;
    private final Registrar<BlockView, BlockChange> registrar;
    private final Map<String, SortedSet<Address>> promised = new TreeMap<>();
    private final SortedSet<String> dead = new TreeSet<>();
    private int looks;
    private long instantsGiven;

    SimulatedPods(Simulation stage, BlockWorld cluster) {
        this.stage = stage;
        this.cluster = cluster;
        this.registrar = new Registrar<>(
                new CalicoBook(new DirectStore(stage.network(), "pods"), stage.scheduler()),
                new Ledger(new MemoryJournal()),
                Registrar.Limits.DEFAULT,
                stage.scheduler(),
                stage.splitDice(),
                stage.scheduler().pausing());
    }

    /// The nodes of Kubernetes, and a pod that always lives: where none is seen nothing is taken back.
    void found() {
        for (int number = 1; number <= BlockPlan.HOSTS; number++) {
            var name = BlockWorld.host(number);
            stage.network()
                    .put(
                            "world",
                            NodeBook.NODES + name,
                            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(name));
        }
        show("world", "always", BlockWorld.host(1), List.of(Address.parse("192.0.2.1")));
    }

    int looks() {
        return looks;
    }

    /// No pod lost what it has.
    void look() {
        looks++;
        var scene = BlockState.of(cluster.everything());
        promised.forEach((handle, addresses) -> {
            var held = scene.heldBy(handle);
            if (!held.equals(addresses)) {
                throw new AssertionError("%s lives and has %s, and holds %s".formatted(handle, addresses, held));
            }
        });
    }

    boolean anythingLeaked() {
        var scene = BlockState.of(cluster.everything());
        return dead.stream().anyMatch(handle -> !scene.heldBy(handle).isEmpty());
    }

    void requireNothingLeaked() {
        var scene = BlockState.of(cluster.everything());
        for (var handle : dead) {
            if (!scene.heldBy(handle).isEmpty()) {
                throw new AssertionError("%s is dead and holds %s, and its addresses are not released"
                        .formatted(handle, scene.heldBy(handle)));
            }
        }
    }

    /// One pod after another, some of them under the name of the one before.
    Runnable script(String actor, SplittableRandom choices) {
        return () -> {
            int pods = choices.nextInt(2, 6);
            var name = actor;
            for (int number = 1; number <= pods; number++) {
                if (choices.nextInt(3) > 0) {
                    name = "%s-%d".formatted(actor, number);
                }
                live(actor, name, "%s-handle-%d".formatted(actor, number), choices);
            }
        };
    }

    private void live(String actor, String name, String handle, SplittableRandom choices) {
        var node = BlockWorld.host(choices.nextInt(1, BlockPlan.HOSTS + 1));
        show(actor, name, node, List.of());
        // Longer than a watch may be late, so that no controller knows the address but not the pod.
        stage.scheduler().pause(KNOWN_BEFORE);
        var addresses = assign(actor, name, handle, node);
        stage.rest(choices, YOUTH_MILLISECONDS_MAX / 4);
        show(actor, name, node, addresses);
        stage.rest(choices, YOUTH_MILLISECONDS_MAX);
        if (choices.nextInt(3) == 0) {
            stage.history().request(actor, name + " is away");
            stage.network().delete(actor, key(name));
            stage.rest(choices, AWAY_MILLISECONDS_MAX);
            show(actor, name, node, addresses);
            stage.rest(choices, AGE_MILLISECONDS_MAX);
        }
        promised.remove(handle);
        if (choices.nextInt(3) == 0) {
            stage.history().request(actor, name + " ends");
            var at = now();
            enact("end", view -> BlockEngine.releaseByHandle(view, handle, Attempts.first(at)));
        } else {
            stage.history().request(actor, name + " ends and leaks " + addresses);
            dead.add(handle);
        }
        stage.network().delete(actor, key(name));
    }

    private List<Address> assign(String actor, String name, String handle, String node) {
        var attributes = new TreeMap<String, String>();
        attributes.put("namespace", NAMESPACE);
        attributes.put("node", node);
        attributes.put("pod", name);
        var request = AssignRequest.on(node, AddressUse.WORKLOAD, now())
                .by(Requester.of(handle, attributes))
                .ipv4(Ask.of(1));
        var addresses =
                enact("begin", view -> BlockEngine.assign(view, request)).addresses();
        stage.history().request(actor, "%s of %s gets %s".formatted(name, handle, addresses));
        promised.put(handle, new TreeSet<>(addresses));
        return addresses;
    }

    private <O> O enact(String words, Function<BlockView, Decision<BlockChange, O>> law) {
        return registrar.enact(new Request<>(words, law));
    }

    private Instant now() {
        return stage.scheduler().instant().plusNanos(++instantsGiven);
    }

    private void show(String actor, String name, String node, List<Address> addresses) {
        var list = addresses.stream().map("{\"ip\":\"%s\"}"::formatted).collect(Collectors.joining(","));
        stage.network().put(actor, key(name), """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"%s"},\
            "spec":{"nodeName":"%s"},"status":{"phase":"Running","podIP":"%s","podIPs":[%s]}}\
            """.formatted(
                        name, NAMESPACE, node, addresses.isEmpty() ? "" : addresses.getFirst(), list));
    }

    private static String key(String name) {
        return CoreKeys.PODS + NAMESPACE + "/" + name;
    }
}
