package io.cadastre.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MomentTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "90s, 2026-01-31T11:58:30Z",
        "5m, 2026-01-31T11:55:00Z",
        "2h, 2026-01-31T10:00:00Z",
        "3d, 2026-01-28T12:00:00Z",
        "0s, 2026-01-31T12:00:00Z"
    })
    void durationIsThatLongAgo(String text, Instant moment) {
        assertThat(Moment.parse(text, NOW)).isEqualTo(moment);
    }

    @Test
    void offsetIsHonoured() {
        assertThat(Moment.parse("2026-01-31T13:30:00.5+02:00", NOW)).isEqualTo(Instant.parse("2026-01-31T11:30:00.5Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "noon",
                "2026-01-31",
                "2026-01-31T12:00:00",
                "2026-02-30T12:00:00Z",
                "-2h",
                "2 h",
                "9999999999s",
                "999999999d",
                "1969-12-31T23:59:59Z",
                "+12345-01-01T00:00:00Z"
            })
    void anythingElseIsNamedAndRefused(String text) {
        assertThatThrownBy(() -> Moment.parse(text, NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a time");
    }
}
