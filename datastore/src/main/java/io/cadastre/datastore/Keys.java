package io.cadastre.datastore;

import java.util.Comparator;

/// How keys are measured and ordered.
public final class Keys {

    /// The order of the keys' UTF-8 bytes, unsigned, which is the order of their code points.
    ///
    /// It is not the order of [String#compareTo(String)]: that one puts a character beyond U+FFFF, which
    /// Java writes with two surrogates, before U+E000.
    public static final Comparator<String> ORDER = Keys::compare;

    private Keys() {}

    /// Whether a store may have a document of this key.
    public static boolean fits(String key) {
        return !key.isEmpty() && utf8Bytes(key) <= Datastore.KEY_BYTES_MAX;
    }

    /// How many bytes the text takes in UTF-8.
    ///
    /// @throws IllegalArgumentException if it has half a surrogate pair, which has no UTF-8 form
    static int utf8Bytes(String text) {
        int bytes = 0;
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            if (unit < 0x80) {
                bytes += 1;
            } else if (unit < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(unit)) {
                bytes += 3;
            } else {
                if (!Character.isSurrogatePair(unit, charAfter(text, index))) {
                    throw new IllegalArgumentException("has half a character at " + index);
                }
                bytes += 4;
                index++;
            }
        }
        return bytes;
    }

    private static char charAfter(String text, int index) {
        return index + 1 < text.length() ? text.charAt(index + 1) : 0;
    }

    private static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int index = 0; index < length; index++) {
            char left = one.charAt(index);
            char right = other.charAt(index);
            if (left != right) {
                return Integer.compare(rank(left), rank(right));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
    }
}
