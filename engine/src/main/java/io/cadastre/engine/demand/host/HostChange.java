package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One address changes hands.
public sealed interface HostChange extends Change {

    Address address();

    @Override
    default String sentence() {
        return switch (this) {
            case Assign(var address, var owner) -> "give %s to %s".formatted(address, owner);
            case Free(var address, var owner) -> "take %s back from %s".formatted(address, owner);
        };
    }

    @Override
    default List<Holding> granted() {
        return this instanceof Assign(var address, var owner) ? List.of(HostHoldings.of(address, owner)) : List.of();
    }

    @Override
    default List<Holding> returned() {
        return this instanceof Free(var address, var owner) ? List.of(HostHoldings.of(address, owner)) : List.of();
    }

    record Assign(Address address, String owner) implements HostChange {}

    record Free(Address address, String owner) implements HostChange {}
}
