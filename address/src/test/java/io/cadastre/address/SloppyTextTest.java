package io.cadastre.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What Kubernetes 1.37 reads and refuses, as its `ParseCIDRSloppy` was seen to do.
class SloppyTextTest {

    @ParameterizedTest(name = "{0}: {1} means {2}")
    @CsvSource({
        "AT-01, 010.010.000.000/16, 10.10.0.0/16",
        "AT-02, 127.123.3.0/16, 127.123.0.0/16",
        "AT-03, 192.168.5.219/28, 192.168.5.208/28",
        "AT-04, FD00:0::/64, fd00::/64",
    })
    void vectorsOfTheSpecificationAreRead(String id, String text, String canonical) {
        var prefix = SloppyText.parsePrefix(text);

        assertThat(prefix).as(id).map(Prefix::toString).contains(canonical);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/016, 10.0.0.0/16",
        "10.0.0.0/00000000000000000000016, 10.0.0.0/16",
        "0000000000000010.1.2.3/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "000.000.000.000/00, 0.0.0.0/0",
        "255.255.255.255/032, 255.255.255.255/32",
        "fd00::1/64, fd00::/64",
        "000fd00::/64, fd00::/64",
        "00000000000::/0, ::/0",
        "0:00:000:0000::00001/128, ::1/128",
        "::ffff:010.0.0.1/128, ::ffff:10.0.0.1/128",
        "::ffff:10.0.0.0/95, ::fffe:0:0/95",
        "::10.1.2.3/128, ::a01:203/128",
        "1:2:3:4:5:6:7::/128, 1:2:3:4:5:6:7:0/128",
        "1:2:3:4:5:6:1.2.3.4/128, 1:2:3:4:5:6:102:304/128",
    })
    void leadingZerosAndHostBitsAreDropped(String text, String canonical) {
        var prefix = SloppyText.parsePrefix(text);

        assertThat(prefix).map(Prefix::toString).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/8",
                "0",
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/0x8",
                "10.0.0.0/8 ",
                " 10.0.0.0/8",
                "10.0.0.0 /8",
                "10.0.0/8",
                "10.0.0.0.0/8",
                "10..0.0/8",
                "256.0.0.0/8",
                "0256.0.0.0/8",
                "10.0.0.0/8/8",
                "10.0.0.0/999999999999999999999",
                "0x10.0.0.0/8",
                "0a.0.0.0/8",
                "12345::/16",
                "0012345::/16",
                "fe80::1%eth0/64",
                "fe80::1/64%eth0",
                "1:2:3:4:5:6:7:8::/128",
                "1:2:3:4:5:6:7:8:9/128",
                "::/129",
                "1.2.3.4::/8",
                "::1.2.3.4:5/8",
                "1:2:3:4:5:6:7:1.2.3.4/128",
                "\u0661.0.0.0/8",
                "10.0.0.0/\u0661",
                ":::/8",
                "::1:/8",
                ":1::/8",
                "1::2::3/8",
                "fd00::/64,10.0.0.0/8",
            })
    void everythingElseIsRefused(String text) {
        assertThat(SloppyText.parsePrefix(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "::ffff:10.0.0.0/104, true",
        "::ffff:10.0.0.0/96, true",
        "::FFFF:a00:0/128, true",
        "::ffff:10.0.0.0/95, false",
        "::10.0.0.0/104, false",
        "10.0.0.0/8, false",
        "fd00::/104, false",
    })
    void ipv4MappedPrefixIsRecognised(String text, boolean mapped) {
        var prefix = SloppyText.parsePrefix(text);

        assertThat(prefix).map(Prefix::ipv4Mapped).contains(mapped);
    }

    @Test
    void strictTextIsReadAlike() {
        Cases.run(20_000, chance -> {
            var prefix = chance.prefix(chance.family());

            assertThat(SloppyText.parsePrefix(prefix.toString())).contains(prefix);
        });
    }

    @Test
    void zerosBeforeAnyNumberAndBitsBeyondTheLengthMakeNoDifference() {
        Cases.run(20_000, chance -> {
            var address = chance.address();
            int length = chance.length(address.family());
            var padded = padded(chance, address + "/" + length);

            assertThat(SloppyText.parsePrefix(padded)).as(padded).contains(Prefix.containing(address, length));
        });
    }

    private static String padded(Chance chance, String text) {
        var padded = new StringBuilder();
        boolean inNumber = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean digit = Character.digit(c, 16) >= 0;
            if (digit && !inNumber) {
                padded.repeat('0', chance.below(7));
            }
            inNumber = digit;
            padded.append(c);
        }
        return padded.toString();
    }
}
