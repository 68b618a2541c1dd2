package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: cluster CIDRs, what service ranges set aside in them, and what nodes hold.
public final class NodeCidrHoldings {

    private NodeCidrHoldings() {}

    public static List<Holding> of(NodeCidrView view) {
        var holdings = new ArrayList<Holding>();
        for (var cluster : view.config().clusters()) {
            holdings.add(new Holding(
                    cluster.whole().range(), Holding.Level.POOL, "cluster/" + cluster.whole(), Holding.State.HELD));
        }
        holdings.addAll(ofServiceRanges(view.config()));
        for (var node : view.nodes()) {
            holdings.addAll(of(node.name(), node.prefixes()));
        }
        return List.copyOf(holdings);
    }

    public static List<Holding> of(String node, List<Prefix> cidrs) {
        return cidrs.stream()
                .map(cidr -> new Holding(
                        cidr.range(), Holding.Level.NODE, "node/" + node, Holding.State.HELD, HolderFacts.ofNode(node)))
                .toList();
    }

    /// The part of each service range that lies in a cluster CIDR. Where the service range is the bigger
    /// one, that is the whole cluster CIDR.
    static List<Holding> ofServiceRanges(NodeCidrConfig config) {
        var holdings = new ArrayList<Holding>();
        for (var range : config.serviceRanges()) {
            for (var cluster : config.clusters()) {
                if (range.overlaps(cluster.whole())) {
                    var inside = range.contains(cluster.whole()) ? cluster.whole() : range;
                    holdings.add(new Holding(
                            inside.range(), Holding.Level.NODE, "service/" + range, Holding.State.RESERVED));
                }
            }
        }
        return holdings;
    }
}
