package io.cadastre.controller.election;

import io.cadastre.controller.election.LeaderElector.Leadership;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.registry.Pause;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A leader elector on its own thread: it looks again and again, and reports when a term begins and when it
/// is over.
public final class LeaderElectionLoop {

    /// So that waiting electors do not all look at the same moment.
    private static final double JITTER = 1.2;

    private final LeaderElector elector;
    private final ElectionSettings settings;
    private final MonotonicClock stopwatch;
    private final RandomGenerator dice;
    private final Pause pause;
    private final LeaderCallbacks office;
    private final Consumer<String> reports;

    private volatile boolean stopped;
    private volatile long lastLookNanos;
    private @Nullable Thread thread;

    /// The term that the callbacks were called with. Only the loop's thread touches it.
    private @Nullable LeaderTerm current;

    private String lastReport = "";

    /// What works while the elector leads.
    public interface LeaderCallbacks {

        void elected(LeaderTerm term);

        void dismissed();
    }

    public LeaderElectionLoop(
            LeaderElector elector,
            ElectionSettings settings,
            MonotonicClock stopwatch,
            RandomGenerator dice,
            Pause pause,
            LeaderCallbacks office,
            Consumer<String> reports) {
        this.elector = elector;
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
        // Ends: when the loop is stopped.
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

    private Leadership look() {
        try {
            var standing = elector.attempt();
            lastReport = "";
            return standing;
        } catch (DatastoreException | UnreadableDocumentException failed) {
            if (!stopped) {
                reportOnce("cannot stand for election: " + failed.getMessage());
            }
            return elector.underWay();
        }
    }

    private void tell(Leadership standing) {
        switch (standing) {
            case Leadership.Leading(var term) -> {
                if (term != current) {
                    dismiss();
                    current = term;
                    reports.accept(settings.identity() + " leads");
                    office.elected(term);
                }
            }
            case Leadership.Waiting(var holder) -> {
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
            reports.accept(settings.identity() + " no longer leads");
        }
    }

    private void reportOnce(String sentence) {
        if (!sentence.equals(lastReport)) {
            lastReport = sentence;
            reports.accept(sentence);
        }
    }

    private Duration untilNextLook(Leadership standing) {
        long retry = settings.retryPeriod().toNanos();
        return switch (standing) {
            case Leadership.Leading _ -> Duration.ofNanos(retry);
            case Leadership.Waiting _ -> Duration.ofNanos(retry + dice.nextLong((long) (JITTER * retry) + 1));
        };
    }

    /// How long ago the elector last looked, successfully or not.
    public Duration sinceLastLook() {
        return Duration.ofNanos(stopwatch.nanos() - lastLookNanos);
    }

    /// Ends the loop and the term. The callbacks have been dismissed when this returns.
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
        elector.endTerm();
        dismiss();
    }

    /// Lets another elector take the lease at once. The loop was stopped, and this process does not write
    /// any more.
    public void vacate() {
        try {
            elector.vacate();
        } catch (DatastoreException | UnreadableDocumentException failed) {
            reports.accept("the lease was not released and will expire: " + failed.getMessage());
        }
    }
}
