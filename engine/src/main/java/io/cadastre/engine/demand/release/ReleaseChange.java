package io.cadastre.engine.demand.release;

import io.cadastre.address.Address;
import io.cadastre.engine.Change;
import io.cadastre.engine.Holding;
import java.util.List;

/// One step of the handshake.
public sealed interface ReleaseChange extends Change {

    Address address();

    @Override
    default String sentence() {
        return switch (this) {
            case Enter(var address, var state) -> "write '%s' for %s".formatted(state.word(), address);
            case Erase(var address) -> "delete the entry of %s".formatted(address);
            case Unassign(var address, var resource) -> "hand %s of %s back to the cloud".formatted(address, resource);
        };
    }

    /// An address changes hands in the cloud; the map follows what it then lists.
    @Override
    default List<Holding> granted() {
        return List.of();
    }

    @Override
    default List<Holding> returned() {
        return List.of();
    }

    /// The entry of the address becomes this one.
    record Enter(Address address, ReleaseState state) implements ReleaseChange {}

    /// The entry of the address goes.
    record Erase(Address address) implements ReleaseChange {}

    /// The cloud takes the address back; once it has, the caller enters [ReleaseState#RELEASED].
    record Unassign(Address address, String resource) implements ReleaseChange {}
}
