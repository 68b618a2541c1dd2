package io.cadastre.verification.simulation.runtime;

/// What one thread of a simulated process asks, one after the other. It outlives the process: after a
/// crash it goes on with what it has left to ask.
///
/// @param <O> the front of the registrar that it asks
public interface NodeCidrScript<O> {

    String name();

    boolean finished();

    void perform(O client);
}
