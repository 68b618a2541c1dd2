package io.cadastre.datastore.sqlite;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The keys that begin with a prefix, as an interval of bytes: from `first`, before `end`.
final class KeyRange {

    /// No byte of UTF-8 is greater than this one, nor equal to it.
    private static final byte BEYOND_UTF8 = (byte) 0xff;

    private final byte[] first;
    private final byte[] end;

    private KeyRange(byte[] first, byte[] end) {
        this.first = first;
        this.end = end;
    }

    static KeyRange of(String prefix) {
        var first = prefix.getBytes(StandardCharsets.UTF_8);
        return new KeyRange(first, with(first, BEYOND_UTF8));
    }

    /// The keys of the prefix after this one.
    static KeyRange after(String prefix, String key) {
        // The next greater string of bytes is the same one and a zero.
        var next = with(key.getBytes(StandardCharsets.UTF_8), (byte) 0);
        return new KeyRange(next, of(prefix).end);
    }

    /// Whether the bytes of an array from one place to another are a key of this range.
    boolean contains(byte[] array, int from, int to) {
        return Arrays.compareUnsigned(array, from, to, first, 0, first.length) >= 0
                && Arrays.compareUnsigned(array, from, to, end, 0, end.length) < 0;
    }

    byte[] first() {
        return first;
    }

    byte[] end() {
        return end;
    }

    private static byte[] with(byte[] bytes, byte last) {
        var longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length] = last;
        return longer;
    }
}
