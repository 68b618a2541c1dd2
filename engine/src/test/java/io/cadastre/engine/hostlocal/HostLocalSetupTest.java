package io.cadastre.engine.hostlocal;

import static io.cadastre.engine.hostlocal.NodeNetwork.aRange;
import static io.cadastre.engine.hostlocal.NodeNetwork.address;
import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Prefix;
import io.cadastre.address.Range;
import io.cadastre.engine.hostlocal.HostLocalSetup.Configured;
import io.cadastre.engine.hostlocal.HostLocalSetup.Rejected;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostLocalSetupTest {

    @Test
    void missingRangeFieldsAreFilledIn() {
        var setup = read(List.of(aRange("10.1.2.0/24")), List.of(aRange("2001:db8:1::/64")));

        assertThat(setup)
                .isEqualTo(new Configured(List.of(
                        new RangeGroup(List.of(new SubnetRange(
                                Prefix.parse("10.1.2.0/24"), Range.parse("10.1.2.1-10.1.2.254"), address("10.1.2.1")))),
                        new RangeGroup(List.of(new SubnetRange(
                                Prefix.parse("2001:db8:1::/64"),
                                Range.parse("2001:db8:1::1-2001:db8:1::ffff:ffff:ffff:ffff"),
                                address("2001:db8:1::1")))))));
    }

    @Test
    void networkAndBroadcastAddressesMayBeWritten() {
        var setup = read(List.of(aRange("10.1.2.0/24").from(address("10.1.2.0")).to(address("10.1.2.255"))));

        assertThat(words(setup)).isEqualTo("10.1.2.0-10.1.2.255");
    }

    @ParameterizedTest
    @CsvSource({"10.9.9.9", "2001:db8::1", "10.1.2.200"})
    void gatewayIsTakenAsItIsWritten(String gateway) {
        var setup = read(List.of(aRange("10.1.2.0/24").through(address(gateway))));

        assertThat(((Configured) setup).groups().getFirst().ranges().getFirst().gateway())
                .isEqualTo(address(gateway));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.0/31, Network 10.1.2.0/31 too small to allocate from",
        "10.1.2.5/31, Network 10.1.2.5/31 too small to allocate from",
        "10.1.2.5/32, Network 10.1.2.5/32 too small to allocate from",
        "2001:db8::/127, Network 2001:db8::/127 too small to allocate from",
        "10.1.2.5/24, Network has host bits set. For a subnet mask of length 24 the network address" + " is 10.1.2.0",
        "2001:db8::5/64, Network has host bits set. For a subnet mask of length 64 the network"
                + " address is 2001:db8::"
    })
    void subnetsWithoutRoomOrWithBitsBeyondTheirLengthAreRejected(String subnet, String sentence) {
        int slash = subnet.indexOf('/');
        var range = WrittenRange.nothing()
                .in(address(subnet.substring(0, slash)), Integer.parseInt(subnet.substring(slash + 1)));

        assertThat(read(List.of(range))).isEqualTo(new Rejected("invalid range set 0: " + sentence));
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.0/30, 10.1.2.1-10.1.2.2", "2001:db8::/126, 2001:db8::1-2001:db8::3"})
    void smallestSubnetsHaveRoom(String subnet, String words) {
        assertThat(words(read(List.of(aRange(subnet))))).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.3.5, 10.1.2.9, RangeStart 10.1.3.5 not in network 10.1.2.0/24",
        "10.1.2.9, 10.1.2.5, RangeStart 10.1.2.9 not in network 10.1.2.0/24",
        "2001:db8::1, 10.1.2.5, RangeStart 2001:db8::1 not in network 10.1.2.0/24",
        "10.1.2.9, 10.1.3.5, RangeEnd 10.1.3.5 not in network 10.1.2.0/24",
        "10.1.2.9, 2001:db8::1, RangeEnd 2001:db8::1 not in network 10.1.2.0/24"
    })
    void boundsMustLieInTheSubnetAndInOrder(String start, String end, String sentence) {
        var range = aRange("10.1.2.0/24").from(address(start)).to(address(end));

        assertThat(read(List.of(range))).isEqualTo(new Rejected("invalid range set 0: " + sentence));
    }

    @Test
    void endBeforeTheFilledInStartIsRejected() {
        assertThat(read(List.of(aRange("10.1.2.0/24").to(address("10.1.2.0")))))
                .isEqualTo(new Rejected("invalid range set 0: RangeEnd 10.1.2.0 not in network" + " 10.1.2.0/24"));
    }

    @Test
    void startAfterTheFilledInEndIsRejected() {
        // The reference hands out the addresses of the next subnet then.
        assertThat(read(List.of(aRange("10.1.2.0/24").from(address("10.1.2.255")))))
                .isEqualTo(new Rejected("invalid range set 0: RangeStart 10.1.2.255 not in network" + " 10.1.2.0/24"));
    }

    @Test
    void setsMustBeThereAndWhole() {
        assertThat(read()).isEqualTo(new Rejected("no IP ranges specified"));
        assertThat(read(List.of(aRange("10.1.2.0/24")), List.of()))
                .isEqualTo(new Rejected("invalid range set 1: empty range set"));
        assertThat(read(List.of(WrittenRange.nothing())))
                .isEqualTo(new Rejected("invalid range set 0: IP <nil> not v4 nor v6"));
        assertThat(read(List.of(aRange("10.1.2.0/24"), aRange("2001:db8::/64"))))
                .isEqualTo(new Rejected("invalid range set 0: mixed address families"));
    }

    @Test
    void h17OverlapsAreRejectedInOneSetAndAcrossSets() {
        var wide = aRange("10.1.0.0/22");
        var narrow = aRange("10.1.2.0/24");

        assertThat(read(List.of(wide, narrow)))
                .isEqualTo(new Rejected(
                        "invalid range set 0: subnets 10.1.0.1-10.1.3.254 and" + " 10.1.2.1-10.1.2.254 overlap"));
        assertThat(read(List.of(wide), List.of(narrow))).isEqualTo(new Rejected("range set 0 overlaps with 1"));
        assertThat(read(List.of(aRange("10.9.0.0/16")), List.of(wide), List.of(narrow)))
                .isEqualTo(new Rejected("range set 1 overlaps with 2"));
    }

    @Test
    void rangesOfOneSubnetMayLieSideBySide() {
        var low = aRange("10.1.2.0/24").to(address("10.1.2.9"));
        var high = aRange("10.1.2.0/24").from(address("10.1.2.10"));

        assertThat(words(read(List.of(low, high)))).isEqualTo("10.1.2.1-10.1.2.9,10.1.2.10-10.1.2.254");
    }

    @Test
    void h16OlderResultsHaveRoomForOneAddressOfAFamily() {
        var two = List.of(List.of(aRange("10.1.2.0/24")), List.of(aRange("10.1.3.0/24")));
        var mixed = List.of(List.of(aRange("10.1.2.0/24")), List.of(aRange("2001:db8::/64")));

        assertThat(HostLocalSetup.from(two, new PerFamily.One("0.2.0")))
                .isEqualTo(new Rejected("CNI version 0.2.0 does not support more than 1 address per" + " family"));
        assertThat(HostLocalSetup.from(two, new PerFamily.One("")))
                .isEqualTo(new Rejected("CNI version  does not support more than 1 address per family"));
        assertThat(HostLocalSetup.from(mixed, new PerFamily.One("0.2.0"))).isInstanceOf(Configured.class);
    }

    @SafeVarargs
    private static HostLocalSetup read(List<WrittenRange>... sets) {
        var all = new ArrayList<List<WrittenRange>>();
        for (var set : sets) {
            all.add(set);
        }
        return HostLocalSetup.from(all, new PerFamily.Any());
    }

    private static String words(HostLocalSetup setup) {
        return ((Configured) setup).groups().getFirst().words();
    }
}
