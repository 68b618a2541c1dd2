package io.cadastre.verification.simulation.block;

import io.cadastre.engine.block.assign.Requester;
import io.cadastre.engine.block.collect.LiveOwners;
import io.cadastre.engine.block.collect.LiveOwners.Name;
import io.cadastre.engine.block.collect.LiveOwners.Phase;
import io.cadastre.engine.block.collect.LiveOwners.Pod;
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

/// The users of addresses: pods with a handle each, which come and go, and handles that all hosts use.
final class AddressUsers {

    /// A handle that all hosts ask for with the same limit.
    static final String SHARED_CAPPED = "shared-capped";

    /// How many addresses of a family a capped handle may have.
    static final int CAP = 2;

    private static final String NAMESPACE = "simulated";

    private final SortedMap<String, String> nodesOfLiving = new TreeMap<>();
    private final SortedSet<String> dead = new TreeSet<>();
    private final SortedSet<String> nodesGone = new TreeSet<>();
    private boolean beingCollected;

    /// The pod with this handle, which lives from now on.
    Requester pod(String handle, String node) {
        nodesOfLiving.put(handle, node);
        dead.remove(handle);
        var attributes = new TreeMap<String, String>();
        attributes.put("namespace", NAMESPACE);
        attributes.put("node", node);
        attributes.put("pod", handle);
        return Requester.of(handle, attributes);
    }

    /// A host that needs an address for its tunnel.
    static Requester tunnel(String host) {
        var attributes = new TreeMap<String, String>();
        attributes.put("node", host);
        attributes.put("type", "vxlanTunnelAddress");
        return Requester.of("vxlan-tunnel-addr-" + host, attributes);
    }

    /// A requester with a handle that others use too, or with none. As with Calico's plugin, the time of
    /// the request distinguishes it from the others.
    static Requester shared(String handle, Instant asked) {
        var attributes = new TreeMap<String, String>();
        attributes.put("timestamp", asked.toString());
        return Requester.of(handle, attributes);
    }

    /// The pod is gone for good and gives nothing back.
    void die(String handle) {
        nodesOfLiving.remove(handle);
        dead.add(handle);
    }

    /// The node is gone for good, and with it its pods and its tunnel. Returns their handles.
    SortedSet<String> lose(String node) {
        nodesGone.add(node);
        var handles = new TreeSet<String>();
        handles.add(tunnel(node).handle());
        nodesOfLiving.forEach((handle, where) -> {
            if (where.equals(node)) {
                handles.add(handle);
            }
        });
        handles.forEach(this::die);
        return handles;
    }

    /// Runs what releases the leaks of users that do not live.
    void collecting(Consumer<LiveOwners> release) {
        beingCollected = true;
        try {
            release.accept(liveOwners());
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

    LiveOwners liveOwners() {
        var nodes = new TreeSet<String>();
        for (int number = 1; number <= BlockPlan.HOSTS; number++) {
            nodes.add(BlockWorld.host(number));
        }
        nodes.removeAll(nodesGone);
        Map<Name, Pod> pods = new HashMap<>();
        nodesOfLiving.forEach((handle, node) ->
                pods.put(new Name(NAMESPACE, handle), new Pod(node, Phase.RUNNING, List.of(), List.of())));
        return new LiveOwners(
                nodes,
                pods,
                Collections.emptySortedSet(),
                new LiveOwners.Machines.None(),
                Collections.emptySortedSet());
    }
}
