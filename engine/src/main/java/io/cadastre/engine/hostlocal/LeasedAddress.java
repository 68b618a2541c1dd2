package io.cadastre.engine.hostlocal;

import io.cadastre.address.Address;

/// An address that was given, with what its holder must know of the subnet.
///
/// @param length of the subnet's prefix
public record LeasedAddress(Address address, int length, Address gateway) {}
