package io.cadastre.agent;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// What is to be undone if the answer to a call does not arrive: the caller then takes the call for failed,
/// and a failed ADD must leave nothing behind. It belongs to the thread of its call.
public final class Withdrawal {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private final List<Runnable> steps = new ArrayList<>();
    private final Supplier<Duration> left;

    /// The answer is waited for however long it takes.
    public Withdrawal() {
        this(() -> FOREVER);
    }

    private Withdrawal(Supplier<Duration> left) {
        this.left = left;
    }

    /// The answer is waited for until then, by the clock that never jumps.
    static Withdrawal ofAnswerBy(long deadlineNanos) {
        return new Withdrawal(() -> Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
    }

    /// How long the answer is still waited for. Later it cannot arrive.
    public Duration left() {
        return left.get();
    }

    /// This too is to be undone, before what was noted earlier.
    public void add(Runnable step) {
        steps.add(step);
    }

    /// The answer did not arrive: undoes all of it, what came last first.
    public void carryOut() {
        steps.reversed().forEach(Runnable::run);
        steps.clear();
    }
}
