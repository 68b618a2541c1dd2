package io.cadastre.verification.simulation.runtime;

/// What one thread of a simulated process asks. It outlives the process.
///
/// @param <W> what the process has open
@FunctionalInterface
public interface ThreadRequests<W> {

    /// Draws a request and asks it.
    void askNext(W world);

    /// After the last request.
    default void end(W world) {}
}
