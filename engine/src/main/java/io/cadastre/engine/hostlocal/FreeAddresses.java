package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Range;
import io.cadastre.address.RangeSet;
import io.cadastre.engine.hostlocal.RangeGroup.Stretch;
import java.util.List;
import java.util.Optional;

/// Finds free addresses. Used ones that lie side by side are passed over in one step, and those before
/// the search begins are not looked at: however many are used, a search costs a few comparisons.
final class FreeAddresses {

    private final RangeSet taken;

    FreeAddresses(RangeSet taken) {
        this.taken = taken;
    }

    boolean isFree(Address address) {
        return !taken.contains(address);
    }

    /// The first free address of the stretches in their order, as a lease.
    Optional<LeasedAddress> first(List<Stretch> stretches) {
        for (var stretch : stretches) {
            var found = first(stretch);
            if (found.isPresent()) {
                return Optional.of(stretch.of().lease(found.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<Address> first(Stretch stretch) {
        var gateway = stretch.of().gateway();
        var found = firstFrom(stretch.part().first(), stretch.part().last());
        if (found.isEmpty() || !found.get().equals(gateway)) {
            return found;
        }
        return gateway.equals(stretch.part().last())
                ? Optional.empty()
                : firstFrom(gateway.next(), stretch.part().last());
    }

    private Optional<Address> firstFrom(Address from, Address last) {
        var used = taken.findRange(from);
        if (used.isEmpty()) {
            return Optional.of(from);
        }
        // Ranges of a set do not touch, so what comes after one is free.
        return used.map(Range::last).filter(end -> end.compareTo(last) < 0).map(Address::next);
    }
}
