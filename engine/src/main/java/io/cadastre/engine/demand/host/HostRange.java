package io.cadastre.engine.demand.host;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.math.BigInteger;

/// Which addresses of a CIDR may be given.
///
/// @param ends whether the first and the last address are among them
public record HostRange(Prefix cidr, Ends ends) {

    /// The bits of addresses that count in an IPv6 CIDR.
    private static final int IPV6_BITS_MAX = 16;

    /// A CIDR shorter than this gives nothing.
    private static final int LENGTH_MIN = 2;

    /// Which of the two ends of a CIDR may be given.
    public enum Ends {
        NEITHER,
        FIRST,
        LAST,
        BOTH;

        /// By the flags of a pool.
        public static Ends of(boolean first, boolean last) {
            if (first) {
                return last ? BOTH : FIRST;
            }
            return last ? LAST : NEITHER;
        }

        boolean first() {
            return this == FIRST || this == BOTH;
        }

        boolean last() {
            return this == LAST || this == BOTH;
        }
    }

    /// One that leaves out both ends.
    public static HostRange of(Prefix cidr) {
        return new HostRange(cidr, Ends.NEITHER);
    }

    private int hostBits() {
        return cidr.family().bits() - cidr.length();
    }

    /// How many addresses count, those at the ends included; none if the CIDR is too big.
    private long span() {
        if (cidr.length() < LENGTH_MIN) {
            return 0;
        }
        return 1L << (cidr.family() == Family.IPV6 ? Math.min(hostBits(), IPV6_BITS_MAX) : hostBits());
    }

    private boolean leavesOutFirst() {
        return span() > 2 && !ends.first();
    }

    private boolean leavesOutLast() {
        return span() > 2 && !ends.last();
    }

    /// How many addresses may be given.
    public long size() {
        return span() - (leavesOutFirst() ? 1 : 0) - (leavesOutLast() ? 1 : 0);
    }

    /// The address with a number, from zero.
    ///
    /// @throws IndexOutOfBoundsException if there is no such one
    public Address address(long number) {
        if (number < 0 || number >= size()) {
            throw new IndexOutOfBoundsException("%s has no address %d".formatted(cidr, number));
        }
        return cidr.first().plus(number + (leavesOutFirst() ? 1 : 0));
    }

    /// Whether the address may be given.
    public boolean contains(Address address) {
        return size() > 0
                && cidr.contains(address)
                && address.compareTo(address(0)) >= 0
                && address.compareTo(address(size() - 1)) <= 0;
    }

    /// The capacity that Cilium reports: two less than the CIDR has addresses, whichever of them count.
    public BigInteger reported() {
        return cidr.size().subtract(BigInteger.TWO).max(BigInteger.ZERO);
    }
}
