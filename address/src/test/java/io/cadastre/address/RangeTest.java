package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import inet.ipaddr.IPAddressString;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeTest {

    private static final int CASES = 10_000;

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1-10.0.0.9, 10.0.0.1-10.0.0.9",
        "10.0.0.1, 10.0.0.1-10.0.0.1",
        "10.0.0.0/30, 10.0.0.0-10.0.0.3",
        "FD00::-fd00:0::ff, fd00::-fd00::ff",
        "::/0, ::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    })
    void threeFormsAreRead(String text, String canonical) {
        assertThat(Range.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | is not a range: an octet has at least one decimal digit",
                "10.0.0.1- | is not a range: an octet has at least one decimal digit",
                "10.0.0.1-9 | is not a range: four octets are divided by dots",
                "10.0.0.1 - 10.0.0.9 | is not a range: four octets are followed by something else",
                "10.0.0.9-10.0.0.1 | is not a range: it ends before its start",
                "10.0.0.1-::1 | is not a range: its ends are of two families",
                "10.0.0.1/24 | is not a CIDR: it has bits set beyond the prefix length; the CIDR is" + " 10.0.0.0/24",
                "10.0.0.0-10.0.0.0/24 | is not a CIDR: four octets are followed by something else",
            })
    void messageNamesTextAndRule(String text, String message) {
        assertThatThrownBy(() -> Range.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' %s".formatted(text, message));
    }

    @Test
    void textIsReadBack() {
        Cases.run(CASES, chance -> {
            var range = chance.range(chance.family());

            assertThat(Range.parse(range.toString())).isEqualTo(range);
        });
    }

    @Test
    void impossibleRangeIsRefused() {
        var first = Address.parse("10.0.0.9");

        assertThatThrownBy(() -> new Range(first, Address.parse("10.0.0.1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a range ends at or after its start, not 10.0.0.9-10.0.0.1");
        assertThatThrownBy(() -> new Range(first, Address.parse("fd00::")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a range is of one family, not 10.0.0.9-fd00::");
    }

    @Test
    void sizeContainmentAndOverlapAgreeWithTwin() {
        Cases.run(CASES, chance -> {
            var one = chance.range(chance.family());
            var other = chance.range(chance.family());
            boolean sameFamily = one.family() == other.family();
            var first = SlowArithmetic.number(one.first());
            var last = SlowArithmetic.number(one.last());
            var otherFirst = SlowArithmetic.number(other.first());
            var otherLast = SlowArithmetic.number(other.last());

            assertThat(one.size()).isEqualTo(last.subtract(first).add(BigInteger.ONE));
            assertThat(one.contains(other.first()))
                    .isEqualTo(sameFamily && first.compareTo(otherFirst) <= 0 && otherFirst.compareTo(last) <= 0);
            assertThat(one.contains(other))
                    .isEqualTo(sameFamily && first.compareTo(otherFirst) <= 0 && otherLast.compareTo(last) <= 0);
            assertThat(one.overlaps(other))
                    .isEqualTo(sameFamily && first.max(otherFirst).compareTo(last.min(otherLast)) <= 0);
        });
    }

    @Test
    void prefixesAreTheLibrarysMinimalCover() {
        Cases.run(2_000, chance -> {
            var range = chance.range(chance.family());

            var prefixes = range.prefixes();

            var blocks = new IPAddressString(range.first().toString())
                    .getAddress()
                    .spanWithPrefixBlocks(new IPAddressString(range.last().toString()).getAddress());
            assertThat(prefixes.stream().map(prefix -> prefix.first().number()))
                    .isEqualTo(Arrays.stream(blocks)
                            .map(block -> block.getLower().getValue())
                            .toList());
            assertThat(prefixes.stream().map(prefix -> prefix.last().number()))
                    .isEqualTo(Arrays.stream(blocks)
                            .map(block -> block.getUpper().getValue())
                            .toList());
        });
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0/0, 1", "::/0, 1", "0.0.0.1-255.255.255.254, 62", "10.0.0.1, 1"})
    void prefixesOfExtremesAreFew(String text, int count) {
        var range = Range.parse(text);

        assertThat(range.prefixes()).hasSize(count);
        assertThat(RangeSet.ofPrefixes(range.prefixes()).ranges()).containsExactly(range);
    }

    @Test
    void addressesComeInOrderUpToTheEndOfTheFamily() {
        assertThat(Range.parse("255.255.255.253-255.255.255.255").addresses())
                .containsExactly(
                        Address.parse("255.255.255.253"),
                        Address.parse("255.255.255.254"),
                        Address.parse("255.255.255.255"));
        assertThat(Range.parse("::1").addresses()).containsExactly(Address.parse("::1"));
        assertThat(Range.parse("::/0").addresses().limit(2)).containsExactly(Address.parse("::"), Address.parse("::1"));
    }
}
