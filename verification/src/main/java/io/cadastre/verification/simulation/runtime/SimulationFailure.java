package io.cadastre.verification.simulation.runtime;

import io.cadastre.registry.Fact;
import io.cadastre.registry.Ledger;
import java.util.List;
import java.util.stream.Collectors;

/// A simulation in which something was not as it must be, with all that is needed to see why.
public final class SimulationFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final long seed;

    SimulationFailure(
            long seed, String dialect, AssertionError failure, List<String> history, List<Ledger.Recorded> ledger) {
        super(message(seed, dialect, failure, history, ledger), failure);
        this.seed = seed;
    }

    public long seed() {
        return seed;
    }

    private static String message(
            long seed, String dialect, AssertionError failure, List<String> history, List<Ledger.Recorded> ledger) {
        return """
            seed %d: %s
            replay: ./cadastre simulate --seed %d --dialect %s
            history:
            %s
            ledger:
            %s\
            """.formatted(
                        seed,
                        failure.getMessage(),
                        seed,
                        dialect,
                        String.join("\n", history),
                        ledger.stream().map(SimulationFailure::line).collect(Collectors.joining("\n")));
    }

    private static String line(Ledger.Recorded recorded) {
        var entry = recorded.entry();
        return "%5d %s attempt %d revision %d: %s -> %s because %s"
                .formatted(
                        recorded.number(),
                        entry.at(),
                        entry.attempt(),
                        entry.revision(),
                        entry.request(),
                        entry.outcome().words(),
                        entry.because().stream().map(Fact::words).toList());
    }
}
