package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.engine.demand.listed.ListedChange.Assign;
import io.cadastre.engine.demand.listed.ListedChange.Free;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The addresses that a node's object lists, and those that are in use.
///
/// @param source who fills the list
/// @param listed the list; of a node whose object is gone it is empty
/// @param interfaces those that the object describes
/// @param leaving the addresses that are about to be released
/// @param used by address, the owner and the interface
public record ListedView(
        Source source,
        Presence presence,
        SortedMap<Address, ListedAddress> listed,
        SortedSet<String> interfaces,
        SortedSet<Address> leaving,
        SortedMap<Address, ListedAddress> used) {

    /// Who fills the list.
    public enum Source {
        /// People, or a controller of theirs.
        CRD,

        /// An operator, with addresses of a cloud.
        CLOUD
    }

    /// Whether the object of the node is there.
    public enum Presence {
        PRESENT,
        ABSENT
    }

    public ListedView {
        listed = Collections.unmodifiableSortedMap(new TreeMap<>(listed));
        interfaces = Collections.unmodifiableSortedSet(new TreeSet<>(interfaces));
        leaving = Collections.unmodifiableSortedSet(new TreeSet<>(leaving));
        used = Collections.unmodifiableSortedMap(new TreeMap<>(used));
    }

    /// A list of which nothing is in use.
    public static ListedView of(Source source, SortedMap<Address, ListedAddress> listed) {
        var interfaces = new TreeSet<String>();
        listed.values().forEach(address -> interfaces.add(address.resource()));
        return new ListedView(source, Presence.PRESENT, listed, interfaces, new TreeSet<>(), new TreeMap<>());
    }

    Optional<ListedAddress> find(Address address) {
        return Optional.ofNullable(listed.get(address));
    }

    Optional<ListedAddress> findUsed(Address address) {
        return Optional.ofNullable(used.get(address));
    }

    public ListedView withListed(SortedMap<Address, ListedAddress> others) {
        return new ListedView(source, presence, others, interfaces, leaving, used);
    }

    public ListedView withLeaving(SortedSet<Address> others) {
        return new ListedView(source, presence, listed, interfaces, others, used);
    }

    public ListedView withInterfaces(SortedSet<String> others) {
        return new ListedView(source, presence, listed, others, leaving, used);
    }

    /// The object is gone. What is in use stays so.
    public ListedView absent() {
        return new ListedView(source, Presence.ABSENT, new TreeMap<>(), interfaces, leaving, used);
    }

    /// The view as it is when the change has been made.
    public ListedView with(ListedChange change) {
        var after = new TreeMap<>(used);
        switch (change) {
            case Assign(var address, var entry) -> after.put(address, entry);
            case Free(var address, var _) -> after.remove(address);
        }
        return new ListedView(source, presence, listed, interfaces, leaving, after);
    }
}
