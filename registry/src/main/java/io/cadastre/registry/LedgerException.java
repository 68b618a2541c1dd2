package io.cadastre.registry;

/// A ledger entry cannot be read.
public final class LedgerException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final long number;
    private final String reason;

    public LedgerException(long number, String reason) {
        super("ledger entry %d cannot be read: %s".formatted(number, reason));
        this.number = number;
        this.reason = reason;
    }

    public long number() {
        return number;
    }

    public String reason() {
        return reason;
    }
}
