package io.cadastre.datastore.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.datastore.kubernetes.Limiter.Permit;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimiterTest {

    private static final long SECOND = 1_000_000_000;

    @Test
    void burstPassesAtOnceAndTheRestAtTheRate() {
        var limiter = new Limiter(new Rate(10, 2), 0);

        var permits = List.of(
                limiter.take(0, SECOND), limiter.take(0, SECOND), limiter.take(0, SECOND), limiter.take(0, SECOND));

        assertThat(permits)
                .containsExactly(
                        new Permit.After(0),
                        new Permit.After(0),
                        new Permit.After(SECOND / 10),
                        new Permit.After(SECOND / 5));
    }

    @Test
    void permitThatWouldComeTooLateIsNotTaken() {
        var limiter = new Limiter(new Rate(1, 1), 0);
        limiter.take(0, SECOND);

        var late = limiter.take(0, SECOND / 2);
        var next = limiter.take(0, SECOND);

        assertThat(late).isEqualTo(new Permit.TooLate());
        assertThat(next).isEqualTo(new Permit.After(SECOND));
    }

    @Test
    void restFillsTheBucketUpToTheBurstAndNotBeyond() {
        var limiter = new Limiter(new Rate(10, 2), 0);
        limiter.take(0, SECOND);
        limiter.take(0, SECOND);

        long later = 60 * SECOND;
        var permits = List.of(limiter.take(later, SECOND), limiter.take(later, SECOND), limiter.take(later, SECOND));

        assertThat(permits).containsExactly(new Permit.After(0), new Permit.After(0), new Permit.After(SECOND / 10));
    }
}
