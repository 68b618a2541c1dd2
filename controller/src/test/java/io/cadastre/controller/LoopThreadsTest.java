package io.cadastre.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cadastre.datastore.memory.MemoryDatastore;
import io.cadastre.datastore.memory.MemoryJournal;
import io.cadastre.registry.Ledger;
import io.cadastre.registry.Pause;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LoopThreadsTest {

    private static final Pause REAL = Thread::sleep;

    @Test
    void threadsThatHaveEndedAreForgotten() {
        var time = new ManualTime();
        try (var store = new MemoryDatastore();
                var threads = new LoopThreads(new ControllerContext(
                        store,
                        new Ledger(new MemoryJournal()),
                        time,
                        time,
                        new SplittableRandom(1),
                        REAL,
                        report -> {}))) {
            var ended = ended(threads);

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                threads.begin("another", () -> {});
                System.gc();
                assertThat(ended.get()).isNull();
            });
        }
    }

    private static WeakReference<Thread> ended(LoopThreads threads) {
        var ran = new CompletableFuture<WeakReference<Thread>>();
        threads.begin("one", () -> ran.complete(new WeakReference<>(Thread.currentThread())));
        return ran.join();
    }
}
