package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RangeSetTest {

    private static final int CASES = 3_000;

    @Test
    void rangesThatMeetAreJoinedAndFamiliesKeptApart() {
        var set = RangeSet.of(
                Range.parse("::/64"),
                Range.parse("10.0.0.128/25"),
                Range.parse("10.0.0.0/25"),
                Range.parse("255.255.255.255"),
                Range.parse("10.0.0.7-10.0.1.7"));

        assertThat(set).hasToString("10.0.0.0-10.0.1.7,255.255.255.255-255.255.255.255," + "::-::ffff:ffff:ffff:ffff");
        assertThat(set.size()).isEqualTo(BigInteger.TWO.pow(64).add(BigInteger.valueOf(256 + 8 + 1)));
    }

    @Test
    void rangeOfAnAddressIsTheOneThatHasIt() {
        var low = Range.parse("10.0.0.2-10.0.0.5");
        var high = Range.parse("10.0.0.8-10.0.0.9");
        var set = RangeSet.of(high, Range.parse("::8"), low);

        assertThat(set.findRange(Address.parse("10.0.0.2"))).contains(low);
        assertThat(set.findRange(Address.parse("10.0.0.5"))).contains(low);
        assertThat(set.findRange(Address.parse("10.0.0.9"))).contains(high);
        assertThat(set.findRange(Address.parse("10.0.0.1"))).isEmpty();
        assertThat(set.findRange(Address.parse("10.0.0.6"))).isEmpty();
        assertThat(set.findRange(Address.parse("::9"))).isEmpty();
        assertThat(RangeSet.EMPTY.findRange(Address.parse("10.0.0.2"))).isEmpty();
    }

    @Test
    void algebraAgreesWithSetsOfAddresses() {
        Cases.run(CASES, chance -> {
            var oneRanges = chance.crowdedRanges(12);
            var otherRanges = chance.crowdedRanges(12);
            var one = new RangeSet(oneRanges);
            var other = new RangeSet(otherRanges);
            var union = addresses(oneRanges);
            var minus = addresses(oneRanges);
            var common = addresses(oneRanges);
            union.addAll(addresses(otherRanges));
            minus.removeAll(addresses(otherRanges));
            common.retainAll(addresses(otherRanges));

            assertSame(one, addresses(oneRanges));
            assertSame(one.union(other), union);
            assertSame(one.minus(other), minus);
            assertSame(one.intersect(other), common);
        });
    }

    @Test
    void complementAgreesWithSetsOfAddresses() {
        Cases.run(CASES, chance -> {
            var ranges = chance.crowdedRanges(12);
            var whole = chance.oneOf(List.of(
                    Range.parse("0.0.0.0/26"),
                    Range.parse("255.255.255.192/26"),
                    Range.parse("::/122"),
                    Range.parse("::6:ffff:ffff:ffff:ffe0/123"),
                    Range.parse("0:0:0:6:ffff:ffff:ffff:fff0-::7:0:0:0:3"),
                    Prefix.parse("::/0").range()));
            if (whole.size().bitLength() > 64) {
                var set = new RangeSet(ranges);
                assertThat(set.complementWithin(whole).complementWithin(whole))
                        .isEqualTo(set.intersect(RangeSet.of(whole)));
                return;
            }
            var expected = addresses(List.of(whole));
            expected.removeAll(addresses(ranges));

            assertSame(new RangeSet(ranges).complementWithin(whole), expected);
        });
    }

    @Test
    void questionsAgreeWithSetsOfAddresses() {
        Cases.run(CASES, chance -> {
            var ranges = chance.crowdedRanges(12);
            var set = new RangeSet(ranges);
            var twin = addresses(ranges);
            for (var range : chance.crowdedRanges(20)) {
                var asked = addresses(List.of(range));

                assertThat(set.contains(range.first())).isEqualTo(twin.contains(range.first()));
                assertThat(set.contains(range)).isEqualTo(twin.containsAll(asked));
                assertThat(set.overlaps(range)).isEqualTo(asked.stream().anyMatch(twin::contains));
            }
        });
    }

    @Test
    void firstPrefixIsTheLowestAlignedOneInTheSet() {
        Cases.run(CASES, chance -> {
            var ranges = chance.crowdedRanges(12);
            var family = chance.family();
            int length = chance.between(family.bits() - 6, family.bits());
            var twin = addresses(ranges);

            var found = new RangeSet(ranges).firstPrefix(family, length);

            var expected = twin.stream()
                    .filter(address -> address.family() == family)
                    .map(address -> Prefix.containing(address, length))
                    .filter(prefix -> twin.containsAll(addresses(List.of(prefix.range()))))
                    .findFirst();
            assertThat(found).isEqualTo(expected);
        });
    }

    @Test
    void carvingFillsTheWholeAndThenFindsNothing() {
        var free = RangeSet.of(Prefix.parse("10.0.0.0/24")).minus(range("10.0.0.3-10.0.0.64"));

        var first = free.firstPrefix(Family.IPV4, 26);
        var rest = free.minus(RangeSet.of(Prefix.parse("10.0.0.128/25")));

        assertThat(first).contains(Prefix.parse("10.0.0.128/26"));
        assertThat(rest.firstPrefix(Family.IPV4, 26)).isEmpty();
        assertThat(rest.firstPrefix(Family.IPV4, 27)).contains(Prefix.parse("10.0.0.96/27"));
        assertThat(rest.firstPrefix(Family.IPV6, 27)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0/0, 0", "0.0.0.0/0, 32", "::/0, 0", "::/0, 1", "::/0, 64", "::/0, 128"})
    void wholeFamilyHasPrefixesOfEveryLength(String whole, int length) {
        var prefix = Prefix.parse(whole);

        assertThat(RangeSet.of(prefix).firstPrefix(prefix.family(), length))
                .contains(Prefix.containing(prefix.first(), length));
    }

    @Test
    void rangeMayEndAtTheLastAddressOfAFamily() {
        var last = range("255.255.255.255");

        assertThat(last.firstPrefix(Family.IPV4, 31)).isEmpty();
        assertThat(last.firstPrefix(Family.IPV4, 32)).contains(Prefix.parse("255.255.255.255/32"));
        assertThat(RangeSet.of(Prefix.parse("0.0.0.0/0")).minus(last)).isEqualTo(range("0.0.0.0-255.255.255.254"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 33})
    void impossibleLengthIsRefused(int length) {
        assertThatThrownBy(() -> RangeSet.EMPTY.firstPrefix(Family.IPV4, length))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an IPv4 prefix length is from 0 to 32, not " + length);
    }

    private static RangeSet range(String text) {
        return RangeSet.of(Range.parse(text));
    }

    private static NavigableSet<Address> addresses(List<Range> ranges) {
        var addresses = new TreeSet<Address>();
        for (var range : ranges) {
            var address = range.first();
            addresses.add(address);
            while (address.compareTo(range.last()) < 0) {
                address = address.next();
                addresses.add(address);
            }
        }
        return addresses;
    }

    private static void assertSame(RangeSet set, NavigableSet<Address> twin) {
        assertThat(set.addresses()).containsExactlyElementsOf(twin);
        assertThat(set.size()).isEqualTo(twin.size());
        assertThat(set.empty()).isEqualTo(twin.isEmpty());
        assertThat(set).isEqualTo(new RangeSet(twin.stream().map(Range::of).toList()));
        assertThat(RangeSet.ofPrefixes(set.prefixes())).isEqualTo(set);
    }
}
