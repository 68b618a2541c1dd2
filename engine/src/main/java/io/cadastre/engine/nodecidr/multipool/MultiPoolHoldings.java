package io.cadastre.engine.nodecidr.multipool;

import io.cadastre.address.Prefix;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: the CIDRs of pools, and the blocks of nodes, orphans too.
public final class MultiPoolHoldings {

    private MultiPoolHoldings() {}

    public static List<Holding> of(MultiPoolView view) {
        var holdings = new ArrayList<Holding>();
        for (var pool : view.pools()) {
            pool.lists().stream()
                    .flatMap(list -> list.cidrs().stream())
                    .forEach(cidr -> holdings.add(new Holding(
                            cidr.range(),
                            Holding.Level.POOL,
                            "CiliumPodIPPool(%s)".formatted(pool.name()),
                            Holding.State.HELD)));
        }
        view.nodes().forEach(node -> view.held(node).forEach(block -> holdings.add(of(node, block.cidr()))));
        return List.copyOf(holdings);
    }

    static Holding of(String node, Prefix cidr) {
        return new Holding(
                cidr.range(), Holding.Level.NODE, "ciliumnode/" + node, Holding.State.HELD, HolderFacts.ofNode(node));
    }
}
