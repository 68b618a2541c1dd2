package io.cadastre.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Tells a waiting person once a second how far the work is; silent where no person reads.
final class Progress implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread teller;

    private Progress(Thread.Builder builder, Surroundings surroundings, Supplier<String> words) {
        teller = builder.unstarted(() -> tell(surroundings, words));
    }

    static Progress show(Surroundings surroundings, Supplier<String> words) {
        var progress = new Progress(Thread.ofVirtual().name("progress"), surroundings, words);
        if (surroundings.progress()) {
            progress.teller.start();
        }
        return progress;
    }

    private void tell(Surroundings surroundings, Supplier<String> words) {
        try {
            // Ends: whoever began the work closes this, on every way out.
            while (!over.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                surroundings.err().println("cadastre: " + words.get());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
    }
}
