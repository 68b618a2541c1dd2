package io.cadastre.verification.simulation.runtime;

/// How much a process asks.
///
/// @param requestsEach how many requests each thread asks, one after the other
public record ProcessLoad(int threads, int requestsEach) {

    public ProcessLoad withRequestsEach(int count) {
        return new ProcessLoad(threads, count);
    }
}
