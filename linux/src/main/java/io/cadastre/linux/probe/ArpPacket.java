package io.cadastre.linux.probe;

import io.cadastre.address.Address;
import io.cadastre.address.Family;
import io.cadastre.linux.AddressBytes;
import io.cadastre.linux.MacAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/// An ARP packet for IPv4 over Ethernet (RFC 826).
public record ArpPacket(
        Operation operation, MacAddress senderMac, Address sender, MacAddress targetMac, Address target) {

    static final Address UNSPECIFIED = AddressBytes.zero(Family.IPV4);

    private static final int BYTES = 28;
    private static final int ETHERNET = 1;
    private static final int IPV4 = 0x0800;
    private static final int IPV4_BYTES = 4;

    public ArpPacket {
        if (sender.family() != Family.IPV4 || target.family() != Family.IPV4) {
            throw new IllegalArgumentException("ARP knows IPv4 only, not %s and %s".formatted(sender, target));
        }
    }

    /// Asks which host has an address without claiming any (RFC 5227).
    public static ArpPacket probe(MacAddress mac, Address candidate) {
        return request(mac, UNSPECIFIED, candidate);
    }

    /// Announces that an address is ours now (RFC 5227).
    public static ArpPacket announcement(MacAddress mac, Address own) {
        return request(mac, own, own);
    }

    /// Asks which host has an address, with one of our own as the sender.
    static ArpPacket request(MacAddress mac, Address own, Address target) {
        return new ArpPacket(Operation.REQUEST, mac, own, MacAddress.NONE, target);
    }

    /// Empty for what is not such a packet.
    public static Optional<ArpPacket> read(byte[] bytes) {
        if (bytes.length < BYTES) {
            return Optional.empty();
        }
        var buffer = ByteBuffer.wrap(bytes);
        if (buffer.getShort() != ETHERNET
                || buffer.getShort() != IPV4
                || buffer.get() != MacAddress.BYTES
                || buffer.get() != IPV4_BYTES) {
            return Optional.empty();
        }
        return Operation.of(buffer.getShort())
                .map(operation -> new ArpPacket(
                        operation,
                        mac(buffer),
                        Address.ipv4(buffer.getInt()),
                        mac(buffer),
                        Address.ipv4(buffer.getInt())));
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putShort((short) ETHERNET)
                .putShort((short) IPV4)
                .put((byte) MacAddress.BYTES)
                .put((byte) IPV4_BYTES)
                .putShort((short) operation.number)
                .put(senderMac.bytes())
                .put(AddressBytes.of(sender))
                .put(targetMac.bytes())
                .put(AddressBytes.of(target))
                .array();
    }

    /// Whether it shows that another host has the address or is about to take it.
    boolean contests(Address candidate, MacAddress own) {
        boolean claims = sender.equals(candidate);
        boolean probes = sender.equals(UNSPECIFIED) && target.equals(candidate);
        return !senderMac.equals(own) && (claims || probes);
    }

    private static MacAddress mac(ByteBuffer buffer) {
        var bytes = new byte[MacAddress.BYTES];
        buffer.get(bytes);
        return MacAddress.of(bytes);
    }

    enum Operation {
        REQUEST(1),
        REPLY(2);

        private final int number;

        Operation(int number) {
            this.number = number;
        }

        static Optional<Operation> of(int number) {
            return switch (number) {
                case 1 -> Optional.of(REQUEST);
                case 2 -> Optional.of(REPLY);
                default -> Optional.empty();
            };
        }
    }
}
