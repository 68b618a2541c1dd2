package io.cadastre.engine.nodecidr.clusterpool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: cluster CIDRs, and what nodes hold of them.
public final class ClusterPoolHoldings {

    private ClusterPoolHoldings() {}

    public static List<Holding> of(ClusterPoolView view) {
        var holdings = new ArrayList<Holding>();
        for (var family : view.families()) {
            for (var cidr : family.cidrs()) {
                holdings.add(new Holding(cidr.range(), Holding.Level.POOL, "cluster/" + cidr, Holding.State.HELD));
            }
        }
        view.nodes().forEach(node -> holdings.addAll(of(node, view.held(node))));
        return List.copyOf(holdings);
    }

    static List<Holding> of(String node, List<Prefix> cidrs) {
        return cidrs.stream()
                .map(cidr -> new Holding(
                        cidr.range(),
                        Holding.Level.NODE,
                        "ciliumnode/" + node,
                        Holding.State.HELD,
                        HolderFacts.ofNode(node)))
                .toList();
    }
}
