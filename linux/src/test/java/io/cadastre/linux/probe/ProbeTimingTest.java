package io.cadastre.linux.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProbeTimingTest {

    @Test
    void defaultDecidesWithinASecond() {
        var timing = ProbeTiming.DEFAULT;

        var whole = timing.interval().multipliedBy(timing.sends());

        assertThat(timing.sends()).isEqualTo(3);
        assertThat(whole).isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void timingWithoutABoundIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ProbeTiming(0, Duration.ofMillis(100)));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProbeTiming(11, Duration.ofMillis(100)));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProbeTiming(3, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProbeTiming(3, Duration.ofMinutes(1)));
    }
}
