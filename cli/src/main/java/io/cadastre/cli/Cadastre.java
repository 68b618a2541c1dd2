package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;

/// The command line: all commands, and the one place where exceptions become sentences and exit
/// codes.
public final class Cadastre {

    /// Help is easier to read in lines of this length than in the full width of a screen.
    private static final int HELP_COLUMNS = 100;

    private Cadastre() {}

    /// Runs one command. Streams are flushed and nothing is left open.
    public static int run(Surroundings surroundings, String... arguments) {
        try {
            return commandLine(surroundings).execute(arguments);
        } finally {
            surroundings.out().flush();
            surroundings.err().flush();
        }
    }

    static CommandLine commandLine(Surroundings surroundings) {
        var root = new RootCommand(surroundings);
        var line = new CommandLine(root);
        line.addSubcommand(new UpCommand(surroundings));
        line.addSubcommand(new AgentCommand(surroundings));
        line.addSubcommand(new ControllerCommand(surroundings));
        line.addSubcommand(new ApplyCommand(surroundings));
        line.addSubcommand(new CreateCommand(surroundings));
        line.addSubcommand(new GetCommand(surroundings));
        line.addSubcommand(new DeleteCommand(surroundings));
        line.addSubcommand(IpamCommand.with(surroundings));
        line.addSubcommand(CniCommand.with(surroundings));
        line.addSubcommand(NodeCidrCommand.with(surroundings));
        line.addSubcommand(ExplainCommand.with(surroundings));
        line.addSubcommand(new HistoryCommand(surroundings));
        line.addSubcommand(LedgerCommand.with(surroundings));
        for (var provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands(surroundings).forEach(line::addSubcommand);
        }
        line.addSubcommand(new CompletionCommand(surroundings));
        line.setOut(writer(surroundings.out()));
        line.setErr(writer(surroundings.err()));
        line.setColorScheme(Help.defaultColorScheme(surroundings.colours() ? Ansi.ON : Ansi.OFF));
        line.setUsageHelpWidth(HELP_COLUMNS);
        line.setParameterExceptionHandler(
                (wrong, _) -> complain(surroundings, root, wrong, wrong.getCommandLine()));
        line.setExecutionExceptionHandler(
                (failed, command, _) -> complain(surroundings, root, failed, command));
        return line;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static int complain(
            Surroundings surroundings, RootCommand root, Exception thrown, CommandLine command) {
        var failure = Failure.of(thrown, command);
        surroundings.complain(failure.sentence());
        failure.hints().forEach(surroundings.err()::println);
        if (root.verbose()) {
            thrown.printStackTrace(surroundings.err());
        }
        return failure.exitCode();
    }
}
