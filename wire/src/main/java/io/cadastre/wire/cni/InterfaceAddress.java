package io.cadastre.wire.cni;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.address.Prefix;
import java.util.Optional;
import java.util.regex.Pattern;

/// An address with the length of the network it stands in: `10.1.2.3/24`. Unlike a [Prefix] it keeps
/// the bits beyond the length.
///
/// Text in the form of an IPv4-mapped IPv6 address means the IPv4 address, as it does in Go:
/// `::ffff:1.2.3.4/120` is `1.2.3.4/24`.
public record InterfaceAddress(Address ip, int length) {

    private static final int IPV4_MAPPED_LENGTH = 96;

    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,3}");

    public InterfaceAddress {
        if (length < 0 || length > ip.family().bits()) {
            throw new IllegalArgumentException("%s/%d: an %s prefix length is from 0 to %d"
                    .formatted(ip, length, ip.family(), ip.family().bits()));
        }
    }

    /// The address alone in its network: /32 or /128.
    public static InterfaceAddress single(Address ip) {
        return new InterfaceAddress(ip, ip.family().bits());
    }

    /// Reads `address/length`.
    ///
    /// @throws CniException if it is not one
    public static InterfaceAddress parse(String text) {
        return find(text).orElseThrow(() -> new CniException(CniCode.INTERNAL, "invalid CIDR address: " + text));
    }

    static Optional<InterfaceAddress> find(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !LENGTH.matcher(text.substring(slash + 1)).matches()) {
            return Optional.empty();
        }
        int length = Integer.parseInt(text.substring(slash + 1));
        return findWritten(text.substring(0, slash)).flatMap(ip -> find(ip, length));
    }

    private static Optional<InterfaceAddress> find(Address written, int length) {
        if (length > written.family().bits()) {
            return Optional.empty();
        }
        if (!written.ipv4Mapped()) {
            return Optional.of(new InterfaceAddress(written, length));
        }
        return length < IPV4_MAPPED_LENGTH
                ? Optional.empty()
                : Optional.of(new InterfaceAddress(unmapped(written), length - IPV4_MAPPED_LENGTH));
    }

    /// An address without a length, as CNI documents have it.
    ///
    /// @throws CniException if it is not one
    static Address parseAddress(String text) {
        return findAddress(text).orElseThrow(() -> new CniException(CniCode.INTERNAL, "invalid IP address: " + text));
    }

    static Optional<Address> findAddress(String text) {
        return findWritten(text).map(InterfaceAddress::unmapped);
    }

    private static Optional<Address> findWritten(String text) {
        try {
            return Optional.of(Address.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Address unmapped(Address ip) {
        return ip.ipv4Mapped() ? Address.ipv4((int) ip.low()) : ip;
    }

    public Family family() {
        return ip.family();
    }

    /// The network, without the bits beyond the length.
    public Prefix network() {
        return Prefix.containing(ip, length);
    }

    @Override
    public String toString() {
        return ip + "/" + length;
    }
}
