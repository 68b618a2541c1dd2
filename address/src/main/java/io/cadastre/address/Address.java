package io.cadastre.address;

import java.util.Comparator;

/// One IPv4 or IPv6 address: a 128-bit unsigned number and its family.
///
/// An IPv4 address is the low 32 bits of the number. All IPv4 addresses sort before all IPv6
/// addresses. An IPv4-mapped IPv6 address is an IPv6 address here; whoever needs the other reading
/// asks for it.
public record Address(Family family, long high, long low) implements Comparable<Address> {

    private static final Comparator<Address> ORDER =
            Comparator.comparing(Address::family)
                    .thenComparing(Address::high, Long::compareUnsigned)
                    .thenComparing(Address::low, Long::compareUnsigned);

    public Address {
        if (family == Family.IPV4 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException(
                    "an IPv4 address has 32 bits, not %016x%016x".formatted(high, low));
        }
    }

    public static Address ipv4(int bits) {
        return new Address(Family.IPV4, 0, Integer.toUnsignedLong(bits));
    }

    public static Address ipv6(long high, long low) {
        return new Address(Family.IPV6, high, low);
    }

    /// Reads an address by the strict rules: what is written must be unambiguous.
    ///
    /// @throws IllegalArgumentException naming the text and the rule it breaks
    public static Address parse(String text) {
        return AddressText.parse(text);
    }

    /// The address `distance` after this one, the distance unsigned.
    ///
    /// @throws ArithmeticException if the family ends before
    public Address plus(long distance) {
        long newLow = low + distance;
        long newHigh = Long.compareUnsigned(newLow, low) < 0 ? high + 1 : high;
        boolean overflow =
                family == Family.IPV4
                        ? newHigh != 0 || newLow >>> 32 != 0
                        : newHigh == 0 && high == -1L;
        if (overflow) {
            throw new ArithmeticException(
                    "%s has no address %s after it"
                            .formatted(this, Long.toUnsignedString(distance)));
        }
        return new Address(family, newHigh, newLow);
    }

    @Override
    public int compareTo(Address other) {
        return ORDER.compare(this, other);
    }

    /// The canonical text: a dotted quad, or IPv6 as RFC 5952 has it.
    @Override
    public String toString() {
        return AddressText.format(this);
    }
}
