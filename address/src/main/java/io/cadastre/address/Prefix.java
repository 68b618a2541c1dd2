package io.cadastre.address;

import java.math.BigInteger;
import java.util.List;

/// All addresses that share their first `length` bits. The other bits of `address` are zero.
///
/// Two prefixes are nested or disjoint, never anything else.
public record Prefix(Address address, int length) implements Comparable<Prefix> {

    private static final int IPV4_MAPPED_LENGTH = 96;
    private static final long IPV4_BITS = 0xffff_ffffL;

    public Prefix {
        checkLength(address, length);
        if ((address.high() & hostHigh(address.family(), length)) != 0
                || (address.low() & hostLow(address.family(), length)) != 0) {
            throw new IllegalArgumentException(
                    "%s/%d has bits set beyond the prefix length".formatted(address, length));
        }
    }

    /// The prefix of this length that contains the address.
    public static Prefix containing(Address address, int length) {
        checkLength(address, length);
        return new Prefix(
                new Address(
                        address.family(),
                        address.high() & ~hostHigh(address.family(), length),
                        address.low() & ~hostLow(address.family(), length)),
                length);
    }

    /// Reads `address/length` by the strict rules; bits beyond the length are an error.
    ///
    /// @throws IllegalArgumentException naming the text and the rule it breaks
    public static Prefix parse(String text) {
        return PrefixText.parse(text);
    }

    public Family family() {
        return address.family();
    }

    public Address first() {
        return address;
    }

    public Address last() {
        return new Address(
                family(), address.high() | hostHigh(family(), length), address.low() | hostLow(family(), length));
    }

    /// How many addresses there are: at most 2^128, which no `long` holds.
    public BigInteger size() {
        return BigInteger.ONE.shiftLeft(family().bits() - length);
    }

    public boolean contains(Address other) {
        return other.family() == family()
                && (other.high() & ~hostHigh(family(), length)) == address.high()
                && (other.low() & ~hostLow(family(), length)) == address.low();
    }

    public boolean contains(Prefix other) {
        return other.length >= length && contains(other.address);
    }

    public boolean overlaps(Prefix other) {
        return contains(other) || other.contains(this);
    }

    /// The prefix one bit shorter that contains this one.
    ///
    /// @throws IllegalStateException if this is the whole family
    public Prefix parent() {
        if (length == 0) {
            throw new IllegalStateException("%s has no parent".formatted(this));
        }
        return containing(address, length - 1);
    }

    /// The two prefixes one bit longer that make up this one, in order.
    ///
    /// @throws IllegalStateException if this is a single address
    public List<Prefix> halves() {
        if (length == family().bits()) {
            throw new IllegalStateException("%s is a single address and has no halves".formatted(this));
        }
        return List.of(new Prefix(first(), length + 1), containing(last(), length + 1));
    }

    public Range range() {
        return new Range(first(), last());
    }

    /// Whether this is an IPv6 prefix of IPv4-mapped addresses only: `::ffff:a.b.c.d` with a length
    /// of 96 or more.
    public boolean ipv4Mapped() {
        return length >= IPV4_MAPPED_LENGTH && address.ipv4Mapped();
    }

    @Override
    public int compareTo(Prefix other) {
        int order = address.compareTo(other.address);
        return order == 0 ? Integer.compare(length, other.length) : order;
    }

    /// The canonical text, for example `10.0.0.0/8`.
    @Override
    public String toString() {
        return address + "/" + length;
    }

    private static void checkLength(Address address, int length) {
        int bits = address.family().bits();
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException(
                    "%s/%d: an %s prefix length is from 0 to %d".formatted(address, length, address.family(), bits));
        }
    }

    /// The bits of the upper half that lie beyond the prefix length.
    private static long hostHigh(Family family, int length) {
        return family == Family.IPV4 || length >= 64 ? 0 : -1L >>> length;
    }

    /// The bits of the lower half that lie beyond the prefix length.
    private static long hostLow(Family family, int length) {
        if (family == Family.IPV4) {
            return IPV4_BITS >>> length;
        }
        if (length <= 64) {
            return -1L;
        }
        return length == 128 ? 0 : -1L >>> (length - 64);
    }
}
