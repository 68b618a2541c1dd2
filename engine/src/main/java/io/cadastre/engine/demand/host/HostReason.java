package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.engine.Because;

/// Why an address was given.
public sealed interface HostReason extends Because {

    @Override
    default String sentence() {
        return switch (this) {
            case Searched(var from, var found) -> "searched from %s on and found %s".formatted(from, found);
            case Asked(var address) -> "%s was asked for".formatted(address);
            case SetAside(var address, var owner) -> "%s is set aside for %s".formatted(address, owner);
            case NotGiven(var address) -> "%s had no owner".formatted(address);
        };
    }

    record Searched(Address from, Address found) implements HostReason {}

    record Asked(Address address) implements HostReason {}

    record SetAside(Address address, String owner) implements HostReason {}

    record NotGiven(Address address) implements HostReason {}
}
