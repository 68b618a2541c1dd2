package io.cadastre.registry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The pause before an attempt to commit. For one thread at a time.
///
/// Rivals for the same documents conflict again unless they pause. The pause is random up to a bound that
/// every conflict doubles and every success halves, and the bound outlasts the request: a winner that went on
/// without a pause would win again and again, and the rivals that wait longer after each loss would starve. So
/// all rivals come to about the same bound, and about every other attempt succeeds, however many there are.
///
/// The first bound is what an attempt took: rivals whose pauses differ by less meet again. A long bound is for long
/// attempts alone, since the last of many rivals waits for none.
final class ConflictBackoff {

    /// The least bound of a pause that is made at all.
    private static final Duration BOUND_MIN = Duration.ofMillis(1);

    /// A longer bound is at most this many times what an attempt takes.
    private static final int ATTEMPTS_MAX = 8;

    private static final Duration SHORT_BOUND_MAX = Duration.ofMillis(200);

    private final Duration boundMax;
    private final RandomGenerator dice;
    private final Pause pause;

    /// Zero if there are no rivals.
    private long boundNanos;

    ConflictBackoff(Duration boundMax, RandomGenerator dice, Pause pause) {
        this.boundMax = boundMax;
        this.dice = dice;
        this.pause = pause;
    }

    void shorten() {
        boundNanos /= 2;
        if (boundNanos < BOUND_MIN.toNanos() / 2) {
            boundNanos = 0;
        }
    }

    /// @param attempt how long the attempt took that met the conflict
    void lengthen(Duration attempt) {
        long least = Math.max(BOUND_MIN.toNanos(), attempt.toNanos());
        long most = Math.min(boundMax.toNanos(), Math.max(SHORT_BOUND_MAX.toNanos(), ATTEMPTS_MAX * attempt.toNanos()));
        boundNanos = Math.min(most, Math.max(least, 2 * boundNanos));
    }

    /// Pauses if there are rivals. Returns whether it was interrupted.
    boolean pause() {
        if (boundNanos == 0) {
            return false;
        }
        try {
            pause.pause(Duration.ofNanos(dice.nextLong(boundNanos + 1)));
            return false;
        } catch (InterruptedException interrupted) {
            return true;
        }
    }
}
