package io.cadastre.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Messages as the kernel would write them.
final class NetlinkMessages {

    private NetlinkMessages() {}

    static byte[] message(int type, int flags, int sequence, byte[] payload) {
        int size = NetlinkRequest.HEADER_BYTES + payload.length;
        return buffer(NetlinkRequest.aligned(size))
                .putInt(size)
                .putShort((short) type)
                .putShort((short) flags)
                .putInt(sequence)
                .putInt(0)
                .put(payload)
                .array();
    }

    static byte[] number(int value) {
        return buffer(4).putInt(value).array();
    }

    /// A refusal, the original request cut down to its header, with the kernel's words.
    static byte[] refusal(int sequence, Errno errno, String words) {
        var text = (words + '\0').getBytes(StandardCharsets.UTF_8);
        var payload = buffer(4 + 16 + 4 + NetlinkRequest.aligned(text.length))
                .putInt(-errno.number())
                .put(new byte[16])
                .putShort((short) (4 + text.length))
                .putShort((short) 1)
                .put(text)
                .array();
        return message(NetlinkReply.ERROR, 0x300, sequence, payload);
    }

    static byte[] acknowledgement(int sequence) {
        return message(NetlinkReply.ERROR, 0x100, sequence, buffer(20).putInt(0).array());
    }

    static byte[] done(int sequence, int flags) {
        return message(NetlinkReply.DONE, flags, sequence, number(0));
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    }
}
