/// Arithmetic of addresses, prefixes and ranges.
///
/// IPv4 and IPv6 are one 128-bit number with a family. Everything here is an immutable value, except
/// the two indexes of used parts, and nothing here knows the holder of an address.
@NullMarked
package io.cadastre.address;

import org.jspecify.annotations.NullMarked;
