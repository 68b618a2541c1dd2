package io.cadastre.engine.nodecidr.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloudScheduleTest {

    @ParameterizedTest
    @CsvSource({"1, 500", "2, 1000", "3, 2000", "4, 4000", "5, 5000", "6, 5000", "10, 5000"})
    void retryComesBetweenHalfAndOneAndAHalfTimesADoublingTime(int failures, long millis) {
        var t = Duration.ofMillis(millis);

        assertThat(CloudRetry.afterFailures(failures, always(0))).isEqualTo(new CloudRetry.After(t.dividedBy(2)));
        assertThat(CloudRetry.afterFailures(failures, always(t.toNanos() - 1)))
                .isEqualTo(new CloudRetry.After(t.multipliedBy(3).dividedBy(2).minusNanos(1)));
    }

    @Test
    void chanceIsUsedWithinTheBoundsOnly() {
        var dice = new Random(1);
        for (int round = 0; round < 1000; round++) {
            var retry = (CloudRetry.After) CloudRetry.afterFailures(1 + round % 10, dice);

            assertThat(retry.delay())
                    .isBetween(Duration.ofMillis(250), Duration.ofMillis(7500).minusNanos(1));
        }
    }

    @Test
    void nodeIsDroppedAfterTenRetries() {
        var eleventh = CloudRetry.afterFailures(11, always(0));

        assertThat(eleventh).isEqualTo(new CloudRetry.Dropped());
        assertThat(((CloudRetry.Dropped) eleventh).sentence()).isEqualTo("Exceeded retry count, dropping from queue");
    }

    @Test
    void withoutAFailureThereIsNoRetry() {
        assertThatThrownBy(() -> CloudRetry.afterFailures(0, always(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void syncBacksOffWhileItFails() {
        var backoff = new SyncBackoff(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(1));
        var waits = new ArrayList<Long>();
        int failures = 0;

        for (boolean ok : List.of(true, true, false, false, false, false, false, true)) {
            failures = ok ? 0 : failures + 1;
            waits.add(backoff.after(failures).toSeconds());
        }

        assertThat(waits).containsExactly(10L, 10L, 1L, 2L, 4L, 5L, 5L, 10L);
    }

    @Test
    void defaultsAreThoseOfKubeControllerManager() {
        assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 7, 1000).stream()
                        .map(SyncBackoff.DEFAULT::after)
                        .map(Duration::toMillis))
                .containsExactly(30000L, 250L, 500L, 1000L, 2000L, 4000L, 8000L, 10000L, 10000L);
    }

    @ParameterizedTest
    @CsvSource({"10, 5, 0", "10, 1, 5", "0, 5, 1"})
    void backoffThatNeverEndsOrShrinksIsRefused(long resync, long longest, long first) {
        assertThatThrownBy(() -> new SyncBackoff(
                        Duration.ofSeconds(resync), Duration.ofSeconds(longest), Duration.ofSeconds(first)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Dice that show the number, as far as they have it.
    private static RandomGenerator always(long shown) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return shown;
            }

            @Override
            public long nextLong(long bound) {
                return Math.min(shown, bound - 1);
            }
        };
    }
}
