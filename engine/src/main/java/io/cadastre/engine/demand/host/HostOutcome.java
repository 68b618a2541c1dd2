package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;

/// What asking for an address, or giving one back, came to.
public sealed interface HostOutcome {

    record Given(Address address) implements HostOutcome {}

    /// Whether it was given or not, it is free now.
    record Freed(Address address) implements HostOutcome {}

    record Refused(HostFault fault) implements HostOutcome {}

    /// Why there is no address, in the words of upstream.
    sealed interface HostFault {

        default String sentence() {
            return switch (this) {
                case Full() -> "range is full";
                case Outside(var cidr) ->
                    "provided IP is not in the valid range. The range of valid IPs is %s".formatted(cidr);
                case Taken() -> "provided IP is already allocated";
                case Excluded(var address, var owner) -> "IP %s is excluded, owned by %s".formatted(address, owner);
            };
        }

        record Full() implements HostFault {}

        record Outside(Prefix cidr) implements HostFault {}

        record Taken() implements HostFault {}

        record Excluded(Address address, String owner) implements HostFault {}
    }
}
