package io.cadastre.registry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// The pause before an attempt to commit. For one thread at a time.
///
/// Rivals for the same documents conflict again unless they pause. The pause is random up to a bound that
/// every conflict doubles and every success halves, and the bound outlasts the request: a winner that went on
/// without a pause would win again and again, and the rivals that wait longer after each loss would starve. So
/// all rivals come to about the same bound, and about every other attempt succeeds, however many there are.
final class ConflictBackoff {

    /// The least bound of a pause that is made at all.
    private static final Duration BOUND_MIN = Duration.ofMillis(1);

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

    void lengthen() {
        boundNanos = Math.min(boundMax.toNanos(), Math.max(BOUND_MIN.toNanos(), 2 * boundNanos));
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
