package io.cadastre.agent;

/// What the agent does when an answer is not delivered, for tests of plugins.
public final class Undelivered {

    private Undelivered() {}

    /// An answer that is waited for no longer.
    public static Withdrawal late() {
        return Withdrawal.ofAnswerBy(System.nanoTime());
    }

    public static void of(Withdrawal withdrawal) {
        withdrawal.carryOut();
    }
}
