package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.demand.listed.ListedChange.Assign;
import io.cadastre.engine.demand.listed.ListedChange.Free;
import io.cadastre.engine.demand.listed.ListedOutcome.ListedFault;
import io.cadastre.engine.demand.listed.ListedReason.FirstFree;
import io.cadastre.engine.demand.listed.ListedReason.HeldByOther;
import io.cadastre.engine.demand.listed.ListedReason.OwnedByRequester;
import io.cadastre.engine.demand.listed.ListedView.Presence;
import io.cadastre.engine.demand.listed.ListedView.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Picks addresses that a node's object lists, the way Cilium's agent does.
public final class ListedEngine {

    private ListedEngine() {}

    /// What a node itself takes before its first pod.
    public enum OwnUse {
        ROUTER,
        ROUTER_AND_HEALTH
    }

    /// How many addresses must be listed before an agent starts.
    public static int required(int minAllocate, int preAllocate, OwnUse use) {
        if (minAllocate != 0) {
            return minAllocate;
        }
        if (preAllocate != 0) {
            return preAllocate;
        }
        return use == OwnUse.ROUTER_AND_HEALTH ? 2 : 1;
    }

    /// Gives any address of a family. Upstream takes any that is free; here it is the lowest.
    public static Decision<ListedChange, ListedOutcome> next(ListedView view, String owner, Family family) {
        if (view.presence() == Presence.ABSENT) {
            return refused(new ListedFault.NoNode());
        }
        var because = new ArrayList<Because>();
        if (view.source() == Source.CRD) {
            for (var listed : view.listed().entrySet()) {
                var address = listed.getKey();
                if (address.family() == family
                        && listed.getValue().owner().equals(owner)
                        && !view.leaving().contains(address)) {
                    var holder = view.findUsed(address).map(ListedAddress::owner);
                    if (holder.isEmpty() || holder.get().equals(owner)) {
                        because.add(new OwnedByRequester(address, owner));
                        return given(view, address, owner, because);
                    }
                    because.add(new HeldByOther(address, holder.get()));
                }
            }
        }
        for (var listed : view.listed().entrySet()) {
            var address = listed.getKey();
            if (address.family() == family
                    && listed.getValue().owner().isEmpty()
                    && !view.leaving().contains(address)
                    && view.findUsed(address).isEmpty()) {
                because.add(new FirstFree(address));
                return given(view, address, owner, because);
            }
        }
        return new Decision<>(new ListedOutcome.Refused(new ListedFault.NoneLeft(view.source())), List.of(), because);
    }

    /// Gives one address and no other.
    public static Decision<ListedChange, ListedOutcome> take(ListedView view, Address address, String owner) {
        return fault(view, address).map(ListedEngine::refused).orElseGet(() -> given(view, address, owner, List.of()));
    }

    private static Optional<ListedFault> fault(ListedView view, Address address) {
        if (view.findUsed(address).isPresent()) {
            return Optional.of(new ListedFault.InUse());
        }
        if (view.presence() == Presence.ABSENT) {
            return Optional.of(new ListedFault.NoNode());
        }
        if (view.listed().isEmpty()) {
            return Optional.of(new ListedFault.NoList());
        }
        if (view.leaving().contains(address)) {
            return Optional.of(new ListedFault.Leaving());
        }
        return view.find(address).isEmpty() ? Optional.of(new ListedFault.NotListed(address)) : Optional.empty();
    }

    private static Decision<ListedChange, ListedOutcome> given(
            ListedView view, Address address, String owner, List<Because> because) {
        var resource = view.find(address).orElseThrow().resource();
        if (view.source() == Source.CLOUD && !view.interfaces().contains(resource)) {
            return new Decision<>(
                    new ListedOutcome.Refused(new ListedFault.NoInterface(address, resource)), List.of(), because);
        }
        var entry = new ListedAddress(owner, resource);
        List<ListedChange> changes =
                view.findUsed(address).filter(entry::equals).isPresent()
                        ? List.of()
                        : List.of(new Assign(address, entry));
        return new Decision<>(new ListedOutcome.Given(address, entry), changes, because);
    }

    /// Takes an address back.
    public static Decision<ListedChange, ListedOutcome> free(ListedView view, Address address) {
        return view.findUsed(address)
                .map(entry -> new Decision<ListedChange, ListedOutcome>(
                        new ListedOutcome.Freed(address), List.of(new Free(address, entry)), List.of()))
                .orElseGet(() -> refused(new ListedFault.NotGiven(address)));
    }

    private static Decision<ListedChange, ListedOutcome> refused(ListedFault fault) {
        return new Decision<>(new ListedOutcome.Refused(fault), List.of(), List.of());
    }
}
