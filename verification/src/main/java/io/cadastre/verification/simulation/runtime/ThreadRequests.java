package io.cadastre.verification.simulation.runtime;

/// What the requests of one thread are. How many there are is not known here.
///
/// @param <W> what the process has open
@FunctionalInterface
public interface ThreadRequests<W> {

    /// Draws a request and asks it.
    void askNext(W world);

    /// After the last request.
    default void end(W world) {}
}
