package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteAllocated;
import io.cadastre.engine.nodecidr.multipool.MultiPoolChange.WriteStatus;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Entry;
import io.cadastre.engine.nodecidr.multipool.MultiPoolNode.Need;
import io.cadastre.engine.nodecidr.multipool.PodPoolSpec.OfFamily;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/// An operator and the objects of its cluster: each change is taken, and what is written arrives.
final class MultiPoolCluster {

    private MultiPoolView view = MultiPoolView.empty();
    private final TreeMap<String, MultiPoolNode> nodes = new TreeMap<>();

    static PodPoolSpec pool(String name, int mask, String... cidrs) {
        return new PodPoolSpec(name, List.of(new OfFamily(Family.IPV4, List.of(cidrs), mask)), false, false);
    }

    MultiPoolCluster synced() {
        taken(MultiPoolEngine.sync());
        return this;
    }

    MultiPoolCluster with(PodPoolSpec... pools) {
        Arrays.stream(pools).forEach(this::put);
        return this;
    }

    MultiPoolView view() {
        return view;
    }

    Decision<MultiPoolChange, MultiPoolOutcome> put(PodPoolSpec pool) {
        return taken(MultiPoolEngine.upsertPool(view, pool));
    }

    Decision<MultiPoolChange, MultiPoolOutcome> drop(String pool) {
        return taken(MultiPoolEngine.deletePool(view, pool));
    }

    private MultiPoolNode at(String name) {
        return nodes.computeIfAbsent(name, _ -> new MultiPoolNode(name, List.of(), List.of(), ""));
    }

    Decision<MultiPoolChange, MultiPoolOutcome> need(String name, String pool, long ipv4) {
        return need(name, List.of(new Need(pool, ipv4, 0)));
    }

    Decision<MultiPoolChange, MultiPoolOutcome> need(String name, List<Need> needs) {
        nodes.put(name, at(name).withNeeds(needs));
        return event(name);
    }

    /// The node's list becomes this one.
    Decision<MultiPoolChange, MultiPoolOutcome> list(String name, String pool, String... cidrs) {
        nodes.put(
                name,
                at(name).withAllocated(List.of(new Entry(
                        pool,
                        false,
                        false,
                        Arrays.stream(cidrs).map(Prefix::parse).toList()))));
        return event(name);
    }

    Decision<MultiPoolChange, MultiPoolOutcome> event(String name) {
        return taken(MultiPoolEngine.reconcile(view, at(name)));
    }

    Decision<MultiPoolChange, MultiPoolOutcome> delete(String name) {
        nodes.remove(name);
        return taken(MultiPoolEngine.deleteNode(view, name));
    }

    MultiPoolNode node(String name) {
        return at(name);
    }

    List<String> cidrs(String name, String pool) {
        var cidrs = new ArrayList<String>();
        at(name).allocated().stream()
                .filter(entry -> entry.pool().equals(pool))
                .forEach(entry -> entry.cidrs().forEach(cidr -> cidrs.add(cidr.toString())));
        return cidrs;
    }

    String error(String name) {
        return at(name).error();
    }

    private Decision<MultiPoolChange, MultiPoolOutcome> taken(Decision<MultiPoolChange, MultiPoolOutcome> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
            switch (change) {
                case WriteAllocated(var node, var entries) -> nodes.put(node, at(node).withAllocated(entries));
                case WriteStatus(var node, var error) -> nodes.put(node, at(node).withError(error));
                default -> {}
            }
        }
        return decision;
    }
}
