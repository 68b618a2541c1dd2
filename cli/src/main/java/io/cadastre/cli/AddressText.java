package io.cadastre.cli;

import io.cadastre.address.Address;

/// An address as somebody typed it.
final class AddressText {

    private AddressText() {}

    /// An IPv4 address that is written as an IPv6 address is one of IPv4, as for Go.
    ///
    /// @throws UsageException in Calico's words if it is none
    static Address parse(String text) {
        try {
            return Address.parse(text).unmapped();
        } catch (IllegalArgumentException _) {
            throw new UsageException("invalid IP address specified: " + text);
        }
    }
}
