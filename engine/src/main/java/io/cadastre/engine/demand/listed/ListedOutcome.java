package io.cadastre.engine.demand.listed;

import io.cadastre.address.Address;
import io.cadastre.engine.demand.listed.ListedView.Source;

/// What asking for an address, or giving one back, came to.
public sealed interface ListedOutcome {

    record Given(Address address, ListedAddress entry) implements ListedOutcome {}

    record Freed(Address address) implements ListedOutcome {}

    record Refused(ListedFault fault) implements ListedOutcome {}

    /// Why there is no address, in the words of upstream.
    sealed interface ListedFault {

        default String sentence() {
            return switch (this) {
                case NoNode() -> "CiliumNode for own node is not available";
                case NoList() -> "No IPs available";
                case InUse() -> "IP already in use";
                case Leaving() -> "IP not available, marked or ready for release";
                case NotListed(var address) -> "IP %s is not available".formatted(address);
                case NoneLeft(var source) ->
                    "no IPs currently available on the node, allocation will be retried once "
                            + switch (source) {
                                case CRD -> "IPs are added to CiliumNode spec.ipam.pool";
                                case CLOUD -> "Cilium Operator allocates more IPs";
                            };
                case NoInterface(var address, var resource) ->
                    "failed to associate IP %s inside CiliumNode: unable to find ENI %s".formatted(address, resource);
                case NotGiven(var address) -> "IP %s is not allocated".formatted(address);
            };
        }

        record NoNode() implements ListedFault {}

        record NoList() implements ListedFault {}

        record InUse() implements ListedFault {}

        record Leaving() implements ListedFault {}

        record NotListed(Address address) implements ListedFault {}

        record NoneLeft(Source source) implements ListedFault {}

        record NoInterface(Address address, String resource) implements ListedFault {}

        record NotGiven(Address address) implements ListedFault {}
    }
}
