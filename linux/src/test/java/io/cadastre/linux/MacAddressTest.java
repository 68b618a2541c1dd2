package io.cadastre.linux;

import static io.cadastre.linux.NetworkNamespaces.address;
import static io.cadastre.linux.NetworkNamespaces.mac;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MacAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"02:00:5E:00:53:0a", "02-00-5e-00-53-0A", "0200.5e00.530a"})
    void everyWayOfWritingIsRead(String text) {
        var mac = MacAddress.parse(text);

        assertThat(mac).isEqualTo(new MacAddress(0x0200_5e00_530aL));
        assertThat(mac).hasToString("02:00:5e:00:53:0a");
        assertThat(MacAddress.of(mac.bytes())).isEqualTo(mac);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02:00:5e:00:53",
                "02:00:5e:00:53:0a:01",
                "02:00:5e:00:53-0a",
                "2:0:5e:0:53:a",
                "02:00:5e:00:53:0g",
                "02:00:5e:00:53:0a\n"
            })
    void otherTextIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> MacAddress.parse(text));
    }

    @Test
    void linkLocalAddressFollowsFromIt() {
        assertThat(mac("ee:ee:ee:ee:ee:ee").linkLocal()).isEqualTo(address("fe80::ecee:eeff:feee:eeee"));
        assertThat(mac("02:00:5e:10:00:01").linkLocal()).isEqualTo(address("fe80::5eff:fe10:1"));
    }

    @Test
    void multicastAddressesAreRecognised() {
        assertThat(mac("01:00:5e:00:00:01").multicast()).isTrue();
        assertThat(MacAddress.BROADCAST.multicast()).isTrue();
        assertThat(mac("ee:ee:ee:ee:ee:ee").multicast()).isFalse();
    }

    @Test
    void numberOfMoreThan48BitsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MacAddress(1L << 48));
    }
}
