package io.cadastre.verification.simulation.runtime;

/// The end of a simulated process, thrown into each of its threads at its next store call.
public final class Crash extends Error {

    private static final long serialVersionUID = 1;

    public Crash() {
        super("the process has crashed", null, false, false);
    }
}
