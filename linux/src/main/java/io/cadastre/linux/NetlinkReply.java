package io.cadastre.linux;

import java.util.ArrayList;
import java.util.List;

/// One netlink message of the kernel's.
///
/// @param payload what follows the header
record NetlinkReply(int type, int flags, int sequence, Payload payload) {

    static final int NOOP = 1;
    static final int ERROR = 2;
    static final int DONE = 3;
    static final int OVERRUN = 4;

    private static final int DUMP_INTERRUPTED = 0x10;
    private static final int CAPPED = 0x100;
    private static final int WITH_ATTRIBUTES = 0x200;
    private static final int MESSAGE = 1;

    /// The messages in one datagram.
    ///
    /// @throws LinuxException if they do not end where they should
    static List<NetlinkReply> split(byte[] datagram) {
        var payload = Payload.of(datagram);
        var replies = new ArrayList<NetlinkReply>();
        int offset = 0;
        // Ends: every message has at least its header.
        while (payload.size() - offset >= NetlinkRequest.HEADER_BYTES) {
            int size = payload.i32(offset);
            if (size < NetlinkRequest.HEADER_BYTES) {
                throw LinuxException.malformed("read a netlink message", "one of %d bytes".formatted(size));
            }
            replies.add(new NetlinkReply(
                    payload.u16(offset + 4),
                    payload.u16(offset + 6),
                    payload.i32(offset + 8),
                    payload.part(offset, size).from(NetlinkRequest.HEADER_BYTES)));
            offset += NetlinkRequest.aligned(size);
        }
        return replies;
    }

    /// Whether what is dumped changed while it was dumped, so that parts may be missing or doubled.
    boolean interrupted() {
        return (flags & DUMP_INTERRUPTED) != 0;
    }

    /// The errno that ends an answer, zero if all went well. A dump may end without one.
    int errno() {
        return type == DONE && payload.size() < Integer.BYTES ? 0 : -payload.i32(0);
    }

    /// What the kernel says about an errno, or nothing.
    String explanation() {
        if ((flags & WITH_ATTRIBUTES) == 0) {
            return "";
        }
        try {
            return Attributes.read(payload.from(explanationOffset())).text(MESSAGE);
        } catch (LinuxException _) {
            // The errno is what matters; its explanation must not hide it.
            return "";
        }
    }

    private int explanationOffset() {
        if (type == DONE) {
            return Integer.BYTES;
        }
        int original = (flags & CAPPED) != 0 ? NetlinkRequest.HEADER_BYTES : payload.i32(Integer.BYTES);
        return Integer.BYTES + NetlinkRequest.aligned(original);
    }
}
