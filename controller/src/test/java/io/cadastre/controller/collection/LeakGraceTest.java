package io.cadastre.controller.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cadastre.datastore.Bytes;
import io.cadastre.datastore.Datastore;
import io.cadastre.datastore.Write;
import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeakGraceTest {

    private static Datastore configured(String json) {
        var store = new MemoryDatastore();
        store.commit(List.of(new Write.Create(LeakGrace.KEY, Bytes.ofUtf8(json))));
        return store;
    }

    private static Datastore withPeriod(String period) {
        return configured("{\"spec\":{\"controllers\":{\"node\":{\"leakGracePeriod\":\"%s\"}}}}".formatted(period));
    }

    @ParameterizedTest
    @CsvSource({
        "15m0s, PT15M",
        "1h30m, PT1H30M",
        "1.5s, PT1.5S",
        "250ms, PT0.25S",
        "0, PT0S",
        "0s, PT0S",
        "3us, PT0.000003S"
    })
    void configuredGraceCounts(String text, Duration expected) {
        assertThat(new LeakGrace.Configured().fetch(withPeriod(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"15", "m", "-5m", "15 m", "1d", "99999999999999999999h"})
    void invalidDurationIsAnError(String text) {
        assertThatThrownBy(() -> new LeakGrace.Configured().fetch(withPeriod(text)))
                .isInstanceOf(UnreadableDocumentException.class)
                .hasMessageContaining("leakGracePeriod is not a duration");
    }

    @Test
    void withoutAConfigurationItIsAQuarterOfAnHour() {
        var nothing = new LeakGrace.Configured().fetch(new MemoryDatastore());
        var nothingSaid = new LeakGrace.Configured().fetch(configured("{\"spec\":{\"controllers\":{\"node\":{}}}}"));

        assertThat(nothing).isEqualTo(Duration.ofMinutes(15));
        assertThat(nothingSaid).isEqualTo(Duration.ofMinutes(15));
    }

    @Test
    void fixedGraceOverridesTheConfiguredOne() {
        var fixed = new LeakGrace.Fixed(Duration.ofSeconds(1));

        assertThat(fixed.fetch(withPeriod("2h"))).isEqualTo(Duration.ofSeconds(1));
    }
}
