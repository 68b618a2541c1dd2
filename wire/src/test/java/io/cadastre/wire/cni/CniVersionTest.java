package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.datastore.Bytes;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CniVersionTest {

    @ParameterizedTest
    @CsvSource({"'',0,1,0", "1,1,0,0", "1.1,1,1,0", "01.1.0,1,1,0", "0.3.1,0,3,1", "+1.0,1,0,0", "-1,-1,0,0"})
    void oneToThreeNumbersAreAVersion(String text, long major, long minor, long micro) {
        assertThat(CniVersion.parse(text)).isEqualTo(new CniVersion(major, minor, micro));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
        adsf|failed to convert major version part "adsf": invalid syntax
        0.|failed to convert minor version part "": invalid syntax
        ..|failed to convert major version part "": invalid syntax
         1|failed to convert major version part " 1": invalid syntax
        1.0.f|failed to convert micro version part "f": invalid syntax
        1.٣|failed to convert minor version part "٣": invalid syntax
        99999999999999999999|failed to convert major version part "99999999999999999999": value out of range
        1.1.0.0|invalid version "1.1.0.0": too many parts
        """)
    void otherTextsAreRefused(String text, String message) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniVersion.parse(text))
                .satisfies(
                        thrown -> assertThat(thrown.error()).isEqualTo(CniError.of(CniCode.DECODING_FAILURE, message)));
    }

    @Test
    void versionsAreComparedAsNumbers() {
        assertThat(CniVersion.atLeast("0.10.0", "0.9.9")).isTrue();
        assertThat(CniVersion.atLeast("1.1", "1.1.0")).isTrue();
        assertThat(CniVersion.atLeast("0.3.1", "0.4.0")).isFalse();
        assertThat(CniVersion.KNOWN).isSortedAccordingTo(Comparator.comparing(CniVersion::parse));
    }

    @Test
    void answerToVersionIsReadAndWritten() {
        var printed = "{\"cniVersion\":\"1.1.0\",\"supportedVersions\":[\"0.4.0\",\"1.0.0\"]}\n";

        var versions = PluginVersions.parse(Bytes.ofUtf8(printed));

        assertThat(versions).isEqualTo(new PluginVersions("1.1.0", List.of("0.4.0", "1.0.0")));
        assertThat(versions.print()).isEqualTo(printed);
    }

    @Test
    void firstPluginsThatKnewVersionDidNotListTheirVersions() {
        var versions = PluginVersions.parse(Bytes.ofUtf8("{\"cniVersion\":\"0.2.0\"}"));

        assertThat(versions.supportedVersions()).containsExactly("0.1.0", "0.2.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"supportedVersions":["1.0.0"]}              | decoding version info: missing field cniVersion
        {"cniVersion":"1.0.0"}                       | decoding version info: missing field supportedVersions
        {"cniVersion":"1.0.0","supportedVersions":5} | decoding version info: json: cannot unmarshal number into Go struct field .supportedVersions of type list
        """)
    void incompleteAnswerToVersionIsRefused(String printed, String message) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> PluginVersions.parse(Bytes.ofUtf8(printed)))
                .withMessage(message);
    }
}
