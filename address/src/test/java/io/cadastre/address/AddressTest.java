package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTest {

    private static final int CASES = 20_000;

    @Test
    void numberAgreesWithTwinAndLeadsBack() {
        Cases.run(CASES, chance -> {
            var address = chance.address();

            assertThat(address.number()).isEqualTo(SlowArithmetic.number(address));
            assertThat(Address.of(address.family(), address.number())).isEqualTo(address);
        });
    }

    @Test
    void orderIsByFamilyAndThenByNumber() {
        Cases.run(CASES, chance -> {
            var one = chance.address();
            var other = chance.oneIn(10) ? one : chance.address();

            int expected = one.family() == other.family()
                    ? SlowArithmetic.number(one).compareTo(SlowArithmetic.number(other))
                    : one.family().compareTo(other.family());

            assertThat(Integer.signum(one.compareTo(other))).isEqualTo(Integer.signum(expected));
            assertThat(one.equals(other)).isEqualTo(expected == 0);
        });
    }

    @Test
    void stepsOfUnsignedLengthAgreeWithTwin() {
        Cases.run(CASES, chance -> {
            var address = chance.address();
            long distance = chance.bits();

            assertStep(
                    address,
                    SlowArithmetic.number(address).add(SlowArithmetic.unsigned(distance)),
                    () -> address.plus(distance));
            assertStep(
                    address,
                    SlowArithmetic.number(address).subtract(SlowArithmetic.unsigned(distance)),
                    () -> address.minus(distance));
            assertStep(address, SlowArithmetic.number(address).add(BigInteger.ONE), address::next);
            assertStep(address, SlowArithmetic.number(address).subtract(BigInteger.ONE), address::previous);
        });
    }

    @Test
    void stepsOfAnyLengthAgreeWithTwin() {
        Cases.run(CASES, chance -> {
            var address = chance.address();
            var distance = SlowArithmetic.number(chance.address());
            var signed = chance.oneIn(2) ? distance : distance.negate();

            assertStep(address, SlowArithmetic.number(address).add(signed), () -> address.plus(signed));
        });
    }

    private static void assertStep(Address from, BigInteger to, Step step) {
        if (SlowArithmetic.exists(from.family(), to)) {
            var reached = step.take();
            assertThat(reached.family()).isEqualTo(from.family());
            assertThat(SlowArithmetic.number(reached)).isEqualTo(to);
        } else {
            assertThatThrownBy(step::take)
                    .isInstanceOf(ArithmeticException.class)
                    .hasMessageContaining(from.toString());
        }
    }

    private interface Step {
        Address take();
    }

    @Test
    void distanceAgreesWithTwin() {
        Cases.run(CASES, chance -> {
            var range = chance.range(chance.family());

            assertThat(range.first().distanceTo(range.last()))
                    .isEqualTo(SlowArithmetic.number(range.last()).subtract(SlowArithmetic.number(range.first())));
        });
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.2, 10.0.0.1", "10.0.0.1, ::1", "::1, 10.0.0.1"})
    void thereIsNoDistanceBackwardsOrAcrossFamilies(String from, String to) {
        assertThatThrownBy(() -> Address.parse(from).distanceTo(Address.parse(to)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("%s does not come after %s".formatted(to, from));
    }

    @Test
    void stepBeyondTheFamilyNamesAddressAndDistance() {
        assertThatThrownBy(() -> Address.parse("255.255.255.254").plus(2))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("there is no IPv4 address 2 steps after 255.255.255.254");
        assertThatThrownBy(() -> Address.parse("::").previous())
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("there is no IPv6 address 1 steps before ::");
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:10.0.0.1, true",
        "::ffff:0:0, true",
        "::fffe:0:0, false",
        "::1:0:0:0, false",
        "1::ffff:10.0.0.1, false",
        "10.0.0.1, false",
    })
    void ipv4MappedAddressIsRecognised(String text, boolean mapped) {
        assertThat(Address.parse(text).ipv4Mapped()).isEqualTo(mapped);
    }

    @Test
    void numberBeyondTheFamilyIsRefused() {
        assertThatThrownBy(() -> new Address(Family.IPV4, 0, 1L << 32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("an IPv4 address has 32 bits, not 00000000000000000000000100000000");
        assertThatThrownBy(() -> new Address(Family.IPV4, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Address.of(Family.IPV4, BigInteger.TWO.pow(32)))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("4294967296 is not the number of an IPv4 address");
        assertThatThrownBy(() -> Address.of(Family.IPV6, BigInteger.ONE.negate()))
                .isInstanceOf(ArithmeticException.class);
    }
}
