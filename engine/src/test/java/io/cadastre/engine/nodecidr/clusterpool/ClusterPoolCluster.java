package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.Decision;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WriteError;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolChange.WritePodCidrs;
import io.cadastre.engine.nodecidr.clusterpool.ClusterPoolFlags.OfFamily;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// An operator and the objects of its cluster: each change is taken, and what is written arrives.
final class ClusterPoolCluster {

    private ClusterPoolView view;
    private final TreeMap<String, ClusterPoolNode> nodes = new TreeMap<>();

    private ClusterPoolCluster(ClusterPoolView view) {
        this.view = view;
    }

    static OfFamily family(int mask, String... cidrs) {
        return new OfFamily(true, List.of(cidrs), mask);
    }

    static ClusterPoolCluster of(OfFamily ipv4, OfFamily ipv6) {
        return switch (ClusterPoolSetup.from(new ClusterPoolFlags(ipv4, ipv6))) {
            case ClusterPoolSetup.Configured(var view) -> new ClusterPoolCluster(view);
            case ClusterPoolSetup.Rejected(var error) -> throw new AssertionError(error);
        };
    }

    static ClusterPoolCluster ipv4(int mask, String... cidrs) {
        return of(family(mask, cidrs), OfFamily.DISABLED);
    }

    static ClusterPoolCluster dual(OfFamily ipv4, OfFamily ipv6) {
        return of(ipv4, ipv6);
    }

    ClusterPoolCluster synced() {
        sync();
        return this;
    }

    ClusterPoolView view() {
        return view;
    }

    Decision<ClusterPoolChange, ClusterPoolOutcome> sync() {
        return taken(ClusterPoolEngine.sync(view));
    }

    /// The node appears, or an editor changes it.
    Decision<ClusterPoolChange, ClusterPoolOutcome> edit(String name, String... podCidrs) {
        nodes.merge(name, ClusterPoolNode.of(name, podCidrs), (old, _) -> old.withPodCidrs(List.of(podCidrs)));
        return event(name);
    }

    /// The watch shows the node as it is.
    Decision<ClusterPoolChange, ClusterPoolOutcome> event(String name) {
        return taken(ClusterPoolEngine.upsert(view, node(name)));
    }

    Decision<ClusterPoolChange, ClusterPoolOutcome> delete(String name) {
        nodes.remove(name);
        return taken(ClusterPoolEngine.delete(view, name));
    }

    /// Another operator, which sees the same nodes.
    ClusterPoolCluster restarted(OfFamily ipv4, OfFamily ipv6) {
        var other = of(ipv4, ipv6);
        other.nodes.putAll(nodes);
        nodes.keySet().forEach(other::event);
        return other.synced();
    }

    boolean has(String name) {
        return nodes.containsKey(name);
    }

    ClusterPoolNode node(String name) {
        return Optional.ofNullable(nodes.get(name)).orElseThrow();
    }

    List<String> podCidrs(String name) {
        return node(name).podCidrs();
    }

    String error(String name) {
        return node(name).error();
    }

    static List<Prefix> prefixes(String... texts) {
        return Arrays.stream(texts).map(Prefix::parse).toList();
    }

    private Decision<ClusterPoolChange, ClusterPoolOutcome> taken(
            Decision<ClusterPoolChange, ClusterPoolOutcome> decision) {
        for (var change : decision.changes()) {
            view = view.with(change);
            switch (change) {
                case WritePodCidrs(var node, var cidrs) ->
                    nodes.computeIfPresent(
                            node,
                            (_, old) -> old.withPodCidrs(
                                    cidrs.stream().map(Prefix::toString).toList()));
                case WriteError(var node, var error) -> nodes.computeIfPresent(node, (_, old) -> old.withError(error));
                default -> {}
            }
        }
        return decision;
    }
}
