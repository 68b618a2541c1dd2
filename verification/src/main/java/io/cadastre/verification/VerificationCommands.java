package io.cadastre.verification;

import io.cadastre.cli.CommandProvider;
import io.cadastre.cli.command.CommandContext;
import java.util.List;

/// Brings the simulator and the benchmarks to the command line.
public final class VerificationCommands implements CommandProvider {

    @Override
    public List<Object> commands(CommandContext context) {
        return List.of(new SimulateCommand(context), new BenchCommand(context));
    }
}
