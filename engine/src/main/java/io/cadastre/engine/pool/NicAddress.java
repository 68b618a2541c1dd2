package io.cadastre.engine.pool;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.util.Optional;

/// One address of an interface.
///
/// @param length that of the pool's subnet
public record NicAddress(Address address, int length, String pool, Optional<Address> gateway) {

    /// The address in the form in which endpoints have it.
    public String text() {
        return address + "/" + length;
    }

    boolean onLink(Address neighbour) {
        return Prefix.containing(address, length).contains(neighbour);
    }
}
