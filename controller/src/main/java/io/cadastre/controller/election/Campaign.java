package io.cadastre.controller.election;

import io.cadastre.controller.election.Candidate.Standing;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Pause;
import io.cadastre.wire.json.UnreadableDocumentException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// A candidate at work on a thread of his own: he looks again and again, and tells when a term begins
/// and when it is over.
public final class Campaign {

    /// Those who wait do not all come at the same moment.
    private static final double JITTER = 1.2;

    private final Candidate candidate;
    private final ElectionSettings settings;
    private final Stopwatch stopwatch;
    private final RandomGenerator dice;
    private final Pause pause;
    private final Office office;
    private final Consumer<String> reports;

    private volatile boolean stopped;
    private volatile long lastLookNanos;
    private @Nullable Thread thread;

    /// The term that the office was told of. Only the campaign's thread touches it.
    private @Nullable Mandate current;

    private String lastReport = "";

    /// Whoever works while he is elected.
    public interface Office {

        void elected(Mandate mandate);

        void dismissed();
    }

    public Campaign(
            Candidate candidate,
            ElectionSettings settings,
            Stopwatch stopwatch,
            RandomGenerator dice,
            Pause pause,
            Office office,
            Consumer<String> reports) {
        this.candidate = candidate;
        this.settings = settings;
        this.stopwatch = stopwatch;
        this.dice = dice;
        this.pause = pause;
        this.office = office;
        this.reports = reports;
        this.lastLookNanos = stopwatch.nanos();
    }

    public void begin() {
        thread = Thread.ofVirtual().name("campaign").start(this::run);
    }

    private void run() {
        // Ends: when the campaign is stopped.
        while (!stopped) {
            var standing = look();
            lastLookNanos = stopwatch.nanos();
            tell(standing);
            try {
                pause.pause(untilNextLook(standing));
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private Standing look() {
        try {
            var standing = candidate.attempt();
            lastReport = "";
            return standing;
        } catch (DatastoreException | UnreadableDocumentException failed) {
            reportOnce("cannot stand for election: " + failed.getMessage());
            return candidate.underWay();
        }
    }

    private void tell(Standing standing) {
        switch (standing) {
            case Standing.Leading(var mandate) -> {
                if (mandate != current) {
                    dismiss();
                    current = mandate;
                    reports.accept(settings.identity() + " leads");
                    office.elected(mandate);
                }
            }
            case Standing.Waiting(var holder) -> {
                dismiss();
                if (!holder.isEmpty()) {
                    reportOnce("waiting: %s leads".formatted(holder));
                }
            }
        }
    }

    private void dismiss() {
        if (current != null) {
            current = null;
            office.dismissed();
            reports.accept(settings.identity() + " leads no more");
        }
    }

    private void reportOnce(String sentence) {
        if (!sentence.equals(lastReport)) {
            lastReport = sentence;
            reports.accept(sentence);
        }
    }

    private Duration untilNextLook(Standing standing) {
        long retry = settings.retryPeriod().toNanos();
        return switch (standing) {
            case Standing.Leading _ -> Duration.ofNanos(retry);
            case Standing.Waiting _ ->
                    Duration.ofNanos(retry + dice.nextLong((long) (JITTER * retry) + 1));
        };
    }

    /// How long ago the candidate last looked, successfully or not.
    public Duration sinceLastLook() {
        return Duration.ofNanos(stopwatch.nanos() - lastLookNanos);
    }

    /// Ends the campaign and the term. The office is dismissed when this returns.
    public void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        candidate.endTerm();
        dismiss();
    }

    /// Lets the next one take the office at once. The campaign was stopped, and nobody writes any more.
    public void vacate() {
        try {
            candidate.vacate();
        } catch (DatastoreException | UnreadableDocumentException failed) {
            reports.accept("the lease was not given up and expires: " + failed.getMessage());
        }
    }
}
