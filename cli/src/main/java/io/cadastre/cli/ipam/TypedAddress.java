package io.cadastre.cli.ipam;

import io.cadastre.address.Address;
import io.cadastre.cli.command.UsageException;

/// An address as a user typed it.
final class TypedAddress {

    private TypedAddress() {}

    /// An IPv4 address that is written as an IPv6 address is one of IPv4, as for Go.
    ///
    /// @throws UsageException in Calico's words if it is not an address
    static Address parse(String text) {
        try {
            return Address.parse(text).unmapped();
        } catch (IllegalArgumentException _) {
            throw new UsageException("invalid IP address specified: " + text);
        }
    }
}
