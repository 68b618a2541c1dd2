package io.cadastre.verification.simulation.runtime;

import java.util.List;

/// What a simulation that ended well consisted of.
///
/// @param history what happened, a line for each event
/// @param states how many states the store had
public record Report(long seed, List<String> history, int requests, int events, int faults, int states) {

    public Report {
        history = List.copyOf(history);
    }

    public boolean struck(Fault fault) {
        return history.stream().anyMatch(line -> line.endsWith("FAULT " + fault));
    }
}
