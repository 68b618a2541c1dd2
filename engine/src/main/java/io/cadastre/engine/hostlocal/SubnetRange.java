package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import io.cadastre.address.Range;

/// A part of a subnet from which addresses are given.
///
/// @param gateway returned with each address; it may lie anywhere, and is not assigned if it lies here
public record SubnetRange(Prefix subnet, Range range, Address gateway) {

    public SubnetRange {
        if (!subnet.range().contains(range)) {
            throw new IllegalArgumentException("range %s does not lie in subnet %s".formatted(range, subnet));
        }
    }

    public boolean contains(Address address) {
        return range.contains(address);
    }

    /// The first and the last address, also where they are the same.
    public String words() {
        return range.first() + "-" + range.last();
    }

    LeasedAddress lease(Address address) {
        return new LeasedAddress(address, subnet.length(), gateway);
    }
}
