package io.cadastre.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Bytes that the kernel wrote, to be read field by field in the machine's own byte order. Nothing is
/// read past the end.
final class Payload {

    private static final String OPERATION = "read what the kernel wrote";

    private final ByteBuffer bytes;

    private Payload(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.nativeOrder());
    }

    static Payload of(byte[] bytes) {
        return new Payload(ByteBuffer.wrap(bytes).asReadOnlyBuffer());
    }

    int size() {
        return bytes.limit();
    }

    int u8(int offset) {
        check(offset, 1);
        return Byte.toUnsignedInt(bytes.get(offset));
    }

    int u16(int offset) {
        check(offset, 2);
        return Short.toUnsignedInt(bytes.getShort(offset));
    }

    int i32(int offset) {
        check(offset, 4);
        return bytes.getInt(offset);
    }

    /// From here to there.
    Payload part(int offset, int size) {
        check(offset, size);
        return new Payload(bytes.slice(offset, size));
    }

    /// From here to the end.
    Payload from(int offset) {
        check(offset, 0);
        return part(offset, size() - offset);
    }

    byte[] bytes() {
        var copy = new byte[size()];
        bytes.get(0, copy);
        return copy;
    }

    /// Text up to its NUL, or to the end where there is none.
    String text() {
        int end = 0;
        while (end < size() && bytes.get(end) != 0) {
            end++;
        }
        return new String(part(0, end).bytes(), StandardCharsets.UTF_8);
    }

    private void check(int offset, int size) {
        if (offset < 0 || size < 0 || offset > size() - size) {
            throw LinuxException.malformed(
                    OPERATION, "bytes %d to %d of %d".formatted(offset, (long) offset + size, size()));
        }
    }
}
