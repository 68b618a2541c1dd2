package io.cadastre.wire.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cadastre.address.Address;
import io.cadastre.wire.cni.CniArguments.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CniArgumentsTest {

    private static final List<CniArguments.Key> KNOWN = List.of(
            new CniArguments.Key("A", Kind.TEXT),
            new CniArguments.Key("IP", Kind.ADDRESS),
            new CniArguments.Key("NET", Kind.ADDRESS_OR_CIDR));

    @Test
    void s26UnknownArgumentsAreIgnoredOnlyOnRequest() {
        var ignored = CniArguments.parse("IgnoreUnknown=True;Unk=nown", KNOWN);

        assertThat(ignored.text("Unk")).isEmpty();
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniArguments.parse("Unk=nown", KNOWN))
                .withMessage("ARGS: unknown args [\"Unk=nown\"]");
    }

    @Test
    void knownArgumentsAreRead() {
        var read = CniArguments.parse("A=x;IP=fd00::1;NET=10.1.2.3/24", KNOWN);

        assertThat(read.text("A")).isEqualTo("x");
        assertThat(read.address("IP")).contains(Address.parse("fd00::1"));
        assertThat(read.address("NET")).contains(Address.parse("10.1.2.3"));
        assertThat(read.address("OTHER")).isEmpty();
    }

    @Test
    void emptyTextHasNoArguments() {
        assertThat(CniArguments.parse("", KNOWN).values()).isEmpty();
    }

    @Test
    void addressWithoutAValueIsAbsent() {
        assertThat(CniArguments.parse("IP=;NET=", KNOWN).address("IP")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "TRUE", "True"})
    void ignoreUnknownMayStandAnywhereAndInAnyLetterCase(String yes) {
        var read = CniArguments.parse("X=1;A=2;IgnoreUnknown=" + yes, KNOWN);

        assertThat(read.text("A")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        A                       | ARGS: invalid pair "A"
        A=B=C                   | ARGS: invalid pair "A=B=C"
        A=1;                    | ARGS: invalid pair ""
        X=1;IgnoreUnknown=0;Y=2 | ARGS: unknown args ["X=1" "Y=2"]
        a=1                     | ARGS: unknown args ["a=1"]
        IgnoreUnknown=x         | ARGS: error parsing value of pair "IgnoreUnknown=x": boolean unmarshal error: invalid input x
        IP=10.1.2.3/24          | ARGS: error parsing value of pair "IP=10.1.2.3/24": invalid IP address: 10.1.2.3/24
        NET=a b                 | ARGS: error parsing value of pair "NET=a b": invalid IP address a b
        """)
    void otherTextIsRefused(String text, String message) {
        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniArguments.parse(text, KNOWN))
                .satisfies(thrown -> assertThat(thrown.error()).isEqualTo(CniError.of(CniCode.INTERNAL, message)));
    }
}
