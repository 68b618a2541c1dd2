package io.cadastre.linux;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// An address of a link.
///
/// @param prefixLength how many leading bits the neighbours on the link share with it
public record LinkAddress(int linkIndex, Address address, int prefixLength, Set<Flag> flags) {

    public LinkAddress {
        // Refuses a length that the family does not have.
        Prefix.containing(address, prefixLength);
        var copy = EnumSet.noneOf(Flag.class);
        copy.addAll(flags);
        flags = Collections.unmodifiableSet(copy);
    }

    /// An address without neighbours: a `/32`, or a `/128`.
    public static LinkAddress alone(int linkIndex, Address address) {
        return new LinkAddress(linkIndex, address, address.family().bits(), Set.of());
    }

    public static LinkAddress within(int linkIndex, Address address, int prefixLength) {
        return new LinkAddress(linkIndex, address, prefixLength, Set.of());
    }

    public LinkAddress with(Flag flag) {
        var more = EnumSet.of(flag);
        more.addAll(flags);
        return new LinkAddress(linkIndex, address, prefixLength, more);
    }

    /// Whether the kernel still checks if another host has the address; it is of no use until then.
    public boolean tentative() {
        return flags.contains(Flag.TENTATIVE) && !duplicate();
    }

    /// Whether another host was found to have the address.
    public boolean duplicate() {
        return flags.contains(Flag.DAD_FAILED);
    }

    @Override
    public String toString() {
        return "%s/%d on link %d".formatted(address, prefixLength, linkIndex);
    }

    /// What the kernel says about an address, or what it is asked to do with one.
    public enum Flag {
        /// Of IPv4: not the first of its prefix. Of IPv6: temporary.
        SECONDARY(0x1),
        /// Do not check whether another host has it.
        NO_DAD(0x2),
        OPTIMISTIC(0x4),
        DAD_FAILED(0x8),
        HOME_ADDRESS(0x10),
        DEPRECATED(0x20),
        TENTATIVE(0x40),
        PERMANENT(0x80),
        MANAGE_TEMPORARY(0x100),
        /// Do not add a route to its prefix.
        NO_PREFIX_ROUTE(0x200),
        JOIN_MULTICAST(0x400),
        STABLE_PRIVACY(0x800);

        private final int bit;

        Flag(int bit) {
            this.bit = bit;
        }

        static Set<Flag> ofBits(int bits) {
            var flags = EnumSet.noneOf(Flag.class);
            for (var flag : values()) {
                if ((bits & flag.bit) != 0) {
                    flags.add(flag);
                }
            }
            return flags;
        }

        static int bitsOf(Set<Flag> flags) {
            return flags.stream().mapToInt(flag -> flag.bit).sum();
        }
    }
}
