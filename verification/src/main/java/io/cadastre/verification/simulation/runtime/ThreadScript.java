package io.cadastre.verification.simulation.runtime;

/// What one thread of a simulated process does. It outlives the process, and goes on after a crash with what is left.
///
/// @param <W> what its process has open, which each life of the process opens anew
public interface ThreadScript<W> {

    String name();

    boolean finished();

    void perform(W world);
}
