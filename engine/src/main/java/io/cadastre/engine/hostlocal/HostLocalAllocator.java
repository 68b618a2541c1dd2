package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;
import io.cadastre.engine.Decision;
import io.cadastre.engine.hostlocal.HostLocalChange.Delete;
import io.cadastre.engine.hostlocal.HostLocalChange.NoteLast;
import io.cadastre.engine.hostlocal.HostLocalChange.Reserve;
import io.cadastre.engine.hostlocal.HostLocalReason.AsRequested;
import io.cadastre.engine.hostlocal.HostLocalReason.Chose;
import io.cadastre.engine.hostlocal.HostLocalReason.LastIsElsewhere;
import io.cadastre.engine.hostlocal.HostLocalReason.SearchedAfter;
import io.cadastre.engine.hostlocal.HostLocalReason.SearchedFrom;
import io.cadastre.engine.hostlocal.HostLocalReason.TakenBackToo;
import io.cadastre.engine.hostlocal.HostLocalRefusal.BySet;
import io.cadastre.engine.hostlocal.HostLocalRefusal.Exhausted;
import io.cadastre.engine.hostlocal.HostLocalRefusal.HoldsOne;
import io.cadastre.engine.hostlocal.HostLocalRefusal.IsGateway;
import io.cadastre.engine.hostlocal.HostLocalRefusal.IsTaken;
import io.cadastre.engine.hostlocal.HostLocalRefusal.LeftOver;
import io.cadastre.engine.hostlocal.HostLocalRefusal.OfSet;
import io.cadastre.engine.hostlocal.RangeGroup.Stretch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// One request on its way to a decision: each range set in turn, and what it gave or why it did not.
final class HostLocalAllocator {

    private final HostLocalView view;
    private final HostLocalRequest request;
    private final FreeAddresses freeAddresses;

    /// What this attachment or its container holds, in the order of the files' names.
    private final List<Address> held;

    /// What was asked for by name and lies in no set so far.
    private final List<Address> open;

    private final List<LeasedAddress> leases = new ArrayList<>();
    private final List<Because> because = new ArrayList<>();

    HostLocalAllocator(HostLocalView view, HostLocalRequest request) {
        this.view = view;
        this.request = request;
        this.freeAddresses = new FreeAddresses(view.taken());
        this.open = new ArrayList<>(request.requested());
        var attachment = request.attachment();
        this.held = view.entries().stream()
                .filter(entry -> entry.names(attachment) || entry.namesOnly(attachment.containerId()))
                .sorted(Comparator.comparing(FolderEntry::path))
                .flatMap(entry -> entry.address().stream())
                .toList();
    }

    Decision<HostLocalChange, HostLocalAllocation> decide() {
        for (int set = 0; set < request.groups().size(); set++) {
            switch (draw(set, request.groups().get(set))) {
                case Drawn(var lease) -> leases.add(lease);
                case Declined(var reason) -> {
                    return refused(new BySet(set, reason));
                }
            }
        }
        return open.isEmpty() ? allocated() : refused(new LeftOver(open));
    }

    private Draw draw(int set, RangeGroup group) {
        var requested = open.stream().filter(group::contains).findFirst();
        if (requested.isPresent()) {
            open.remove(requested.get());
            return drawByName(set, group, requested.get());
        }
        return drawNext(set, group);
    }

    private Draw drawByName(int set, RangeGroup group, Address requested) {
        var range = group.find(requested).orElseThrow();
        if (range.gateway().equals(requested)) {
            return new Declined(new IsGateway(requested));
        }
        if (!freeAddresses.isFree(requested)) {
            return new Declined(new IsTaken(requested, group));
        }
        because.add(new AsRequested(set, requested));
        return new Drawn(range.lease(requested));
    }

    private Draw drawNext(int set, RangeGroup group) {
        Optional<Address> before = held.stream().filter(group::contains).findFirst();
        if (before.isPresent()) {
            return new Declined(new HoldsOne(before.get(), request.attachment().containerId()));
        }
        var found = freeAddresses.first(way(set, group));
        if (found.isEmpty()) {
            return new Declined(new Exhausted(group));
        }
        because.add(new Chose(set, found.get().address()));
        return new Drawn(found.get());
    }

    /// The order in which the set is searched.
    private List<Stretch> way(int set, RangeGroup group) {
        var last = view.lastReserved(set);
        if (last.isPresent() && group.contains(last.get())) {
            because.add(new SearchedAfter(set, last.get()));
            return group.after(last.get());
        }
        last.ifPresent(elsewhere -> because.add(new LastIsElsewhere(set, elsewhere)));
        because.add(new SearchedFrom(set, group.ranges().getFirst().range().first()));
        return group.fromTheStart();
    }

    private Decision<HostLocalChange, HostLocalAllocation> allocated() {
        var changes = new ArrayList<HostLocalChange>();
        for (int set = 0; set < leases.size(); set++) {
            changes.add(new Reserve(leases.get(set).address(), request.attachment()));
            changes.add(new NoteLast(set, leases.get(set).address()));
        }
        return new Decision<>(new HostLocalAllocation.Allocated(leases), changes, because);
    }

    private Decision<HostLocalChange, HostLocalAllocation> refused(HostLocalRefusal refusal) {
        var changes = new ArrayList<HostLocalChange>();
        if (!leases.isEmpty()) {
            for (int set = 0; set < leases.size(); set++) {
                changes.add(new NoteLast(set, leases.get(set).address()));
            }
            for (var entry : view.entries()) {
                if (entry.names(request.attachment())) {
                    because.add(new TakenBackToo(entry));
                    changes.add(new Delete(entry));
                }
            }
        }
        return new Decision<>(new HostLocalAllocation.Refused(refusal), changes, because);
    }

    /// What came of one range set.
    private sealed interface Draw {}

    private record Drawn(LeasedAddress lease) implements Draw {}

    private record Declined(OfSet reason) implements Draw {}
}
