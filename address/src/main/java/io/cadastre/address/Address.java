package io.cadastre.address;

import java.math.BigInteger;

/// One IPv4 or IPv6 address: a 128-bit unsigned number and its family.
///
/// An IPv4 address is the low 32 bits of the number. All IPv4 addresses sort before all IPv6 addresses.
/// An IPv4-mapped IPv6 address is an IPv6 address here; a caller that needs the other reading asks for
/// it.
public record Address(Family family, long high, long low) implements Comparable<Address> {

    private static final long IPV4_MAPPED = 0xffff;

    public Address {
        if (family == Family.IPV4 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits, not %016x%016x".formatted(high, low));
        }
    }

    public static Address ipv4(int bits) {
        return new Address(Family.IPV4, 0, Integer.toUnsignedLong(bits));
    }

    public static Address ipv6(long high, long low) {
        return new Address(Family.IPV6, high, low);
    }

    /// The address of this family with this number.
    ///
    /// @throws ArithmeticException if the family has no such number
    public static Address of(Family family, BigInteger number) {
        if (number.signum() < 0 || number.bitLength() > family.bits()) {
            throw new ArithmeticException("%s is not the number of an %s address".formatted(number, family));
        }
        return new Address(family, number.shiftRight(64).longValue(), number.longValue());
    }

    /// Reads an address by the strict rules: what is written must be unambiguous.
    ///
    /// @throws IllegalArgumentException naming the text and the rule it breaks
    public static Address parse(String text) {
        return AddressText.parse(text);
    }

    /// The address as a number, from zero.
    public BigInteger number() {
        return unsigned(high).shiftLeft(64).or(unsigned(low));
    }

    /// The address right after this one.
    ///
    /// @throws ArithmeticException if this is the family's last
    public Address next() {
        return plus(1);
    }

    /// The address right before this one.
    ///
    /// @throws ArithmeticException if this is the family's first
    public Address previous() {
        return minus(1);
    }

    /// The address `distance` after this one, the distance unsigned.
    ///
    /// @throws ArithmeticException if the family ends before
    public Address plus(long distance) {
        long newLow = low + distance;
        boolean carry = Long.compareUnsigned(newLow, low) < 0;
        boolean overflow = family == Family.IPV4 ? carry || newLow >>> 32 != 0 : carry && high == -1L;
        if (overflow) {
            throw beyond("after", Long.toUnsignedString(distance));
        }
        return new Address(family, carry ? high + 1 : high, newLow);
    }

    /// The address `distance` before this one, the distance unsigned.
    ///
    /// @throws ArithmeticException if the family starts after
    public Address minus(long distance) {
        boolean borrow = Long.compareUnsigned(low, distance) < 0;
        if (borrow && high == 0) {
            throw beyond("before", Long.toUnsignedString(distance));
        }
        return new Address(family, borrow ? high - 1 : high, low - distance);
    }

    /// The address `distance` after this one, or before it if the distance is negative.
    ///
    /// @throws ArithmeticException if the family does not reach so far
    public Address plus(BigInteger distance) {
        var sum = number().add(distance);
        if (sum.signum() < 0 || sum.bitLength() > family.bits()) {
            throw beyond(
                    distance.signum() < 0 ? "before" : "after", distance.abs().toString());
        }
        return of(family, sum);
    }

    /// How many steps of [#next()] lead from this address to the other one.
    ///
    /// @throws IllegalArgumentException if the other comes before this one, or is of another family
    public BigInteger distanceTo(Address other) {
        if (other.family != family || other.compareTo(this) < 0) {
            throw new IllegalArgumentException("%s does not come after %s".formatted(other, this));
        }
        long borrow = Long.compareUnsigned(other.low, low) < 0 ? 1 : 0;
        return unsigned(other.high - high - borrow).shiftLeft(64).or(unsigned(other.low - low));
    }

    /// Whether this is an IPv6 address that stands for an IPv4 one: it lies in `::ffff:0.0.0.0/96`.
    public boolean ipv4Mapped() {
        return family == Family.IPV6 && high == 0 && low >>> 32 == IPV4_MAPPED;
    }

    /// The IPv4 address that this one stands for, if it stands for one; else this one itself.
    public Address unmapped() {
        return ipv4Mapped() ? ipv4((int) low) : this;
    }

    @Override
    public int compareTo(Address other) {
        if (family != other.family) {
            return family.compareTo(other.family);
        }
        return high == other.high ? Long.compareUnsigned(low, other.low) : Long.compareUnsigned(high, other.high);
    }

    /// Neighbours have neighbouring hashes, so that a table that is walked in order is met in order. The
    /// first addresses of blocks have zeros at their end and still differ there in their hashes.
    @Override
    public int hashCode() {
        long both = 31 * high + low;
        return Long.hashCode(both + (both >>> 6));
    }

    /// The canonical text: a dotted quad, or IPv6 as RFC 5952 has it.
    @Override
    public String toString() {
        return AddressText.format(this);
    }

    private ArithmeticException beyond(String direction, String distance) {
        return new ArithmeticException(
                "there is no %s address %s steps %s %s".formatted(family, distance, direction, this));
    }

    private static BigInteger unsigned(long bits) {
        var number = BigInteger.valueOf(bits & Long.MAX_VALUE);
        return bits < 0 ? number.setBit(63) : number;
    }
}
