package io.cadastre.engine.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.address.Address;
import io.cadastre.address.Prefix;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationsTest {

    @ParameterizedTest
    @DisplayName("CAL-54: a block is wholly reserved if no address is left")
    @CsvSource({
        "192.168.1.64/26 192.168.1.0/26, 192.168.1.0/25, true",
        "192.168.1.64/26 192.168.1.0/26, 192.168.1.0/24, false",
        "192.168.1.64/26 192.168.1.0/26, 192.168.1.0/26, true",
        "192.168.0.0/16, 192.168.1.0/26, true",
        "192.168.1.0/26 192.168.1.0/26, 192.168.1.0/25, false",
        "192.168.1.0/25 192.168.1.0/26 192.168.1.64/26, 192.168.1.0/24, false",
        "192.168.1.0/25 192.168.1.0/26 192.168.1.128/25, 192.168.1.0/24, true",
        "192.168.0.0/24 192.168.2.0/24, 192.168.1.0/24, false",
        "0.0.0.0/0, ::/0, false",
        "::/0, fd00::/122, true",
    })
    void blockIsWhollyReservedIfNoAddressIsLeft(String reserved, String block, boolean whole) {
        var reservations = reservations(reserved);

        assertThat(reservations.containWhole(Prefix.parse(block))).isEqualTo(whole);
    }

    @Test
    void onlyReservedAddressesAreContained() {
        var reservations = reservations("10.0.0.2/31 fd00::/127");

        assertThat(reserved(reservations, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"))
                .containsExactly("10.0.0.2", "10.0.0.3");
        assertThat(reserved(reservations, "fd00::", "fd00::1", "fd00::2", "::a00:2"))
                .containsExactly("fd00::", "fd00::1");
    }

    @Test
    void addressesReservedTwiceCountOnce() {
        var reservations = reservations("100.64.0.128/25 100.64.0.192/26 100.65.0.0/16");

        assertThat(reservations.countIn(Prefix.parse("100.64.0.0/24"))).isEqualTo(128);
        assertThat(reservations.countIn(Prefix.parse("100.65.1.0/24"))).isEqualTo(256);
        assertThat(reservations.countIn(Prefix.parse("100.66.0.0/24"))).isEqualTo(0);
        assertThat(reservations("::/0").countIn(Prefix.parse("::/0"))).isEqualTo(BigInteger.ONE.shiftLeft(128));
    }

    @Test
    void orderAndRepetitionDoNotMatter() {
        assertThat(reservations("10.0.0.0/26 10.0.0.64/26 10.0.0.0/26"))
                .isEqualTo(reservations("10.0.0.64/26 10.0.0.0/26"))
                .isEqualTo(reservations("10.0.0.0/25"));
    }

    @Test
    void withoutReservationsNothingIsReserved() {
        assertThat(Reservations.NONE.contains(Address.parse("10.0.0.1"))).isFalse();
        assertThat(Reservations.NONE.containWhole(Prefix.parse("10.0.0.1/32"))).isFalse();
    }

    private static Reservations reservations(String prefixes) {
        return Reservations.of(
                Arrays.stream(prefixes.split(" ")).map(Prefix::parse).toList());
    }

    private static Stream<String> reserved(Reservations reservations, String... addresses) {
        return Arrays.stream(addresses).filter(address -> reservations.contains(Address.parse(address)));
    }
}
