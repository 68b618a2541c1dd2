package io.cadastre.engine.block.assign;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;

/// An address that was assigned.
///
/// @param network the block that it is from, or the address alone where an address that was held
///     already is given again
public record AssignedAddress(Address address, Prefix network) {

    static AssignedAddress alone(Address address) {
        return new AssignedAddress(address, new Prefix(address, address.family().bits()));
    }

    /// The address with the length of the network, for example `10.0.0.2/26`.
    @Override
    public String toString() {
        return address + "/" + network.length();
    }
}
