package io.cadastre.datastore.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads one message in the protobuf wire format, field by field.
///
/// Usage: while [#next()], look at [#field()] and take the value with the method of its type, or leave
/// it: a field that is not taken is skipped, so that a newer etcd may send fields that are unknown
/// here. Anything that is not well formed is a [MalformedException]; nothing is read past the end.
final class ProtoReader {

    static final int VARINT_BYTES_MAX = 10;

    private static final int FIXED64 = 1;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int position;
    private int field;
    private int wireType;
    private boolean taken = true;

    ProtoReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    private ProtoReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    int size() {
        return end;
    }

    /// Another reader of the same message, from its beginning.
    ProtoReader again() {
        return new ProtoReader(bytes);
    }

    /// Goes to the next field, if there is one.
    boolean next() {
        if (!taken) {
            pass();
        }
        if (position == end) {
            return false;
        }
        long tag = varint();
        if (tag >>> 3 == 0 || tag >>> 32 != 0) {
            throw new MalformedException("a field number out of range");
        }
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        taken = false;
        return true;
    }

    int field() {
        return field;
    }

    long number() {
        take(ProtoWriter.VARINT);
        return varint();
    }

    boolean flag() {
        return number() != 0;
    }

    byte[] bytes() {
        take(ProtoWriter.DELIMITED);
        int length = length();
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    String text() {
        take(ProtoWriter.DELIMITED);
        int length = length();
        position += length;
        return new String(bytes, position - length, length, StandardCharsets.UTF_8);
    }

    /// A reader of the message that is this field's value.
    ProtoReader message() {
        take(ProtoWriter.DELIMITED);
        int length = length();
        position += length;
        return new ProtoReader(bytes, position - length, position);
    }

    private void take(int expected) {
        if (taken) {
            throw new IllegalStateException("the value of field %d was taken".formatted(field));
        }
        if (wireType != expected) {
            throw new MalformedException("field %d has wire type %d, not %d".formatted(field, wireType, expected));
        }
        taken = true;
    }

    private void pass() {
        switch (wireType) {
            case ProtoWriter.VARINT -> varint();
            case ProtoWriter.DELIMITED -> skip(length());
            case FIXED64 -> skip(Long.BYTES);
            case FIXED32 -> skip(Integer.BYTES);
            default -> throw new MalformedException("wire type %d".formatted(wireType));
        }
        taken = true;
    }

    private void skip(int count) {
        if (count > end - position) {
            throw new MalformedException("a field beyond the end");
        }
        position += count;
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw new MalformedException("a length beyond the end");
        }
        return (int) length;
    }

    private long varint() {
        long value = 0;
        for (int index = 0; index < VARINT_BYTES_MAX; index++) {
            if (position == end) {
                throw new MalformedException("a number beyond the end");
            }
            byte next = bytes[position++];
            // The tenth byte holds the sixty-fourth bit and nothing else.
            if (index == VARINT_BYTES_MAX - 1 && (next & 0xfe) != 0) {
                throw new MalformedException("a number of more than 64 bits");
            }
            value |= (long) (next & 0x7f) << (7 * index);
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedException("a number of more than 64 bits");
    }

    /// What was received is not a message.
    static final class MalformedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        MalformedException(String what) {
            super(what);
        }
    }
}
