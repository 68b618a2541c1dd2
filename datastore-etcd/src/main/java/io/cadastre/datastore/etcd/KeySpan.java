package io.cadastre.datastore.etcd;

import io.cadastre.datastore.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// An interval of etcd's key space: from `first`, up to and without `end`.
///
/// @param end one zero byte stands for no upper end, as etcd has it
record KeySpan(Bytes first, Bytes end) {

    private static final Bytes ZERO = Bytes.of(new byte[1]);

    static KeySpan ofPrefix(String prefix) {
        byte[] bytes = prefix.getBytes(StandardCharsets.UTF_8);
        return bytes.length == 0 ? new KeySpan(ZERO, ZERO) : new KeySpan(Bytes.of(bytes), afterAll(bytes));
    }

    /// What is left of a prefix after a key: the key followed by a zero byte is the least key that is
    /// greater.
    static KeySpan ofPrefixAfter(String prefix, String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return new KeySpan(Bytes.of(Arrays.copyOf(bytes, bytes.length + 1)), ofPrefix(prefix).end);
    }

    /// The least string of bytes that is greater than every string with this prefix.
    private static Bytes afterAll(byte[] prefix) {
        for (int last = prefix.length - 1; last >= 0; last--) {
            if (prefix[last] != (byte) 0xff) {
                byte[] end = Arrays.copyOf(prefix, last + 1);
                end[last]++;
                return Bytes.of(end);
            }
        }
        return ZERO;
    }
}
