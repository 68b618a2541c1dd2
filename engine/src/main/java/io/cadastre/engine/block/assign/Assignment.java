package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.engine.MayRefuse;
import io.cadastre.engine.block.BlockRefusal;
import io.cadastre.engine.block.HostReserve;
import java.util.List;
import java.util.Optional;

/// What a request for any addresses came to. For each family that was asked for and reached, IPv4
/// first, there is a share.
public sealed interface Assignment extends MayRefuse {

    List<Share> shares();

    /// The request was served as far as there are addresses.
    record Done(List<Share> shares) implements Assignment {
        public Done {
            shares = List.copyOf(shares);
        }
    }

    /// The request failed. The caller must release what it was given before.
    record Stopped(List<Share> shares, BlockRefusal refusal) implements Assignment {
        public Stopped {
            shares = List.copyOf(shares);
        }
    }

    /// All addresses that were given.
    default List<Address> addresses() {
        return shares().stream()
                .flatMap(share -> share.leases().stream())
                .map(AssignedAddress::address)
                .toList();
    }

    default Optional<Share> share(Family family) {
        return shares().stream().filter(share -> share.family() == family).findFirst();
    }

    /// What was given of one family.
    ///
    /// @param requested how many were asked for
    /// @param messages why there are not more, each said once
    record Share(
            Family family,
            int requested,
            HostReserve hostReserve,
            List<AssignedAddress> leases,
            List<String> messages) {

        public Share {
            leases = List.copyOf(leases);
            messages = messages.stream().distinct().toList();
        }

        /// In Calico's words why there are fewer than asked for, if there are.
        public Optional<String> shortfall() {
            if (leases.size() >= requested) {
                return Optional.empty();
            }
            var text = new StringBuilder();
            text.append("Assigned %d out of %d requested %s addresses".formatted(leases.size(), requested, family));
            messages.forEach(message -> text.append("; ").append(message));
            if (hostReserve instanceof HostReserve.Ends ends) {
                text.append("; HostReservedAttr: ").append(ends.handle());
            }
            return Optional.of(text.toString());
        }
    }

    @Override
    default boolean refuses() {
        return this instanceof Stopped
                || shares().stream().anyMatch(share -> share.shortfall().isPresent());
    }
}
