package io.cadastre.controller.election;

/// A clock that never goes back and counts on while the process is stopped. Only differences mean
/// anything.
@FunctionalInterface
public interface MonotonicClock {

    long nanos();
}
