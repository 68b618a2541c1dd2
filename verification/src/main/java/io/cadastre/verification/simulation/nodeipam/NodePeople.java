package io.cadastre.verification.simulation.nodeipam;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.Cursors;
import io.cadastre.engine.nodecidr.NodeCidrView;
import io.cadastre.verification.simulation.runtime.Simulation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/// People who create, change and delete Nodes, each of them Nodes of their own.
final class NodePeople {

    private static final long PAUSE_MILLISECONDS_MAX = 4_000;
    private static final long LONG_PAUSE_MILLISECONDS_MAX = 40_000;
    private static final long MOMENT_MILLISECONDS_MAX = 1_500;

    private final Simulation stage;
    private final NodeIpamPlan plan;
    private final SimulatedApi api;
    private final NodeIpamWitness witness;

    /// What a Node of this name had last.
    private final Map<String, List<String>> last = new HashMap<>();

    NodePeople(Simulation stage, NodeIpamPlan plan, SimulatedApi api, NodeIpamWitness witness) {
        this.stage = stage;
        this.plan = plan;
        this.api = api;
        this.witness = witness;
    }

    /// What one of them does.
    Runnable script(int number, SplittableRandom choices) {
        var actor = "person-" + number;
        return () -> {
            var terminating = new TreeSet<String>();
            for (int deed = 1; deed <= plan.deeds(); deed++) {
                if (choices.nextInt(6) == 0) {
                    createAll(actor, number, choices);
                } else {
                    act(actor, name(number, choices.nextInt(plan.namesEach())), terminating, choices);
                }
                stage.rest(choices, choices.nextInt(8) == 0 ? LONG_PAUSE_MILLISECONDS_MAX : PAUSE_MILLISECONDS_MAX);
            }
        };
    }

    private static String name(int number, int index) {
        return "n%d-%d".formatted(number, index);
    }

    /// As when a cluster grows.
    private void createAll(String actor, int number, SplittableRandom choices) {
        for (int index = 0; index < plan.namesEach(); index++) {
            var name = name(number, index);
            if (!api.exists(name)) {
                api.create(actor, name, cidrs(name, choices));
            }
        }
    }

    private void act(String actor, String name, Set<String> terminating, SplittableRandom choices) {
        if (!api.exists(name)) {
            api.create(actor, name, cidrs(name, choices));
            return;
        }
        if (terminating.remove(name)) {
            delete(actor, name);
            return;
        }
        switch (choices.nextInt(8)) {
            case 0, 1 -> api.touch(actor, name);
            case 2 -> {
                api.terminate(actor, name);
                terminating.add(name);
            }
            case 3, 4, 5 -> {
                delete(actor, name);
                stage.rest(choices, MOMENT_MILLISECONDS_MAX);
                api.create(actor, name, cidrs(name, choices));
            }
            default -> delete(actor, name);
        }
    }

    private void delete(String actor, String name) {
        api.nodes().stream().filter(node -> node.name().equals(name)).forEach(node -> last.put(name, node.podCidrs()));
        api.delete(actor, name);
    }

    /// Usually none: a controller gives them.
    private List<String> cidrs(String name, SplittableRandom choices) {
        if (!plan.presets()) {
            return List.of();
        }
        return switch (choices.nextInt(8)) {
            case 0 -> last.getOrDefault(name, List.of());
            case 1 ->
                NodeCidrView.of(plan.config(), List.of(), Cursors.none()).sets().stream()
                        .map(set -> set.block(choices.nextInt(set.blockCount())))
                        .map(Prefix::toString)
                        .toList();
            case 2 -> witness.looks() > 0 ? List.of("172.16.%d.0/24".formatted(choices.nextInt(200))) : List.of();
            default -> List.of();
        };
    }

    /// What ends of itself, or was a mistake.
    void tidy() {
        for (var node : api.nodes()) {
            if (node.entry().terminating() || !witness.fits(node)) {
                api.delete("people", node.name());
            }
        }
    }

    void deleteAll() {
        api.nodes().forEach(node -> api.delete("people", node.name()));
    }
}
