package io.cadastre.controller.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.cadastre.controller.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkQueueTest {

    private final ManualTime time = new ManualTime();
    private final WorkQueue<String> queue = new WorkQueue<>(time, Thread::sleep, Backoff.DEFAULT);

    private void pass(long millis) {
        time.pass(Duration.ofMillis(millis));
    }

    /// How long it takes until the key comes, in milliseconds.
    private long millisUntil(String key) {
        for (long millis = 0; ; millis++) {
            if (queue.poll().filter(key::equals).isPresent()) {
                queue.done(key);
                return millis;
            }
            assertThat(millis).isLessThan(100_000);
            pass(1);
        }
    }

    @Test
    void aKeyThatWaitsIsNotAddedTwice() {
        queue.add("a");
        queue.add("b");
        queue.add("a");

        assertThat(queue.poll()).contains("a");
        assertThat(queue.poll()).contains("b");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void aKeyThatIsWorkedOnComesAgainOnlyAfterwards() {
        queue.add("a");
        queue.poll();
        queue.add("a");

        var meanwhile = queue.poll();
        queue.done("a");
        var afterwards = queue.poll();

        assertThat(meanwhile).isEmpty();
        assertThat(afterwards).contains("a");
    }

    @Test
    void aKeyComesWhenItIsDueAndTheEarlierTimeCounts() {
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("a", Duration.ofSeconds(2));
        queue.addAfter("a", Duration.ofSeconds(20));

        assertThat(millisUntil("a")).isEqualTo(2000);
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void whoFailsWaitsTwiceAsLongEachTimeUpToThirtySeconds() {
        long[] waits = new long[15];

        for (int failure = 0; failure < waits.length; failure++) {
            queue.retry("a");
            waits[failure] = millisUntil("a");
        }

        assertThat(waits)
                .containsExactly(5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 30_000, 30_000);
    }

    @Test
    void afterASuccessTheNextFailureIsTheFirst() {
        queue.retry("a");
        millisUntil("a");
        queue.retry("a");
        millisUntil("a");

        queue.succeeded("a");
        queue.retry("a");

        assertThat(millisUntil("a")).isEqualTo(5);
    }

    @Test
    void allTogetherRetryAHundredTimesAtOnceAndThenTenTimesASecond() {
        for (int key = 0; key < 120; key++) {
            queue.retry("key-" + key);
        }

        pass(5);
        int atOnce = 0;
        while (queue.poll().isPresent()) {
            atOnce++;
        }
        pass(995);
        int later = 0;
        while (queue.poll().isPresent()) {
            later++;
        }

        assertThat(atOnce).isEqualTo(100);
        assertThat(later).isEqualTo(10);
    }

    @Test
    void whoWaitsForAKeyGetsItAsSoonAsItIsAdded() throws InterruptedException {
        var real = new WorkQueue<String>(System::nanoTime, Thread::sleep, Backoff.DEFAULT);
        var adding = Thread.ofVirtual().start(() -> real.addAfter("a", Duration.ofMillis(20)));

        var taken = real.take(Duration.ofSeconds(60));
        adding.join();

        assertThat(taken).contains("a");
    }
}
