package io.cadastre.registry;

import org.jspecify.annotations.Nullable;

/// A request found no end. Nothing is known to be wrong: asking again is safe.
public final class UnsettledException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /// Why it found none.
    public enum Reason {
        /// Too many requests wait for their turn.
        QUEUE_FULL,
        /// Each of its attempts met a conflict or a lost answer.
        ATTEMPTS,
        /// Its message says it.
        OTHER
    }

    private final boolean perhapsDone;
    private final Reason reason;

    public UnsettledException(String message) {
        this(message, null, false, Reason.OTHER);
    }

    /// The answer to an attempt was lost, so the request may have been served.
    public static UnsettledException perhapsDone(String message, @Nullable Throwable cause) {
        return new UnsettledException(message, cause, true, Reason.OTHER);
    }

    private UnsettledException(String message, @Nullable Throwable cause, boolean perhapsDone, Reason reason) {
        super(message, cause);
        this.perhapsDone = perhapsDone;
        this.reason = reason;
    }

    UnsettledException because(Reason other) {
        return new UnsettledException(String.valueOf(getMessage()), getCause(), perhapsDone, other);
    }

    /// Whether the request may have been served all the same.
    public boolean perhapsDone() {
        return perhapsDone;
    }

    public Reason reason() {
        return reason;
    }
}
