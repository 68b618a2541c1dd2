package io.cadastre.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Prints the progress once a second on a terminal; silent elsewhere.
public final class Progress implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread printer;

    private Progress(Thread.Builder builder, CommandContext context, Supplier<String> words) {
        printer = builder.unstarted(() -> print(context, words));
    }

    public static Progress show(CommandContext context, Supplier<String> words) {
        var progress = new Progress(Thread.ofVirtual().name("progress"), context, words);
        if (context.progress()) {
            progress.printer.start();
        }
        return progress;
    }

    private void print(CommandContext context, Supplier<String> words) {
        try {
            // Ends: the caller closes this on every way out.
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
