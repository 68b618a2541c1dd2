package io.cadastre.linux.probe;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.linux.AddressBytes;
import io.cadastre.linux.MacAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/// A neighbour solicitation or advertisement in its IPv6 packet (RFC 4861).
///
/// @param source `::` where the sender claims no address
/// @param mac what the sender says about the target's hardware address in an advertisement, or about
///     its own in a solicitation; [MacAddress#NONE] if it says nothing
public record NdpPacket(Kind kind, Address source, Address target, MacAddress mac) {

    static final Address UNSPECIFIED = AddressBytes.zero(Family.IPV6);

    private static final int HEADER_BYTES = 40;
    private static final int MESSAGE_BYTES = 24;
    private static final int OPTION_BYTES = 8;
    private static final int VERSION = 6;
    private static final int ICMPV6 = 58;
    private static final int CHECKSUM = HEADER_BYTES + 2;

    /// Set by every sender and lowered by every router: a receiver that sees it knows that no router was
    /// between.
    private static final int HOP_LIMIT = 255;

    private static final long SOLICITED_HIGH = 0xff02_0000_0000_0000L;
    private static final long SOLICITED_LOW = 0x1_ff00_0000L;
    private static final long SOLICITED_MAC = 0x3333_ff00_0000L;
    private static final long SOLICITED_BITS = 0xff_ffffL;

    private static final Address ALL_NODES = Address.ipv6(0xff02_0000_0000_0000L, 1);
    private static final MacAddress ALL_NODES_MAC = new MacAddress(0x3333_0000_0001L);

    public NdpPacket {
        if (source.family() != Family.IPV6 || target.family() != Family.IPV6) {
            throw new IllegalArgumentException("NDP knows IPv6 only, not %s and %s".formatted(source, target));
        }
    }

    /// Asks which host has an address without claiming any (RFC 4862). Such a question must not name its
    /// sender.
    public static NdpPacket probe(Address candidate) {
        return new NdpPacket(Kind.SOLICITATION, UNSPECIFIED, candidate, MacAddress.NONE);
    }

    /// Asks which host has an address, with one of our own as the sender.
    public static NdpPacket request(MacAddress mac, Address own, Address target) {
        return new NdpPacket(Kind.SOLICITATION, own, target, mac);
    }

    /// Announces that an address is ours now, whatever the receivers knew of it (RFC 4861, 7.2.6).
    static NdpPacket announcement(MacAddress mac, Address own) {
        return new NdpPacket(Kind.ADVERTISEMENT, own, own, mac);
    }

    /// Empty for what is not such a packet, or may come from beyond the link.
    public static Optional<NdpPacket> read(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER_BYTES + MESSAGE_BYTES
                || buffer.get(0) >> 4 != VERSION
                || buffer.get(6) != ICMPV6
                || Byte.toUnsignedInt(buffer.get(7)) != HOP_LIMIT
                || buffer.get(HEADER_BYTES + 1) != 0) {
            return Optional.empty();
        }
        return Kind.of(Byte.toUnsignedInt(buffer.get(HEADER_BYTES)))
                .map(kind -> new NdpPacket(
                        kind,
                        Address.ipv6(buffer.getLong(8), buffer.getLong(16)),
                        Address.ipv6(buffer.getLong(HEADER_BYTES + 8), buffer.getLong(HEADER_BYTES + 16)),
                        option(buffer, kind)));
    }

    /// Its receivers: for a solicitation all hosts with an address like the target's, for an unsolicited
    /// advertisement all hosts.
    Address group() {
        return switch (kind) {
            case SOLICITATION -> Address.ipv6(SOLICITED_HIGH, SOLICITED_LOW | (target.low() & SOLICITED_BITS));
            case ADVERTISEMENT -> ALL_NODES;
        };
    }

    MacAddress groupMac() {
        return switch (kind) {
            case SOLICITATION -> new MacAddress(SOLICITED_MAC | (target.low() & SOLICITED_BITS));
            case ADVERTISEMENT -> ALL_NODES_MAC;
        };
    }

    /// The packet, sent to its group.
    public byte[] bytes() {
        boolean tells = !mac.equals(MacAddress.NONE);
        int size = MESSAGE_BYTES + (tells ? OPTION_BYTES : 0);
        var buffer = ByteBuffer.allocate(HEADER_BYTES + size)
                .putInt(VERSION << 28)
                .putShort((short) size)
                .put((byte) ICMPV6)
                .put((byte) HOP_LIMIT)
                .put(AddressBytes.of(source))
                .put(AddressBytes.of(group()))
                .put((byte) kind.number)
                .put((byte) 0)
                .putShort((short) 0)
                .putInt(kind.flags)
                .put(AddressBytes.of(target));
        if (tells) {
            buffer.put((byte) kind.option).put((byte) 1).put(mac.bytes());
        }
        buffer.putShort(CHECKSUM, checksum(buffer.array(), size));
        return buffer.array();
    }

    /// Whether it shows that a host has the address or is about to take it.
    boolean contests(Address candidate) {
        return switch (kind) {
            case ADVERTISEMENT -> target.equals(candidate);
            case SOLICITATION -> source.equals(candidate) || (source.equals(UNSPECIFIED) && target.equals(candidate));
        };
    }

    /// The sum of RFC 1071 over the message and a header that names both addresses, the size and the
    /// protocol.
    private static short checksum(byte[] packet, int size) {
        var buffer = ByteBuffer.wrap(packet);
        int sum = size + ICMPV6;
        for (int offset = 8; offset < packet.length; offset += 2) {
            sum += Short.toUnsignedInt(buffer.getShort(offset));
        }
        // Ends: each round leaves fewer bits.
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (short) ~sum;
    }

    /// The hardware address among the options, where it is well formed.
    private static MacAddress option(ByteBuffer buffer, Kind kind) {
        int offset = HEADER_BYTES + MESSAGE_BYTES;
        // Ends: an option without a length ends the search, and all others lead further.
        while (offset + OPTION_BYTES <= buffer.limit()) {
            int size = Byte.toUnsignedInt(buffer.get(offset + 1)) * OPTION_BYTES;
            if (buffer.get(offset) == kind.option && size == OPTION_BYTES) {
                var bytes = new byte[MacAddress.BYTES];
                buffer.get(offset + 2, bytes);
                return MacAddress.of(bytes);
            }
            if (size == 0) {
                return MacAddress.NONE;
            }
            offset += size;
        }
        return MacAddress.NONE;
    }

    enum Kind {
        SOLICITATION(135, 1, 0),
        /// Overrides what its receivers remember.
        ADVERTISEMENT(136, 2, 0x2000_0000);

        private final int number;

        /// The type of the option that holds the hardware address.
        private final int option;

        private final int flags;

        Kind(int number, int option, int flags) {
            this.number = number;
            this.option = option;
            this.flags = flags;
        }

        static Optional<Kind> of(int number) {
            return switch (number) {
                case 135 -> Optional.of(SOLICITATION);
                case 136 -> Optional.of(ADVERTISEMENT);
                default -> Optional.empty();
            };
        }
    }
}
