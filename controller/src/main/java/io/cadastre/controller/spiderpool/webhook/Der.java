package io.cadastre.controller.spiderpool.webhook;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/// Values in DER (X.690), as many as a certificate needs.
final class Der {

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    private static final int LENGTH_SHORT_MAX = 0x7f;

    /// From this year on, times of certificates have a year of four digits (RFC 5280).
    private static final int GENERALIZED_FROM_YEAR = 2050;

    private static final DateTimeFormatter LONG_TIME =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SHORT_TIME =
            DateTimeFormatter.ofPattern("uuMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] sequence(byte[]... values) {
        return tagged(SEQUENCE, joined(values));
    }

    static byte[] set(byte[]... values) {
        return tagged(SET, joined(values));
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] yes() {
        return new byte[] {0x01, 0x01, (byte) 0xff};
    }

    static byte[] text(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] value) {
        return tagged(OCTET_STRING, value);
    }

    /// Whole bytes.
    static byte[] bits(byte[] value) {
        return tagged(BIT_STRING, joined(new byte[] {0}, value));
    }

    /// The flags of one byte, the first of which is the highest bit. Flags after the last one set are left out.
    static byte[] flags(int value) {
        return tagged(BIT_STRING, new byte[] {(byte) Integer.numberOfTrailingZeros(value), (byte) value});
    }

    static byte[] time(Instant instant) {
        boolean late = instant.atZone(ZoneOffset.UTC).getYear() >= GENERALIZED_FROM_YEAR;
        var text = (late ? LONG_TIME : SHORT_TIME).format(instant);
        return tagged(late ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Written with dots.
    static byte[] identifier(String dotted) {
        var numbers = Arrays.stream(dotted.split("\\.", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        var bytes = new ByteArrayOutputStream();
        writeNumber(bytes, numbers[0] * 40 + numbers[1]);
        for (int index = 2; index < numbers.length; index++) {
            writeNumber(bytes, numbers[index]);
        }
        return tagged(OBJECT_IDENTIFIER, bytes.toByteArray());
    }

    /// Seven bits in each byte; all but the last have the eighth set.
    private static void writeNumber(ByteArrayOutputStream bytes, long number) {
        int groups = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 6) / 7);
        for (int group = groups - 1; group >= 0; group--) {
            int seven = (int) (number >>> (7 * group)) & 0x7f;
            bytes.write(group == 0 ? seven : seven | 0x80);
        }
    }

    /// A part of a structure that is known by its number, which takes the place of its own tag.
    static byte[] implicit(int number, byte[] content) {
        return tagged(CONTEXT | number, content);
    }

    /// A part of a structure that is known by its number, around the whole value.
    static byte[] explicit(int number, byte[] value) {
        return tagged(CONTEXT | CONSTRUCTED | number, value);
    }

    static byte[] joined(byte[]... parts) {
        var bytes = new ByteArrayOutputStream();
        for (var part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    private static byte[] tagged(int tag, byte[] content) {
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        if (content.length <= LENGTH_SHORT_MAX) {
            bytes.write(content.length);
        } else {
            var length = BigInteger.valueOf(content.length).toByteArray();
            int first = length[0] == 0 ? 1 : 0;
            bytes.write(CONTEXT | (length.length - first));
            bytes.write(length, first, length.length - first);
        }
        bytes.writeBytes(content);
        return bytes.toByteArray();
    }
}
