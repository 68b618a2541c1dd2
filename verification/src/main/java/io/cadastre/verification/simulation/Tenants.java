package io.cadastre.verification.simulation;

import io.cadastre.engine.block.Claimant;
import io.cadastre.engine.block.Population;
import io.cadastre.engine.block.Population.Name;
import io.cadastre.engine.block.Population.Phase;
import io.cadastre.engine.block.Population.Pod;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Who uses addresses: pods with a handle each, which come and go, and handles that everybody uses.
final class Tenants {

    /// A handle that everybody asks for with the same limit.
    static final String SHARED_CAPPED = "shared-capped";

    /// How many addresses of a family a capped handle may have.
    static final int CAP = 2;

    private static final String NAMESPACE = "simulated";

    private final SortedMap<String, String> nodesOfLiving = new TreeMap<>();
    private final SortedSet<String> dead = new TreeSet<>();
    private final SortedSet<String> nodesGone = new TreeSet<>();
    private boolean beingCollected;

    /// The pod with this handle, which lives from now on.
    Claimant pod(String handle, String node) {
        nodesOfLiving.put(handle, node);
        dead.remove(handle);
        var attributes = new TreeMap<String, String>();
        attributes.put("namespace", NAMESPACE);
        attributes.put("node", node);
        attributes.put("pod", handle);
        return Claimant.of(handle, attributes);
    }

    /// A host that needs an address for its tunnel.
    static Claimant tunnel(String host) {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", host);
        attributes.put("type", "vxlanTunnelAddress");
        return Claimant.of("vxlan-tunnel-addr-" + host, attributes);
    }

    /// Somebody who asks with a handle that others use too, or with none. As with Calico's plugin, the
    /// time at which he asks tells him from the others.
    static Claimant shared(String handle, Instant asked) {
        var attributes = new TreeMap<String, String>();
        attributes.put("timestamp", asked.toString());
        return Claimant.of(handle, attributes);
    }

    /// The pod is gone for good and gives nothing back.
    void die(String handle) {
        nodesOfLiving.remove(handle);
        dead.add(handle);
    }

    /// The node is gone for good, and with it its pods and its tunnel. Gives their handles.
    SortedSet<String> lose(String node) {
        nodesGone.add(node);
        var handles = new TreeSet<String>();
        handles.add(tunnel(node).handle());
        nodesOfLiving.forEach(
                (handle, where) -> {
                    if (where.equals(node)) {
                        handles.add(handle);
                    }
                });
        handles.forEach(this::die);
        return handles;
    }

    /// Runs what releases the leaks of those who are not in the population.
    void collecting(Consumer<Population> release) {
        beingCollected = true;
        try {
            release.accept(population());
        } finally {
            beingCollected = false;
        }
    }

    /// Whether leaks are being released.
    boolean beingCollected() {
        return beingCollected;
    }

    SortedSet<String> dead() {
        return Collections.unmodifiableSortedSet(dead);
    }

    Population population() {
        var nodes = new TreeSet<String>();
        for (int number = 1; number <= BlockPlan.HOSTS; number++) {
            nodes.add(BlockWorld.host(number));
        }
        nodes.removeAll(nodesGone);
        Map<Name, Pod> pods = new HashMap<>();
        nodesOfLiving.forEach(
                (handle, node) ->
                        pods.put(
                                new Name(NAMESPACE, handle),
                                new Pod(node, Phase.RUNNING, List.of(), List.of())));
        return new Population(
                nodes,
                pods,
                Collections.emptySortedSet(),
                new Population.Machines.None(),
                Collections.emptySortedSet());
    }
}
