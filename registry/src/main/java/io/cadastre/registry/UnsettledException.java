package io.cadastre.registry;

/// A request found no end within the attempts it has. Nothing is known to be wrong: asking again is
/// safe.
public final class UnsettledException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UnsettledException(String message) {
        super(message);
    }
}
