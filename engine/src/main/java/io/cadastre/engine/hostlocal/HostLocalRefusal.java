package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;
import java.util.stream.Collectors;

/// Why nothing was given, in upstream's words.
public sealed interface HostLocalRefusal {

    /// A sentence without a full stop.
    default String sentence() {
        return switch (this) {
            case BySet(var set, var reason) -> "failed to allocate for range %d: %s".formatted(set, reason.sentence());
            case LeftOver(var addresses) ->
                "failed to allocate all requested IPs: "
                        + addresses.stream().map(Address::toString).collect(Collectors.joining(" "));
        };
    }

    /// A range set refused.
    record BySet(int set, OfSet reason) implements HostLocalRefusal {}

    /// Of what was asked for by name, this was not given.
    record LeftOver(List<Address> addresses) implements HostLocalRefusal {
        public LeftOver {
            addresses = List.copyOf(addresses);
        }
    }

    /// Why one range set gave nothing.
    sealed interface OfSet {

        /// A sentence without a full stop.
        default String sentence() {
            return switch (this) {
                case IsGateway(var requested) -> "requested ip %s is subnet's gateway".formatted(requested);
                case IsTaken(var requested, var group) ->
                    "requested IP address %s is not available in range set %s".formatted(requested, group.words());
                case HoldsOne(var held, var containerId) ->
                    "%s has been allocated to %s, duplicate allocation is not allowed".formatted(held, containerId);
                case Exhausted(var group) -> "no IP addresses available in range set: " + group.words();
            };
        }
    }

    /// The gateway of a range was asked for.
    record IsGateway(Address requested) implements OfSet {}

    /// What was asked for is used.
    record IsTaken(Address requested, RangeGroup group) implements OfSet {}

    /// The attachment has an address of this set.
    record HoldsOne(Address held, String containerId) implements OfSet {}

    /// All addresses of the set are used.
    record Exhausted(RangeGroup group) implements OfSet {}
}
