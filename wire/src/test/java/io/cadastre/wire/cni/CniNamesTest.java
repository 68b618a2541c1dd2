package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the errors of the reference code do not show: the names that never come through the dispatch.
class CniNamesTest {

    @Test
    void emptyNamesHaveFaultsOfTheirOwn() {
        assertThat(fault(() -> CniNames.checkContainerId("")))
                .isEqualTo(CniError.of(CniCode.UNKNOWN_CONTAINER, "missing containerID"));
        assertThat(fault(() -> CniNames.checkNetworkName("")))
                .isEqualTo(CniError.of(CniCode.INVALID_NETWORK_CONFIG, "missing network name:"));
        assertThat(fault(() -> CniNames.checkInterfaceName("")))
                .isEqualTo(CniError.of(CniCode.INVALID_ENVIRONMENT, "interface name is empty"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "-a", "a\n", "é"})
    void networkNameWithOtherCharactersIsNamed(String name) {
        assertThat(fault(() -> CniNames.checkNetworkName(name)))
                .isEqualTo(
                        CniError.of(CniCode.INVALID_NETWORK_CONFIG, "invalid characters found in network name", name));
    }

    @Test
    void calicoAllowsAnyOrderOfItsCharacters() {
        CniNames.checkCalicoNetworkName("-_.a9");

        assertThat(fault(() -> CniNames.checkCalicoNetworkName("a b")).msg())
                .startsWith("invalid characters detected in the given network name.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2003, 0x2028})
    void whiteSpaceOfUnicodeIsRefusedInAnInterfaceName(int space) {
        var name = "a" + Character.toString(space);

        assertThat(fault(() -> CniNames.checkInterfaceName(name)).msg())
                .isEqualTo("interface name contains / or : or whitespace characters");
    }

    @Test
    void separatorsOfInformationAreNotWhiteSpace() {
        CniNames.checkInterfaceName("a\u001cb");
    }

    @Test
    void quotingEscapesWhatCannotBeSeen() {
        assertThat(GoText.quote("a\"\\\n\u0001\u007f\u00a0\u2028é😀"))
                .isEqualTo("\"a\\\"\\\\\\n\\x01\\x7f\\u00a0\\u2028é😀\"");
    }

    private static CniError fault(Runnable check) {
        var faults = new CniError[1];
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(check::run)
                .satisfies(thrown -> faults[0] = thrown.error());
        return faults[0];
    }
}
