package io.cadastre.linux;

import io.cadastre.address.Address;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/// A netlink message under construction: the fixed part first, then attributes.
final class NetlinkRequest {

    static final int HEADER_BYTES = 16;

    static final int REPLACE = 0x100;
    static final int EXCLUSIVE = 0x200;
    static final int CREATE = 0x400;

    private static final int REQUEST = 1;
    private static final int ACKNOWLEDGE = 4;
    private static final int DUMP = 0x300;

    /// Requests hold a few names and numbers.
    private static final int BYTES_MAX = 4_096;

    private final ByteBuffer bytes =
            ByteBuffer.allocate(BYTES_MAX).order(ByteOrder.nativeOrder()).position(HEADER_BYTES);

    private NetlinkRequest(int type, int flags) {
        bytes.putShort(4, (short) type).putShort(6, (short) flags);
    }

    /// Asks for a change, or for one thing, and for an acknowledgement.
    static NetlinkRequest of(int type, int flags) {
        return new NetlinkRequest(type, REQUEST | ACKNOWLEDGE | flags);
    }

    /// Asks for all there is.
    static NetlinkRequest dump(int type) {
        return new NetlinkRequest(type, REQUEST | DUMP);
    }

    /// The size with the padding that follows.
    static int aligned(int size) {
        return (size + 3) & ~3;
    }

    NetlinkRequest u8(int value) {
        bytes.put((byte) value);
        return this;
    }

    NetlinkRequest u16(int value) {
        bytes.putShort((short) value);
        return this;
    }

    NetlinkRequest i32(int value) {
        bytes.putInt(value);
        return this;
    }

    NetlinkRequest raw(byte[] value) {
        bytes.put(value);
        return this;
    }

    NetlinkRequest attribute(int type, byte[] value) {
        return nested(type, inner -> inner.raw(value));
    }

    NetlinkRequest attribute(int type, int value) {
        return nested(type, inner -> inner.i32(value));
    }

    /// Left out when zero, which to the kernel means the same.
    NetlinkRequest attributeUnlessZero(int type, int value) {
        return value == 0 ? this : attribute(type, value);
    }

    NetlinkRequest attribute(int type, Address value) {
        return attribute(type, AddressBytes.of(value));
    }

    /// Text that ends with a NUL, as names do.
    NetlinkRequest attribute(int type, String value) {
        if (value.indexOf('\0') >= 0 || value.length() > BYTES_MAX / 8) {
            throw new IllegalArgumentException("%s is not a name".formatted(Quote.of(value)));
        }
        return attribute(type, (value + '\0').getBytes(StandardCharsets.UTF_8));
    }

    /// An attribute whose value is whatever is put inside.
    NetlinkRequest nested(int type, Consumer<NetlinkRequest> inside) {
        int start = bytes.position();
        u16(0).u16(type);
        inside.accept(this);
        int size = bytes.position() - start;
        bytes.putShort(start, (short) size);
        bytes.position(start + aligned(size));
        return this;
    }

    /// The whole message, ready to be sent.
    byte[] bytes(int sequence) {
        bytes.putInt(0, bytes.position()).putInt(8, sequence);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
