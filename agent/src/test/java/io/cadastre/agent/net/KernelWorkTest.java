package io.cadastre.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cadastre.wire.cni.CniCode;
import io.cadastre.wire.cni.CniException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class KernelWorkTest {

    private static final Duration AMPLE = Duration.ofSeconds(60);

    @Test
    void workThatIsDoneInTimeIsDone() {
        var done = new AtomicBoolean();

        KernelWork.within(AMPLE, "late", () -> done.set(true));

        assertThat(done).isTrue();
    }

    @Test
    void workThatTakesLongerIsToBeAskedForAgain() {
        var stuck = new CountDownLatch(1);

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> KernelWork.within(
                        Duration.ofMillis(1),
                        "timed out deleting device in netns /run/netns/x",
                        () -> awaitQuietly(stuck)))
                .satisfies(late -> {
                    assertThat(late.error().is(CniCode.TRY_AGAIN_LATER)).isTrue();
                    assertThat(late.error().msg()).isEqualTo("timed out deleting device in netns /run/netns/x");
                });
        stuck.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void failureOfTheWorkIsTheCallers() {
        assertThatIllegalStateException()
                .isThrownBy(() -> KernelWork.within(AMPLE, "late", () -> {
                    throw new IllegalStateException("broken");
                }))
                .withMessage("broken");
    }
}
