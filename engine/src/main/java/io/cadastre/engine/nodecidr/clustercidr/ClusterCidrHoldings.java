package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.engine.Holding;
import io.cadastre.engine.nodecidr.NodeCidrHoldings;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: what nodes have and what is on its way to them, in the ranges of all ClusterCIDRs.
///
/// ClusterCIDRs may overlap, so that they count as one whole.
public final class ClusterCidrHoldings {

    private static final String HOLDER = "clustercidrs";

    private ClusterCidrHoldings() {}

    public static List<Holding> of(ClusterCidrView view) {
        var holdings = new ArrayList<Holding>();
        for (var entry : view.entries()) {
            for (var set : entry.sets()) {
                holdings.add(
                        new Holding(set.cluster().whole().range(), Holding.Level.POOL, HOLDER, Holding.State.HELD));
            }
        }
        view.holds().forEach(hold -> holdings.addAll(NodeCidrHoldings.of(hold.node(), hold.cidrs())));
        view.reservations()
                .forEach(reservation -> holdings.addAll(NodeCidrHoldings.of(reservation.node(), reservation.blocks())));
        return List.copyOf(holdings);
    }
}
