package io.cadastre.cli;

import io.cadastre.address.Address;

/// An address as somebody typed it.
final class AddressText {

    private AddressText() {}

    /// @throws UsageException in Calico's words if it is none
    static Address parse(String text) {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException _) {
            throw new UsageException("invalid IP address specified: " + text);
        }
    }
}
