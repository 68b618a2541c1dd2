package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import java.util.List;
import java.util.stream.Collectors;

/// Why nothing was given, in upstream's words.
public sealed interface HostLocalRefusal {

    /// A sentence without a full stop.
    String sentence();

    /// A range set refused.
    record BySet(int set, OfSet reason) implements HostLocalRefusal {
        @Override
        public String sentence() {
            return "failed to allocate for range %d: %s".formatted(set, reason.sentence());
        }
    }

    /// Of what was asked for by name, this was not given.
    record LeftOver(List<Address> addresses) implements HostLocalRefusal {
        public LeftOver {
            addresses = List.copyOf(addresses);
        }

        @Override
        public String sentence() {
            return "failed to allocate all requested IPs: "
                    + addresses.stream().map(Address::toString).collect(Collectors.joining(" "));
        }
    }

    /// Why one range set gave nothing.
    sealed interface OfSet {

        /// A sentence without a full stop.
        String sentence();
    }

    /// The gateway of a range was asked for.
    record IsGateway(Address requested) implements OfSet {
        @Override
        public String sentence() {
            return "requested ip %s is subnet's gateway".formatted(requested);
        }
    }

    /// What was asked for is used.
    record IsTaken(Address requested, RangeGroup group) implements OfSet {
        @Override
        public String sentence() {
            return "requested IP address %s is not available in range set %s".formatted(requested, group.words());
        }
    }

    /// The attachment has an address of this set.
    record HoldsOne(Address held, String containerId) implements OfSet {
        @Override
        public String sentence() {
            return "%s has been allocated to %s, duplicate allocation is not allowed".formatted(held, containerId);
        }
    }

    /// All addresses of the set are used.
    record Exhausted(RangeGroup group) implements OfSet {
        @Override
        public String sentence() {
            return "no IP addresses available in range set: " + group.words();
        }
    }
}
