package io.cadastre.datastore;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// An immutable string of bytes, ordered byte by byte, unsigned.
public final class Bytes implements Comparable<Bytes> {

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Bytes of(byte[] bytes) {
        return new Bytes(bytes.clone());
    }

    /// Those from one index to before another.
    public static Bytes of(byte[] bytes, int from, int to) {
        return new Bytes(Arrays.copyOfRange(bytes, from, to));
    }

    public static Bytes ofUtf8(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    public int size() {
        return bytes.length;
    }

    public byte[] toByteArray() {
        return bytes.clone();
    }

    public String utf8() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return utf8();
    }
}
