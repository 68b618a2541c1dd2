package io.cadastre.agent;

/// What the agent does when nobody takes an answer, for tests of plugins.
public final class Undelivered {

    private Undelivered() {}

    public static void of(Withdrawal withdrawal) {
        withdrawal.carryOut();
    }
}
