package io.cadastre.registry;

import org.jspecify.annotations.Nullable;

/// A request found no end. Nothing is known to be wrong: asking again is safe.
public final class UnsettledException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean perhapsDone;

    public UnsettledException(String message) {
        super(message);
        this.perhapsDone = false;
    }

    /// The answer to an attempt was lost, so the request may have been served.
    public static UnsettledException perhapsDone(String message, @Nullable Throwable cause) {
        return new UnsettledException(message, cause);
    }

    private UnsettledException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.perhapsDone = true;
    }

    /// Whether the request may have been served all the same.
    public boolean perhapsDone() {
        return perhapsDone;
    }
}
