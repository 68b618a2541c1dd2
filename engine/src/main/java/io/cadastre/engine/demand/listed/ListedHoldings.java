package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.engine.HolderFacts;
import io.cadastre.engine.Holding;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The map of a view: the addresses of the node, listed or still in use, and who has which.
public final class ListedHoldings {

    private ListedHoldings() {}

    public static List<Holding> of(String node, ListedView view) {
        var holdings = new ArrayList<Holding>();
        var addresses = new TreeSet<>(view.listed().keySet());
        addresses.addAll(view.used().keySet());
        for (var address : addresses) {
            holdings.add(new Holding(
                    Range.of(address),
                    Holding.Level.NODE,
                    "ciliumnode/" + node,
                    Holding.State.HELD,
                    HolderFacts.ofNode(node)));
        }
        view.used().forEach((address, entry) -> holdings.add(of(address, entry.owner())));
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
