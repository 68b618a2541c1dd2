package io.cadastre.cli;

import io.cadastre.cli.cni.CniCommand;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandTable;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.GoBoolean;
import io.cadastre.cli.history.HistoryCommand;
import io.cadastre.cli.history.LedgerCommand;
import io.cadastre.cli.history.WhoCommand;
import io.cadastre.cli.ipam.IpamCommand;
import io.cadastre.cli.nodecidr.NodeCidrCommand;
import io.cadastre.cli.resource.ApplyCommand;
import io.cadastre.cli.resource.CreateCommand;
import io.cadastre.cli.resource.DeleteCommand;
import io.cadastre.cli.resource.GetCommand;
import io.cadastre.cli.run.AgentCommand;
import io.cadastre.cli.run.ControllerCommand;
import io.cadastre.cli.run.UpCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/// The command line: all commands, and the one place that turns exceptions into sentences and exit codes.
public final class Cadastre {

    /// Help is easier to read in lines of this length than in the full width of a screen.
    private static final int HELP_COLUMNS = 100;

    private Cadastre() {}

    /// Runs one command. Streams are flushed and nothing is left open.
    public static int run(CommandContext context, String... arguments) {
        try {
            var words = spelledOut(List.of(arguments));
            if (words.equals(List.of("--version")) || words.equals(List.of("-V"))) {
                // Not worth a parser.
                context.out().println(Version.sentence());
                return ExitCode.DONE;
            }
            return commandLine(context, words).execute(words.toArray(String[]::new));
        } catch (StackOverflowError | OutOfMemoryError exhausted) {
            context.complain("out of memory: %s; process less at once, or raise the limit with JAVA_TOOL_OPTIONS=-Xmx…"
                    .formatted(exhausted));
            return ExitCode.FAILED;
        } catch (Error fatal) {
            context.complain("this is a bug in cadastre: %s".formatted(fatal));
            return ExitCode.FAILED;
        } finally {
            context.out().flush();
            context.err().flush();
        }
    }

    /// `help ipam show` means `ipam show --help`.
    private static List<String> spelledOut(List<String> arguments) {
        return !arguments.isEmpty() && arguments.getFirst().equals("help")
                ? Stream.concat(arguments.stream().skip(1), Stream.of("--help")).toList()
                : arguments;
    }

    /// @param words the arguments; commands that they do not call may be missing from the answer. None to
    ///     have all commands.
    static CommandLine commandLine(CommandContext context, List<String> words) {
        var root = new RootCommand(context);
        var line = new CommandLine(root);
        var table = new CommandTable(words);
        table.with("up", () -> new UpCommand(context))
                .with("agent", () -> new AgentCommand(context))
                .with("controller", () -> new ControllerCommand(context))
                .with("apply", () -> new ApplyCommand(context))
                .with("create", () -> new CreateCommand(context))
                .with("get", () -> new GetCommand(context))
                .with("delete", () -> new DeleteCommand(context))
                .with("ipam", () -> IpamCommand.with(context, table.after("ipam")))
                .with("cni", () -> CniCommand.with(context, table.after("cni")))
                .with("node-cidr", () -> NodeCidrCommand.with(context, table.after("node-cidr")))
                .with("explain", () -> ExplainCommand.with(context))
                .with("who", () -> new WhoCommand(context))
                .with("history", () -> new HistoryCommand(context))
                .with("ledger", () -> LedgerCommand.with(context));
        table.addTo(line);
        if (!table.namesOne()) {
            for (var provider : ServiceLoader.load(CommandProvider.class)) {
                provider.commands(context).forEach(line::addSubcommand);
            }
            line.addSubcommand(new CompletionCommand(context));
        }
        line.registerConverter(Boolean.class, GoBoolean::convert);
        line.registerConverter(boolean.class, GoBoolean::convert);
        line.setOut(writer(context.out()));
        line.setErr(writer(context.err()));
        line.setColorScheme(Help.defaultColorScheme(context.colours() ? Ansi.ON : Ansi.OFF));
        line.setUsageHelpWidth(HELP_COLUMNS);
        line.setParameterExceptionHandler((wrong, _) -> complain(context, root, wrong, wrong.getCommandLine()));
        line.setExecutionExceptionHandler((failed, command, _) -> complain(context, root, failed, command));
        return line;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    private static int complain(CommandContext context, RootCommand root, Exception thrown, CommandLine command) {
        var failure = Failure.of(thrown, command);
        context.complain(failure.sentence());
        for (var other : thrown.getSuppressed()) {
            context.complain(String.valueOf(other.getMessage()));
        }
        failure.hints().forEach(context.err()::println);
        if (root.verbose()) {
            thrown.printStackTrace(context.err());
        }
        return failure.exitCode();
    }
}
