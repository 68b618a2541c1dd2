package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// What container runtimes call.
@Command(name = "cni", description = "Install the plugins that container runtimes call.")
final class CniCommand {

    static CommandLine with(Surroundings surroundings) {
        return new CommandLine(new CniCommand()).addSubcommand(new CniInstall(surroundings));
    }
}
