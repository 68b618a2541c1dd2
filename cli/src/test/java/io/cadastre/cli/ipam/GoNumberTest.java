package io.cadastre.cli.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GoNumberTest {

    @Test
    void fiveDigitsAreKeptAndMoreBecomeAnExponent() {
        assertThat(GoNumber.text(0)).isEqualTo("0");
        assertThat(GoNumber.text(64)).isEqualTo("64");
        assertThat(GoNumber.text(100)).isEqualTo("100");
        assertThat(GoNumber.text(65_536)).isEqualTo("65536");
        assertThat(GoNumber.text(99_999)).isEqualTo("99999");
        assertThat(GoNumber.text(100_000)).isEqualTo("1e+05");
        assertThat(GoNumber.text(131_072)).isEqualTo("1.3107e+05");
        assertThat(GoNumber.text(Long.MAX_VALUE)).isEqualTo("9.2234e+18");
    }

    @Test
    void percentIsRoundedToTheEvenOfTwo() {
        assertThat(GoNumber.part(3, 8)).isEqualTo("3 (38%)");
        assertThat(GoNumber.part(5, 8)).isEqualTo("5 (62%)");
        assertThat(GoNumber.part(5, 65_536)).isEqualTo("5 (0%)");
        assertThat(GoNumber.part(0, 0)).isEqualTo("0 (0%)");
    }
}
