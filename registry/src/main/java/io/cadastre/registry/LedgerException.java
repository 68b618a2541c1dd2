package io.cadastre.registry;

/// A ledger entry cannot be read.
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String reason;

    public LedgerException(long number, String reason) {
        super("ledger entry %d cannot be read: %s".formatted(number, reason));
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
