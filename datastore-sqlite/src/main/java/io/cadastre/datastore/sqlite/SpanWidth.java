package io.cadastre.datastore.sqlite;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Journal.Span;
import java.math.BigInteger;

/// The width of a span: the number of bits of the distance between its ends. A span of width `w` is
/// shorter than 2 to the power `w`.
final class SpanWidth {

    private SpanWidth() {}

    static int of(Span span) {
        return number(span.last()).subtract(number(span.first())).bitLength();
    }

    /// The first place where a span of this width may begin that reaches to `place`.
    static byte[] before(Bytes place, int width) {
        var longest = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
        var first = number(place).subtract(longest).max(BigInteger.ZERO);
        return bytes(first, place.size());
    }

    private static BigInteger number(Bytes bytes) {
        return new BigInteger(1, bytes.toByteArray());
    }

    private static byte[] bytes(BigInteger number, int size) {
        var signed = number.toByteArray();
        var bytes = new byte[size];
        int copied = Math.min(signed.length, size);
        System.arraycopy(signed, signed.length - copied, bytes, size - copied, copied);
        return bytes;
    }
}
