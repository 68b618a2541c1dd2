package io.cadastre.cli.ipam;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Numbers as Go prints them with `%.5g`: five digits, and an exponent where that is not enough.
final class GoNumber {

    private static final int DIGITS = 5;

    private GoNumber() {}

    static String text(long number) {
        var rounded = new BigDecimal(number).round(new MathContext(DIGITS, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent < DIGITS) {
            return rounded.toPlainString();
        }
        var mantissa = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        return "%se+%02d".formatted(mantissa, exponent);
    }

    /// A number and its part of the whole in percent, for example `5 (8%)`.
    static String part(long number, long whole) {
        double percent = whole == 0 ? 0 : Math.rint(100.0 * number / whole);
        return "%s (%.0f%%)".formatted(text(number), percent);
    }
}
