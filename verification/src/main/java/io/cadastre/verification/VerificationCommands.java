package io.cadastre.verification;

import io.cadastre.cli.CommandProvider;
import io.cadastre.cli.Surroundings;

import java.util.List;

/// Brings the simulator and the benchmarks to the command line.
public final class VerificationCommands implements CommandProvider {

    @Override
    public List<Object> commands(Surroundings surroundings) {
        return List.of(new SimulateCommand(surroundings), new BenchCommand(surroundings));
    }
}
