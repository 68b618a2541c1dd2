package io.cadastre.address;

import java.util.Comparator;

/// All addresses that share their first `length` bits. The other bits of `address` are zero.
///
/// Two prefixes are nested or disjoint, never anything else.
public record Prefix(Address address, int length) implements Comparable<Prefix> {

    private static final Comparator<Prefix> ORDER =
            Comparator.comparing(Prefix::address).thenComparingInt(Prefix::length);

    public Prefix {
        int bits = address.family().bits();
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException(
                    "%s/%d: an %s prefix length is from 0 to %d"
                            .formatted(address, length, address.family(), bits));
        }
        if ((address.high() & ~highMask(address.family(), length)) != 0
                || (address.low() & ~lowMask(address.family(), length)) != 0) {
            throw new IllegalArgumentException(
                    "%s/%d has bits set beyond the prefix length".formatted(address, length));
        }
    }

    /// The prefix of this length that contains the address.
    public static Prefix containing(Address address, int length) {
        int bits = address.family().bits();
        if (length < 0 || length > bits) {
            throw new IllegalArgumentException(
                    "%s/%d: an %s prefix length is from 0 to %d"
                            .formatted(address, length, address.family(), bits));
        }
        return new Prefix(
                new Address(
                        address.family(),
                        address.high() & highMask(address.family(), length),
                        address.low() & lowMask(address.family(), length)),
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
                family(),
                family() == Family.IPV4 ? 0 : address.high() | ~highMask(family(), length),
                address.low()
                        | (family() == Family.IPV4
                                ? ~lowMask(family(), length) & 0xffff_ffffL
                                : ~lowMask(family(), length)));
    }

    public boolean contains(Address other) {
        return other.family() == family()
                && (other.high() & highMask(family(), length)) == address.high()
                && (other.low() & lowMask(family(), length)) == address.low();
    }

    public boolean contains(Prefix other) {
        return other.length >= length && contains(other.address);
    }

    public boolean overlaps(Prefix other) {
        return contains(other) || other.contains(this);
    }

    public Range range() {
        return new Range(first(), last());
    }

    @Override
    public int compareTo(Prefix other) {
        return ORDER.compare(this, other);
    }

    /// The canonical text, for example `10.0.0.0/8`.
    @Override
    public String toString() {
        return address + "/" + length;
    }

    private static long highMask(Family family, int length) {
        if (family == Family.IPV4 || length == 0) {
            return family == Family.IPV4 ? -1L : 0;
        }
        return length >= 64 ? -1L : -1L << (64 - length);
    }

    private static long lowMask(Family family, int length) {
        int lowLength = family == Family.IPV4 ? length + 32 : length - 64;
        if (lowLength <= 0) {
            return 0;
        }
        return lowLength >= 64 ? -1L : -1L << (64 - lowLength);
    }
}
