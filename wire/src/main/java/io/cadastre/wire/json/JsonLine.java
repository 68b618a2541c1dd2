package io.cadastre.wire.json;

import io.cadastre.datastore.Bytes;
import java.util.Arrays;

/// A JSON document that is written piece by piece, without blanks and without a line end, and with Go's
/// escapes.
///
/// For documents that are written all the time: no tree is built, and nothing is checked. The caller makes
/// sure that the pieces make a document and that no name occurs twice.
public final class JsonLine {

    private static final String HEXADECIMAL = "0123456789abcdef";
    private static final int REPLACEMENT = 0xfffd;
    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private byte[] bytes;
    private int size;

    /// Whether the next piece is not the first of its object or list.
    private boolean further;

    /// @param sizeExpected how many bytes it may come to; more are possible
    public JsonLine(int sizeExpected) {
        this.bytes = new byte[Math.max(16, sizeExpected)];
    }

    public JsonLine startObject() {
        return start('{');
    }

    public JsonLine endObject() {
        return end('}');
    }

    public JsonLine startList() {
        return start('[');
    }

    public JsonLine endList() {
        return end(']');
    }

    /// The name of the field whose value comes next.
    public JsonLine name(String name) {
        separate();
        quote(name);
        put(':');
        further = false;
        return this;
    }

    public JsonLine text(String text) {
        separate();
        quote(text);
        return this;
    }

    /// A whole number, unsigned.
    public JsonLine number(long unsigned) {
        separate();
        if (unsigned >= 0 && unsigned < 1000) {
            putSmall((int) unsigned);
        } else {
            putAscii(Long.toUnsignedString(unsigned));
        }
        return this;
    }

    public JsonLine flag(boolean flag) {
        return word(flag ? "true" : "false");
    }

    public JsonLine nothing() {
        return word("null");
    }

    /// A value that was written elsewhere.
    public JsonLine value(Bytes written) {
        separate();
        var value = written.toByteArray();
        reserve(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    public Bytes toBytes() {
        return Bytes.of(Arrays.copyOf(bytes, size));
    }

    private JsonLine start(char bracket) {
        separate();
        put(bracket);
        further = false;
        return this;
    }

    private JsonLine end(char bracket) {
        put(bracket);
        further = true;
        return this;
    }

    private JsonLine word(String ascii) {
        separate();
        putAscii(ascii);
        return this;
    }

    private void separate() {
        if (further) {
            put(',');
        }
        further = true;
    }

    private void quote(String text) {
        // No character takes more than six bytes.
        reserve(6 * text.length() + 2);
        put('"');
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            if (unit >= 0x80) {
                int character = text.codePointAt(index);
                putCharacter(character);
                index += Character.charCount(character) - 1;
            } else if (unit < ' ' || escaped(unit)) {
                putEscaped(unit);
            } else {
                bytes[size++] = (byte) unit;
            }
        }
        put('"');
    }

    private static boolean escaped(char unit) {
        return switch (unit) {
            case '"', '\\', '<', '>', '&' -> true;
            default -> false;
        };
    }

    private void putEscaped(char unit) {
        switch (unit) {
            case '"', '\\' -> {
                put('\\');
                put(unit);
            }
            case '\b' -> putAscii("\\b");
            case '\f' -> putAscii("\\f");
            case '\n' -> putAscii("\\n");
            case '\r' -> putAscii("\\r");
            case '\t' -> putAscii("\\t");
            default -> putHexadecimal(unit);
        }
    }

    private void putHexadecimal(int character) {
        putAscii("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            put(HEXADECIMAL.charAt(character >>> shift & 0xf));
        }
    }

    /// Half a surrogate pair has no UTF-8 and is replaced, as Go does.
    private void putCharacter(int character) {
        if (character == LINE_SEPARATOR || character == PARAGRAPH_SEPARATOR) {
            putHexadecimal(character);
        } else if (character < 0x800) {
            put(0xc0 | character >>> 6);
            putTail(character);
        } else if (character < 0x10000) {
            boolean half = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
            int whole = half ? REPLACEMENT : character;
            put(0xe0 | whole >>> 12);
            putTail(whole >>> 6);
            putTail(whole);
        } else {
            put(0xf0 | character >>> 18);
            putTail(character >>> 12);
            putTail(character >>> 6);
            putTail(character);
        }
    }

    /// Six bits of a character that has more than seven.
    private void putTail(int bits) {
        put(0x80 | (bits & 0x3f));
    }

    /// Most numbers are ordinals.
    private void putSmall(int number) {
        if (number >= 100) {
            put('0' + number / 100);
        }
        if (number >= 10) {
            put('0' + number / 10 % 10);
        }
        put('0' + number % 10);
    }

    private void putAscii(String ascii) {
        reserve(ascii.length());
        for (int index = 0; index < ascii.length(); index++) {
            bytes[size++] = (byte) ascii.charAt(index);
        }
    }

    private void put(int one) {
        reserve(1);
        bytes[size++] = (byte) one;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
        }
    }
}
