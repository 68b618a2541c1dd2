package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import inet.ipaddr.IPAddressString;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixTest {

    private static final int CASES = 20_000;

    @Test
    void bordersAndSizeAgreeWithTwin() {
        Cases.run(CASES, chance -> {
            var address = chance.address();
            int length = chance.length(address.family());
            var size = SlowArithmetic.size(address.family(), length);

            var prefix = Prefix.containing(address, length);

            var first = SlowArithmetic.number(address).divide(size).multiply(size);
            assertThat(prefix.length()).isEqualTo(length);
            assertThat(prefix.family()).isEqualTo(address.family());
            assertThat(SlowArithmetic.number(prefix.first())).isEqualTo(first);
            assertThat(SlowArithmetic.number(prefix.last()))
                    .isEqualTo(first.add(size).subtract(BigInteger.ONE));
            assertThat(prefix.size()).isEqualTo(size);
            assertThat(prefix.range()).isEqualTo(new Range(prefix.first(), prefix.last()));
        });
    }

    @Test
    void containmentAndOverlapAgreeWithRanges() {
        Cases.run(CASES, chance -> {
            var one = chance.prefix(chance.family());
            var other = chance.oneIn(2)
                    ? chance.prefix(chance.family())
                    : Prefix.containing(one.last(), chance.length(one.family()));
            boolean sameFamily = one.family() == other.family();
            boolean startsIn = sameFamily && within(other.first(), one);
            boolean endsIn = sameFamily && within(other.last(), one);
            boolean reverse = sameFamily && within(one.first(), other);

            assertThat(one.contains(other.first())).isEqualTo(startsIn);
            assertThat(one.contains(other.last())).isEqualTo(endsIn);
            assertThat(one.contains(other)).isEqualTo(startsIn && endsIn);
            assertThat(one.overlaps(other)).isEqualTo(startsIn || endsIn || reverse);
            assertThat(other.overlaps(one)).isEqualTo(one.overlaps(other));
        });
    }

    private static boolean within(Address address, Prefix prefix) {
        var offset = SlowArithmetic.number(address).subtract(SlowArithmetic.number(prefix.first()));
        return offset.signum() >= 0 && offset.compareTo(SlowArithmetic.size(prefix.family(), prefix.length())) < 0;
    }

    @Test
    void halvesMakeUpTheirParent() {
        Cases.run(CASES, chance -> {
            var prefix = chance.prefix(chance.family());
            if (prefix.length() == prefix.family().bits()) {
                return;
            }

            var halves = prefix.halves();

            assertThat(halves).hasSize(2).allMatch(half -> half.parent().equals(prefix));
            assertThat(halves.getFirst().first()).isEqualTo(prefix.first());
            assertThat(halves.getLast().last()).isEqualTo(prefix.last());
            assertThat(halves.getFirst().last().next())
                    .isEqualTo(halves.getLast().first());
        });
    }

    @Test
    void wholeFamilyHasNoParentAndSingleAddressNoHalves() {
        assertThatThrownBy(() -> Prefix.parse("::/0").parent())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("::/0 has no parent");
        assertThatThrownBy(() -> Prefix.parse("10.0.0.1/32").halves())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("10.0.0.1/32 is a single address and has no halves");
    }

    @Test
    void orderIsByAddressAndThenShorterFirst() {
        Cases.run(CASES, chance -> {
            var one = chance.prefix(chance.family());
            var other = chance.oneIn(2)
                    ? chance.prefix(chance.family())
                    : Prefix.containing(one.first(), chance.length(one.family()));

            int byAddress = one.address().compareTo(other.address());
            int expected = byAddress != 0 ? byAddress : Integer.compare(one.length(), other.length());

            assertThat(Integer.signum(one.compareTo(other))).isEqualTo(Integer.signum(expected));
        });
    }

    @Test
    void textIsReadBackAndMeansTheSameToTheLibrary() {
        Cases.run(CASES, chance -> {
            var prefix = chance.prefix(chance.family());
            var text = prefix.toString();

            var block = new IPAddressString(text).getAddress().toPrefixBlock();

            assertThat(Prefix.parse(text)).isEqualTo(prefix);
            assertThat(block.getLower().getValue()).isEqualTo(SlowArithmetic.number(prefix.first()));
            assertThat(block.getUpper().getValue()).isEqualTo(SlowArithmetic.number(prefix.last()));
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0 | it has no '/'",
                "'' | it has no '/'",
                "10.0.0/8 | four octets are divided by dots",
                "010.0.0.0/8 | an octet has no leading zero",
                "fe80::1%eth0/64 | groups are divided by colons",
                "10.0.0.0/33 | an IPv4 prefix length is at most 32",
                "::/129 | an IPv6 prefix length is at most 128",
                "10.0.0.1/8 | it has bits set beyond the prefix length; the CIDR is 10.0.0.0/8",
                "fd00::1/64 | it has bits set beyond the prefix length; the CIDR is fd00::/64",
            })
    void messageNamesTextAndRule(String text, String rule) {
        assertThatThrownBy(() -> Prefix.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not a CIDR: %s".formatted(text, rule));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-8", "10.0.0.0/8/8", "::/0064"})
    void lengthIsPlainDecimal(String text) {
        assertThatThrownBy(() -> Prefix.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'%s' is not a CIDR: its prefix length".formatted(text));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0, -1, 32", "10.0.0.0, 33, 32", "fd00::, -1, 128", "fd00::, 129, 128"})
    void lengthOutOfBoundsIsRefused(String address, int length, int bits) {
        assertThatThrownBy(() -> Prefix.containing(Address.parse(address), length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix length is from 0 to " + bits);
        assertThatThrownBy(() -> new Prefix(Address.parse(address), length))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bitsBeyondTheLengthAreRefused() {
        assertThatThrownBy(() -> new Prefix(Address.parse("10.0.0.1"), 31))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("10.0.0.1/31 has bits set beyond the prefix length");
    }
}
