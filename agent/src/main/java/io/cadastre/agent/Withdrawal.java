package io.cadastre.agent;

import java.util.ArrayList;
import java.util.List;

/// What is to be undone if the answer to a call does not arrive: whoever called then takes it for failed,
/// and a failed ADD must leave nothing behind. It belongs to the thread of its call.
public final class Withdrawal {

    private final List<Runnable> steps = new ArrayList<>();

    /// This too is to be undone, before what was noted earlier.
    public void add(Runnable step) {
        steps.add(step);
    }

    void carryOut() {
        steps.reversed().forEach(Runnable::run);
        steps.clear();
    }
}
