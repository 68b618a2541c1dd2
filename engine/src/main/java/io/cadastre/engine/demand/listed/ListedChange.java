package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One address changes hands. The status of the node follows.
public sealed interface ListedChange extends Change {

    Address address();

    @Override
    default String sentence() {
        return switch (this) {
            case Assign(var address, var entry) -> "give %s to %s".formatted(address, entry.owner());
            case Free(var address, var entry) -> "take %s back from %s".formatted(address, entry.owner());
        };
    }

    @Override
    default List<Holding> granted() {
        return this instanceof Assign(var address, var entry)
                ? List.of(ListedHoldings.of(address, entry.owner()))
                : List.of();
    }

    @Override
    default List<Holding> returned() {
        return this instanceof Free(var address, var entry)
                ? List.of(ListedHoldings.of(address, entry.owner()))
                : List.of();
    }

    record Assign(Address address, ListedAddress entry) implements ListedChange {}

    record Free(Address address, ListedAddress entry) implements ListedChange {}
}
