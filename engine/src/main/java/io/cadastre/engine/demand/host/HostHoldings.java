package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;

/// The map of a view: the CIDR of the node, and who has which address of it.
public final class HostHoldings {

    private HostHoldings() {}

    /// All that is held of the CIDR.
    ///
    /// @param node whose CIDR it is
    public static List<Holding> of(String node, HostView view) {
        var holdings = new ArrayList<Holding>();
        holdings.add(new Holding(
                view.range().cidr().range(),
                Holding.Level.NODE,
                "ciliumnode/" + node,
                Holding.State.HELD,
                HolderFacts.ofNode(node)));
        view.given().forEach(given -> holdings.add(of(given.address(), given.owner())));
        return List.copyOf(holdings);
    }

    /// An owner is a pod as NAMESPACE/NAME, or a use of the node itself.
    static Holding of(Address address, String owner) {
        int slash = owner.indexOf('/');
        return new Holding(
                Range.of(address),
                Holding.Level.ENDPOINT,
                owner,
                Holding.State.HELD,
                slash < 0
                        ? HolderFacts.NONE
                        : HolderFacts.ofPod(owner.substring(0, slash), owner.substring(slash + 1)));
    }
}
