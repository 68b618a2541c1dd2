package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTextTest {

    /// The library's settings that come nearest to our strict rules.
    private static final IPAddressStringParameters STRICT = new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowWildcardedSeparator(false)
            .allowPrefix(false)
            .allowMask(false)
            .setRangeOptions(RangeParameters.NO_RANGE)
            .getIPv4AddressParametersBuilder()
            .allow_inet_aton(false)
            .allowLeadingZeros(false)
            .allowUnlimitedLeadingZeros(false)
            .allowBinary(false)
            .getParentBuilder()
            .getIPv6AddressParametersBuilder()
            .allowZone(false)
            .allowBase85(false)
            .allowBinary(false)
            .allowUnlimitedLeadingZeros(false)
            .getEmbeddedIPv4AddressParametersBuilder()
            .allow_inet_aton(false)
            .allowLeadingZeros(false)
            .allowUnlimitedLeadingZeros(false)
            .getEmbeddedIPv4AddressParentBuilder()
            .getParentBuilder()
            .toParams();

    private static final String ALPHABET = "0123456789abcdefABCDEF::::....g%/ -x\u0661\uff11";

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::, ::",
        "0:0:0:0:0:0:0:0, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:DB8::ABCD, 2001:db8::abcd",
        "2001:0db8:0000:0000:0000:0000:0000:0001, 2001:db8::1",
        "1:0:2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "1::2:3:4:5:6:7, 1:0:2:3:4:5:6:7",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:3:0:0:4, 1::2:3:0:0:4",
        "0:0:1:2:3:4:0:0, ::1:2:3:4:0:0",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "0:1:2:3:4:5:6:7, 0:1:2:3:4:5:6:7",
        "::1.2.3.4, ::102:304",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "::ffff:c000:201, ::ffff:192.0.2.1",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    })
    void textIsWrittenAsRfc5952Says(String text, String canonical) {
        assertThat(Address.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | an octet has at least one decimal digit",
                "1 | four octets are divided by dots",
                "1.2.3 | four octets are divided by dots",
                "1.2.3. | an octet has at least one decimal digit",
                "1.2.3.4.5 | four octets are followed by something else",
                "1.2.3.4/8 | four octets are followed by something else",
                "\" 1.2.3.4\" | an octet has at least one decimal digit",
                "\"1.2.3.4 \" | four octets are followed by something else",
                "256.0.0.0 | an octet is at most 255",
                "01.2.3.4 | an octet has no leading zero",
                "1.2.3.00 | an octet has no leading zero",
                "0x1.2.3.4 | four octets are divided by dots",
                "-1.2.3.4 | an octet has at least one decimal digit",
                "1:2 | there are eight groups, or '::' for the missing ones",
                "1:2:3:4:5:6:7:8:9 | there are at most eight groups",
                "1:2:3:4:5:6:7::8 | '::' stands for at least one group",
                "1::2::3 | '::' may stand once",
                "::: | a group has at least one hexadecimal digit",
                ": | a group has at least one hexadecimal digit",
                "1: | it ends in a single colon",
                "12345:: | a group has at most four hexadecimal digits",
                "fe80::1%eth0 | groups are divided by colons",
                "[::1] | a group has at least one hexadecimal digit",
                "1:2:3:4:5:6:7:1.2.3.4 | a dotted quad takes the place of two groups",
                "::1.2.3.4:5 | four octets are followed by something else",
                "::01.2.3.4 | an octet has no leading zero",
            })
    void messageNamesTextAndRule(String text, String rule) {
        assertThatThrownBy(() -> Address.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not an IP address: %s".formatted(text, rule));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0661.2.3.4", "\uff11::", "1.2.3.4\0", "::\n"})
    void onlyAsciiDigitsAreDigits(String text) {
        assertThatThrownBy(() -> Address.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void canonicalTextIsReadBackByAllThree() {
        Cases.run(30_000, chance -> {
            var address = chance.address();
            var text = address.toString();

            assertThat(Address.parse(text)).isEqualTo(address);
            assertThat(readByLibrary(text)).contains(address);
            assertThat(readByJdk(text)).contains(withoutMapping(address));
            assertThat(text.length()).isLessThanOrEqualTo(39);
        });
    }

    /// Mapped addresses are left out: the library writes them without a dotted quad.
    @Test
    void canonicalTextIsTheLibrarys() {
        Cases.run(30_000, chance -> {
            var address = chance.address();

            var text = address.ipv4Mapped()
                    ? "::ffff:" + withoutMapping(address)
                    : new IPAddressString(address.toString()).getAddress().toCanonicalString();

            assertThat(address).hasToString(text);
        });
    }

    @Test
    void mutatedTextIsReadExactlyIfTheOraclesReadItToo() {
        var read = new int[1];
        Cases.run(150_000, chance -> {
            var text = mutated(chance, spelled(chance, chance.address()));

            var ours = read(text);

            assertThat(ours).as("'%s' by the library", text).isEqualTo(readByLibrary(text));
            // The JDK reads more: leading zeros, zones, brackets. What we read, it reads alike.
            ours.ifPresent(address ->
                    assertThat(readByJdk(text)).as("'%s' by the JDK", text).contains(withoutMapping(address)));
            read[0] += ours.isPresent() ? 1 : 0;
        });
        assertThat(read[0]).isBetween(20_000, 130_000);
    }

    private static Optional<Address> read(String text) {
        try {
            return Optional.of(Address.parse(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The library drops blanks around an address; the strict rules do not.
    private static Optional<Address> readByLibrary(String text) {
        if (text.contains(" ")) {
            return Optional.empty();
        }
        var address = new IPAddressString(text, STRICT).getAddress();
        return address == null
                ? Optional.empty()
                : Optional.of(Address.of(address.isIPv4() ? Family.IPV4 : Family.IPV6, address.getValue()));
    }

    private static Optional<Address> readByJdk(String text) {
        try {
            var bytes = InetAddress.ofLiteral(text).getAddress();
            return Optional.of(Address.of(bytes.length == 4 ? Family.IPV4 : Family.IPV6, new BigInteger(1, bytes)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// The JDK takes a mapped address for the IPv4 one.
    private static Address withoutMapping(Address address) {
        return address.ipv4Mapped() ? Address.ipv4((int) address.low()) : address;
    }

    /// One of the many spellings of an address.
    private static String spelled(Chance chance, Address address) {
        var canonical = address.toString();
        if (address.family() == Family.IPV4 || chance.oneIn(3)) {
            return canonical;
        }
        var groups = new String[8];
        Arrays.setAll(groups, place -> {
            long half = place < 4 ? address.high() : address.low();
            int group = (int) (half >>> (48 - 16 * (place % 4))) & 0xffff;
            return (chance.oneIn(2) ? "%x" : "%04X").formatted(group);
        });
        var text = String.join(":", groups);
        if (chance.oneIn(3)) {
            int quad = (int) address.low();
            text = String.join(":", Arrays.copyOf(groups, 6)) + ":" + Address.ipv4(quad);
        }
        return text;
    }

    private static String mutated(Chance chance, String text) {
        var mutated = new StringBuilder(text);
        int changes = chance.below(3);
        for (int i = 0; i < changes; i++) {
            char c = ALPHABET.charAt(chance.below(ALPHABET.length()));
            int at = chance.below(mutated.length() + 1);
            if (chance.oneIn(3) || at == mutated.length()) {
                mutated.insert(at, c);
            } else if (chance.oneIn(2)) {
                mutated.deleteCharAt(at);
            } else {
                mutated.setCharAt(at, c);
            }
        }
        return mutated.toString();
    }
}
