package io.cadastre.address;

import java.math.BigInteger;

/// Slow and obvious arithmetic on numbers without end, for the fast one to agree with.
final class SlowArithmetic {

    private SlowArithmetic() {}

    static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    static BigInteger number(Address address) {
        return unsigned(address.high()).multiply(BigInteger.TWO.pow(64)).add(unsigned(address.low()));
    }

    /// How many numbers a family has.
    static BigInteger end(Family family) {
        return BigInteger.TWO.pow(family.bits());
    }

    static boolean exists(Family family, BigInteger number) {
        return number.signum() >= 0 && number.compareTo(end(family)) < 0;
    }

    /// How many addresses a prefix of this length has.
    static BigInteger size(Family family, int length) {
        return BigInteger.TWO.pow(family.bits() - length);
    }
}
