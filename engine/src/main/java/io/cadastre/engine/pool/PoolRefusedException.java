package io.cadastre.engine.pool;

/// Ends a decision in the making. It never leaves this package.
public final class PoolRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient PoolRefusal refusal;

    public PoolRefusedException(PoolRefusal refusal) {
        super(refusal.sentence(), null, false, false);
        this.refusal = refusal;
    }

    PoolRefusal refusal() {
        return refusal;
    }
}
