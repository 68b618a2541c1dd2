package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.demand.host.HostChange.Assign;
import io.cadastre.engine.demand.host.HostChange.Free;
import io.cadastre.engine.demand.host.HostOutcome.HostFault;
import io.cadastre.engine.demand.host.HostReason.Asked;
import io.cadastre.engine.demand.host.HostReason.NotGiven;
import io.cadastre.engine.demand.host.HostReason.Searched;
import io.cadastre.engine.demand.host.HostReason.SetAside;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Picks addresses out of the range of a node, the way Cilium's agent does.
public final class HostEngine {

    private HostEngine() {}

    /// Gives any address.
    public static Decision<HostChange, HostOutcome> next(HostView view, String owner, RandomGenerator chance) {
        var after = view;
        var changes = new ArrayList<HostChange>();
        var because = new ArrayList<Because>();
        // Ends: each round marks an excluded address, and there are no more of these than addresses.
        while (!after.full()) {
            long start = chance.nextLong(after.range().size());
            var found = firstFree(after, start);
            because.add(new Searched(after.range().address(start), found));
            var exclusion = after.exclusion(found);
            var change = new Assign(found, exclusion.isEmpty() ? owner : owner + " (excluded)");
            changes.add(change);
            if (exclusion.isEmpty()) {
                return new Decision<>(new HostOutcome.Given(found), changes, because);
            }
            because.add(new SetAside(found, exclusion.get()));
            after = after.with(change);
        }
        return new Decision<>(new HostOutcome.Refused(new HostFault.Full()), changes, because);
    }

    /// The first address without an owner from a number on, wrapping at the end. There is one.
    private static Address firstFree(HostView view, long start) {
        long size = view.range().size();
        for (long step = 0; step < size; step++) {
            var address = view.range().address((start + step) % size);
            if (view.owner(address).isEmpty()) {
                return address;
            }
        }
        throw new IllegalStateException("%s is full".formatted(view.range().cidr()));
    }

    /// Gives one address and no other.
    public static Decision<HostChange, HostOutcome> take(HostView view, Address address, String owner) {
        var exclusion = view.exclusion(address);
        if (exclusion.isPresent()) {
            return refused(new HostFault.Excluded(address, exclusion.get()));
        }
        if (!view.range().contains(address)) {
            return refused(new HostFault.Outside(view.range().cidr()));
        }
        if (view.owner(address).isPresent()) {
            return refused(new HostFault.Taken());
        }
        return new Decision<>(
                new HostOutcome.Given(address), List.of(new Assign(address, owner)), List.of(new Asked(address)));
    }

    /// Takes an address back. One that is not given, or not of the range, is none to take back.
    public static Decision<HostChange, HostOutcome> free(HostView view, Address address) {
        return view.owner(address)
                .map(owner -> new Decision<HostChange, HostOutcome>(
                        new HostOutcome.Freed(address), List.of(new Free(address, owner)), List.of()))
                .orElseGet(() ->
                        new Decision<>(new HostOutcome.Freed(address), List.of(), List.of(new NotGiven(address))));
    }

    private static Decision<HostChange, HostOutcome> refused(HostFault fault) {
        return new Decision<>(new HostOutcome.Refused(fault), List.of(), List.of());
    }
}
