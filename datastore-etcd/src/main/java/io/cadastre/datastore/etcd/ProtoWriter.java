package io.cadastre.datastore.etcd;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes one message in the protobuf wire format, field by field.
///
/// Only what etcd's requests are made of: variable-length integers and length-delimited fields. A
/// zero is written like any other number, since etcd's `Compare` has numbers whose presence counts.
final class ProtoWriter {

    static final int VARINT = 0;
    static final int DELIMITED = 2;

    private static final int INITIAL_BYTES = 64;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int size;

    ProtoWriter number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    ProtoWriter flag(int field) {
        return number(field, 1);
    }

    ProtoWriter bytes(int field, byte[] value) {
        return delimited(field, value, value.length);
    }

    ProtoWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ProtoWriter message(int field, ProtoWriter message) {
        return delimited(field, message.bytes, message.size);
    }

    int size() {
        return size;
    }

    /// What was written, without a copy. The writer must not be written to any more.
    ByteArrayInputStream asStream() {
        return new MessageStream(bytes, size);
    }

    private ProtoWriter delimited(int field, byte[] value, int length) {
        varint(((long) field << 3) | DELIMITED);
        varint(length);
        reserve(length);
        System.arraycopy(value, 0, bytes, size, length);
        size += length;
        return this;
    }

    /// Seven bits a byte, lowest first; a negative number takes all ten bytes.
    private void varint(long value) {
        reserve(ProtoReader.VARINT_BYTES_MAX);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    private void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, Math.multiplyExact(bytes.length, 2)));
        }
    }

    /// Bytes of a known length that gRPC can move without a buffer between.
    private static final class MessageStream extends ByteArrayInputStream implements KnownLength, Drainable {

        MessageStream(byte[] bytes, int size) {
            super(bytes, 0, size);
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            return (int) transferTo(target);
        }
    }
}
