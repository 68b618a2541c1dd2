package io.cadastre.cli.history;

import io.cadastre.cli.command.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The ledger as a whole.
@Command(name = "ledger", description = "Check and trim the history of decisions.")
public final class LedgerCommand {

    public static CommandLine with(CommandContext context) {
        return new CommandLine(new LedgerCommand())
                .addSubcommand(new LedgerVerify(context))
                .addSubcommand(new TrimCommand(context));
    }
}
