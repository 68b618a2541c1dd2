package io.cadastre.registry;

import io.cadastre.datastore.DatastoreException;
import io.cadastre.datastore.Journal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/// Cuts off the oldest entries of a ledger from time to time, while a process runs that appends to it.
///
/// A look reads the whole ledger, so there are few of them, by a thread of their own. Where the size is
/// bounded, a cut goes below the bound, so that most looks cut nothing.
public final class LedgerRetention implements AutoCloseable {

    private static final Duration LOOK_INTERVAL_MAX = Duration.ofHours(1);
    private static final Duration LOOK_INTERVAL_MIN = Duration.ofMinutes(1);

    /// There are this many looks in the time that entries are kept.
    private static final int LOOKS_PER_AGE = 24;

    /// A ledger that has grown beyond its bound is cut by this part of it more.
    private static final int SLACK_PART = 8;

    private final Ledger ledger;
    private final List<Bound> bounds;
    private final InstantSource clock;
    private final Pause pause;
    private final Consumer<String> log;
    private final Thread thread;

    /// What is to be kept.
    public sealed interface Bound {

        /// Entries that are not older.
        record Age(Duration max) implements Bound {}

        /// The newest entries, which take no more bytes.
        record Size(long bytesMax) implements Bound {}
    }

    /// @param log takes a sentence for each cut, and for each that failed
    public LedgerRetention(Ledger ledger, List<Bound> bounds, InstantSource clock, Pause pause, Consumer<String> log) {
        this.ledger = ledger;
        this.bounds = List.copyOf(bounds);
        this.clock = clock;
        this.pause = pause;
        this.log = log;
        this.thread = Thread.ofVirtual().name("ledger-retention").unstarted(this::keepLooking);
    }

    /// Begins to look now and then, unless there is no bound.
    public LedgerRetention begin() {
        if (!bounds.isEmpty()) {
            thread.start();
        }
        return this;
    }

    private void keepLooking() {
        try {
            // Ends when the process closes it.
            while (!Thread.currentThread().isInterrupted()) {
                pause.pause(interval());
                look();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    Duration interval() {
        var shortest = LOOK_INTERVAL_MAX;
        for (var bound : bounds) {
            if (bound instanceof Bound.Age(var max)
                    && max.dividedBy(LOOKS_PER_AGE).compareTo(shortest) < 0) {
                shortest = max.dividedBy(LOOKS_PER_AGE);
            }
        }
        return shortest.compareTo(LOOK_INTERVAL_MIN) < 0 ? LOOK_INTERVAL_MIN : shortest;
    }

    /// Cuts off what the bounds do not keep. A failure is logged, and the next look tries again.
    public void look() {
        for (var bound : bounds) {
            try {
                switch (bound) {
                    case Bound.Age(var max) -> trimBefore(clock.instant().minus(max));
                    case Bound.Size(var bytesMax) -> trimTo(bytesMax);
                }
            } catch (RuntimeException | Error failed) {
                // Also one that is a bug, or that memory was short: the process goes on, and so
                // does the
                // ledger.
                log.accept(
                        failed instanceof LedgerException || failed instanceof DatastoreException
                                ? "the ledger is not trimmed: " + failed.getMessage()
                                : "the ledger is not trimmed: " + failed);
            }
        }
    }

    private void trimBefore(Instant start) {
        boolean old = ledger.read(1, Journal.PAGE_RECORDS_MAX).stream()
                .map(Ledger.Recorded::entry)
                .filter(entry -> !LedgerCut.is(entry))
                .findFirst()
                .filter(entry -> entry.at().isBefore(start))
                .isPresent();
        if (old) {
            trim(new Ledger.Retention.NotBefore(start));
        }
    }

    private void trimTo(long bytesMax) {
        if (ledger.planTrim(new Ledger.Retention.Within(bytesMax)).isPresent()) {
            trim(new Ledger.Retention.Within(bytesMax - bytesMax / SLACK_PART));
        }
    }

    private void trim(Ledger.Retention retention) {
        ledger.planTrim(retention).ifPresent(plan -> {
            ledger.trim(plan, clock.instant());
            log.accept("trimmed the ledger: entries %d to %d, of times until %s; %d tenures that last are kept"
                    .formatted(plan.first(), plan.last(), plan.at(), plan.open().size()));
        });
    }

    /// Ends looking. What is under way is finished.
    @Override
    public void close() {
        if (bounds.isEmpty()) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
