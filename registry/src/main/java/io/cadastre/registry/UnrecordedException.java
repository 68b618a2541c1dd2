package io.cadastre.registry;

/// A request was served and saved, and the ledger could not be written. The store has what was decided;
/// the history does not.
public final class UnrecordedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnrecordedException(String message, Throwable cause) {
        super(message, cause);
    }
}
