package io.cadastre.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/// A socket that sends and receives packets of one protocol on one link, without the Ethernet header.
public final class PacketSocket implements AutoCloseable {

    private static final int AF_PACKET = 17;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final short PACKET_MR_ALLMULTI = 2;
    private static final int ADDRESS_BYTES = 20;
    private static final int OUTGOING = 4;
    private static final int PACKET_BYTES_MAX = 2_048;

    /// About as many small packets as the kernel keeps for one socket.
    public static final int WAITING_MAX = 512;

    private final int linkIndex;
    private final EtherType type;
    private final Descriptor descriptor;

    private PacketSocket(int linkIndex, EtherType type, Descriptor descriptor) {
        this.linkIndex = linkIndex;
        this.type = type;
        this.descriptor = descriptor;
    }

    /// Opens a socket in the namespace of the calling thread. It receives what is sent to any group.
    public static PacketSocket open(int linkIndex, EtherType type) {
        var operation = "open a packet socket on link " + linkIndex;
        // No protocol yet: before it is bound it would receive from every link.
        var descriptor = new Descriptor(operation, LibC.socket(operation, AF_PACKET, SOCK_DGRAM, 0));
        var socket = new PacketSocket(linkIndex, type, descriptor);
        try {
            descriptor.use(number -> {
                LibC.bind(operation, number, socket.address(MacAddress.NONE));
                LibC.setOption(operation, number, SOL_PACKET, PACKET_ADD_MEMBERSHIP, allMulticast(linkIndex));
            });
            return socket;
        } catch (LinuxException failure) {
            descriptor.close();
            throw failure;
        }
    }

    public void send(String operation, byte[] packet, MacAddress destination) {
        descriptor.use(number -> LibC.send(operation, number, packet, address(destination)));
    }

    /// The next packet from another sender; empty when the deadline came first. A packet that came before
    /// the deadline is returned even after it: a late reader must not be mistaken for silence.
    public Optional<Packet> receive(String operation, KernelDeadline deadline) {
        return descriptor.ask(number -> {
            // Ends with the deadline, even if packets keep coming: only a bounded number can be waiting
            // then.
            for (int taken = 0; taken < WAITING_MAX || !deadline.over(); taken++) {
                if (!LibC.poll(operation, number, deadline)) {
                    break;
                }
                var datagram = LibC.receive(operation, number, PACKET_BYTES_MAX);
                var sender = datagram.sender();
                if (sender.u8(10) != OUTGOING && sender.u8(11) == MacAddress.BYTES) {
                    return Optional.of(new Packet(
                            MacAddress.of(sender.part(12, MacAddress.BYTES).bytes()), datagram.bytes()));
                }
            }
            return Optional.<Packet>empty();
        });
    }

    @Override
    public void close() {
        descriptor.close();
    }

    private byte[] address(MacAddress mac) {
        return ByteBuffer.allocate(ADDRESS_BYTES)
                .order(ByteOrder.nativeOrder())
                .putShort((short) AF_PACKET)
                .put(type.bytes())
                .putInt(linkIndex)
                .putShort((short) 0)
                .put((byte) 0)
                .put((byte) MacAddress.BYTES)
                .put(mac.bytes())
                .array();
    }

    private static byte[] allMulticast(int linkIndex) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.nativeOrder())
                .putInt(linkIndex)
                .putShort(PACKET_MR_ALLMULTI)
                .array();
    }

    /// What a packet says it is.
    public enum EtherType {
        ARP(0x0806),
        IPV6(0x86dd);

        private final int number;

        EtherType(int number) {
            this.number = number;
        }

        public byte[] bytes() {
            return new byte[] {(byte) (number >> 8), (byte) number};
        }
    }

    /// One packet and the interface it came from.
    public static final class Packet {

        private final MacAddress sender;
        private final byte[] bytes;

        private Packet(MacAddress sender, byte[] bytes) {
            this.sender = sender;
            this.bytes = bytes;
        }

        public MacAddress sender() {
            return sender;
        }

        public byte[] bytes() {
            return bytes;
        }
    }
}
