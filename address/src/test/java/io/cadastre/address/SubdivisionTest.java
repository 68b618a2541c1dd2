package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubdivisionTest {

    @ParameterizedTest
    @CsvSource({
        "10.244.0.0/16, 24, 7, 10.244.7.0/24, 255",
        "10.0.0.0/8, 8, 0, 10.0.0.0/8, 0",
        "0.0.0.0/0, 0, 0, 0.0.0.0/0, 0",
        "0.0.0.0/0, 32, 4294967295, 255.255.255.255/32, 4294967295",
        "fd00::/60, 76, 4096, fd00:0:0:1::/76, 65535",
        "fd12:3456:789a::/63, 79, 32768, fd12:3456:789a:1::/79, 65535",
        "2001:db8::/111, 127, 65535, 2001:db8::1:fffe/127, 65535",
        "::/0, 0, 0, ::/0, 0",
        "::/0, 1, 1, 8000::/1, 1",
        "::/0, 64, 18446744073709551615, ffff:ffff:ffff:ffff::/64, 18446744073709551615",
        "fd00::/64, 128, 18446744073709551615, fd00::ffff:ffff:ffff:ffff/128, 18446744073709551615",
        "fd00::/63, 127, 9223372036854775808, fd00:0:0:1::/127, 18446744073709551615",
        "::1/128, 128, 0, ::1/128, 0",
    })
    void partsAreNumberedFromZero(String whole, int partLength, String ordinalText, String part, String lastText) {
        var subdivision = new Subdivision(Prefix.parse(whole), partLength);
        long ordinal = Long.parseUnsignedLong(ordinalText);

        assertThat(subdivision.part(ordinal)).isEqualTo(Prefix.parse(part));
        assertThat(subdivision.ordinal(Prefix.parse(part).first())).isEqualTo(ordinal);
        assertThat(subdivision.ordinal(Prefix.parse(part).last())).isEqualTo(ordinal);
        assertThat(subdivision.lastOrdinal()).isEqualTo(Long.parseUnsignedLong(lastText));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/16, 15, cannot divide 10.0.0.0/16 into /15",
        "10.0.0.0/16, 33, cannot divide 10.0.0.0/16 into /33",
        "10.0.0.0/16, -1, cannot divide 10.0.0.0/16 into /-1",
        "fd00::/16, 129, cannot divide fd00::/16 into /129",
        "fd00::/63, 128, dividing fd00::/63 into /128 gives more than 2^64 parts",
        "::/0, 65, dividing ::/0 into /65 gives more than 2^64 parts",
    })
    void impossibleDivisionIsRefused(String whole, int partLength, String message) {
        assertThatThrownBy(() -> new Subdivision(Prefix.parse(whole), partLength))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void partBeyondTheLastIsRefused() {
        var subdivision = new Subdivision(Prefix.parse("10.0.0.0/16"), 24);

        assertThatThrownBy(() -> subdivision.part(256))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("10.0.0.0/16 in parts of /24 has no part 256");
        assertThatThrownBy(() -> subdivision.part(-1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("10.0.0.0/16 in parts of /24 has no part 18446744073709551615");
    }

    @Test
    void addressOutsideTheWholeHasNoOrdinal() {
        var subdivision = new Subdivision(Prefix.parse("10.0.0.0/16"), 24);

        assertThatThrownBy(() -> subdivision.ordinal(Address.parse("10.1.0.0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("10.1.0.0 is not in 10.0.0.0/16");
        assertThatThrownBy(() -> subdivision.ordinal(Address.parse("::a00:1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void agreesWithBigArithmetic() {
        Cases.run(50_000, chance -> {
            var whole = chance.prefix(chance.family());
            int bits = whole.family().bits();
            int partLength = chance.between(whole.length(), Math.min(bits, whole.length() + 64));
            var subdivision = new Subdivision(whole, partLength);
            int partBits = partLength - whole.length();
            long ordinal = partBits == 64 ? chance.bits() : chance.bits() & (1L << partBits) - 1;

            var part = subdivision.part(ordinal);

            var first = SlowArithmetic.number(whole.first())
                    .add(SlowArithmetic.unsigned(ordinal).shiftLeft(bits - partLength));
            assertThat(SlowArithmetic.number(part.first())).isEqualTo(first);
            assertThat(part.length()).isEqualTo(partLength);
            assertThat(subdivision.ordinal(part.first())).isEqualTo(ordinal);
            assertThat(subdivision.ordinal(part.last())).isEqualTo(ordinal);
            assertThat(SlowArithmetic.unsigned(subdivision.lastOrdinal()))
                    .isEqualTo(BigInteger.TWO.pow(partBits).subtract(BigInteger.ONE));
        });
    }
}
