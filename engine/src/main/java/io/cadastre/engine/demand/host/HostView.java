package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.engine.SortedIndex;
import io.cadastre.engine.demand.host.HostChange.Assign;
import io.cadastre.engine.demand.host.HostChange.Free;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A range, who has which of its addresses, and which are excluded.
///
/// A value. The view after a change shares what the change left alone.
public final class HostView {

    private final HostRange range;
    private final SortedMap<Address, String> excluded;
    private final SortedIndex<Address, Given> given;

    /// An address and its owner.
    public record Given(Address address, String owner) {}

    private HostView(HostRange range, SortedMap<Address, String> excluded, SortedIndex<Address, Given> given) {
        this.range = range;
        this.excluded = excluded;
        this.given = given;
    }

    /// A range of which nothing is given.
    ///
    /// @param excluded the addresses that no pod gets, with what they are for
    public static HostView of(HostRange range, SortedMap<Address, String> excluded) {
        return new HostView(range, Collections.unmodifiableSortedMap(new TreeMap<>(excluded)), SortedIndex.empty());
    }

    public HostRange range() {
        return range;
    }

    /// What an address is excluded for, if it is.
    Optional<String> exclusion(Address address) {
        return Optional.ofNullable(excluded.get(address));
    }

    public Optional<String> owner(Address address) {
        return given.find(address).map(Given::owner);
    }

    /// All that is given, in the order of the addresses.
    public List<Given> given() {
        return given.values();
    }

    boolean full() {
        return given.size() >= range.size();
    }

    /// The view as it is when the change has been made.
    ///
    /// @throws IllegalStateException if the change does not follow from this view
    public HostView with(HostChange change) {
        return switch (change) {
            case Assign(var address, var owner) -> {
                if (!range.contains(address) || given.find(address).isPresent()) {
                    throw new IllegalStateException("%s is not free".formatted(address));
                }
                yield new HostView(range, excluded, given.with(address, new Given(address, owner)));
            }
            case Free(var address, var _) -> {
                if (given.find(address).isEmpty()) {
                    throw new IllegalStateException("%s is free".formatted(address));
                }
                yield new HostView(range, excluded, given.without(address));
            }
        };
    }

    /// As Cilium prints it.
    public String status() {
        return "%d/%d allocated from %s".formatted(given.size(), range.reported(), range.cidr());
    }
}
