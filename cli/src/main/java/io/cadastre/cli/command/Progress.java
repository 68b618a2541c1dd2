package io.cadastre.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Shows a waiting person once a second how far the work is; silent where no person reads.
public final class Progress implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread teller;

    private Progress(Thread.Builder builder, CommandContext context, Supplier<String> words) {
        teller = builder.unstarted(() -> tell(context, words));
    }

    public static Progress show(CommandContext context, Supplier<String> words) {
        var progress = new Progress(Thread.ofVirtual().name("progress"), context, words);
        if (context.progress()) {
            progress.teller.start();
        }
        return progress;
    }

    private void tell(CommandContext context, Supplier<String> words) {
        try {
            // Ends: the caller that began the work closes this, on every way out.
            while (!over.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                context.err().println("cadastre: " + words.get());
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
