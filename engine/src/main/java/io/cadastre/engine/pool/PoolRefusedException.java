package io.cadastre.engine.pool;

/// Ends a decision in the making. It never leaves this package.
final class PoolRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient PoolRefusal refusal;

    PoolRefusedException(PoolRefusal refusal) {
        super(refusal.sentence(), null, false, false);
        this.refusal = refusal;
    }

    PoolRefusal refusal() {
        return refusal;
    }
}
