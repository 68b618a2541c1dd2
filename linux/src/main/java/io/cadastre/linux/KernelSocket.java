package io.cadastre.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A netlink socket. It stays in the namespace it was opened in, from whatever thread it is used.
final class KernelSocket implements Transport {

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int NETLINK_ROUTE = 0;
    private static final int SOL_NETLINK = 270;
    private static final int NETLINK_CAP_ACK = 10;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int NETLINK_GET_STRICT_CHK = 12;
    private static final int SENDER_PORT = 4;

    /// The kernel fills a dump's datagrams up to half of this, whatever is offered.
    private static final int DATAGRAM_BYTES_MAX = 65_536;

    private static final byte[] KERNEL = ByteBuffer.allocate(12)
            .order(ByteOrder.nativeOrder())
            .putShort((short) AF_NETLINK)
            .array();
    private static final byte[] ON =
            ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(1).array();

    private final Descriptor descriptor;

    private KernelSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /// Opens a socket in the namespace of the calling thread.
    static KernelSocket open() {
        var operation = "open a netlink socket";
        var descriptor =
                new Descriptor("the netlink socket", LibC.socket(operation, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
        try {
            descriptor.use(number -> {
                LibC.bind(operation, number, KERNEL);
                set(operation, number, NETLINK_CAP_ACK);
                set(operation, number, NETLINK_EXT_ACK);
                set(operation, number, NETLINK_GET_STRICT_CHK);
            });
            return new KernelSocket(descriptor);
        } catch (LinuxException failure) {
            descriptor.close();
            throw failure;
        }
    }

    /// An older kernel knows fewer options. Its answers are longer then and its errors have no text.
    private static void set(String operation, int number, int option) {
        try {
            LibC.setOption(operation, number, SOL_NETLINK, option, ON);
        } catch (LinuxException failure) {
            if (failure.errno() != Errno.ENOPROTOOPT) {
                throw failure;
            }
        }
    }

    @Override
    public void send(String operation, byte[] datagram) {
        descriptor.use(number -> LibC.send(operation, number, datagram, KERNEL));
    }

    @Override
    public byte[] receive(String operation, KernelDeadline deadline) {
        return descriptor.ask(number -> {
            // Ends with the deadline.
            while (LibC.poll(operation, number, deadline)) {
                var datagram = LibC.receive(operation, number, DATAGRAM_BYTES_MAX);
                // Other processes may write to us as well; the kernel's port is zero.
                if (datagram.sender().i32(SENDER_PORT) == 0) {
                    return datagram.bytes();
                }
            }
            throw new LinuxException(operation, Errno.ETIMEDOUT);
        });
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
