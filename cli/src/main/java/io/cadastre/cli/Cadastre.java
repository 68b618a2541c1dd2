package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// The command line: all commands, and the one place where exceptions become sentences and exit
/// codes.
public final class Cadastre {

    /// Help is easier to read in lines of this length than in the full width of a screen.
    private static final int HELP_COLUMNS = 100;

    private Cadastre() {}

    /// Runs one command. Streams are flushed and nothing is left open.
    public static int run(Surroundings surroundings, String... arguments) {
        try {
            var words = spelledOut(List.of(arguments));
            if (words.equals(List.of("--version")) || words.equals(List.of("-V"))) {
                // Not worth a parser.
                surroundings.out().println(Version.sentence());
                return ExitCode.DONE;
            }
            return commandLine(surroundings, words).execute(words.toArray(String[]::new));
        } catch (StackOverflowError | OutOfMemoryError exhausted) {
            surroundings.complain(
                    "this takes more memory than there is: %s; give less at once, or more memory with JAVA_TOOL_OPTIONS=-Xmx…"
                            .formatted(exhausted));
            return ExitCode.FAILED;
        } catch (Error fatal) {
            surroundings.complain("this is a bug in cadastre: %s".formatted(fatal));
            return ExitCode.FAILED;
        } finally {
            surroundings.out().flush();
            surroundings.err().flush();
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
    static CommandLine commandLine(Surroundings surroundings, List<String> words) {
        var root = new RootCommand(surroundings);
        var line = new CommandLine(root);
        var table = new CommandTable(words);
        table.with("up", () -> new UpCommand(surroundings))
                .with("agent", () -> new AgentCommand(surroundings))
                .with("controller", () -> new ControllerCommand(surroundings))
                .with("apply", () -> new ApplyCommand(surroundings))
                .with("create", () -> new CreateCommand(surroundings))
                .with("get", () -> new GetCommand(surroundings))
                .with("delete", () -> new DeleteCommand(surroundings))
                .with("ipam", () -> IpamCommand.with(surroundings, table.after("ipam")))
                .with("cni", () -> CniCommand.with(surroundings, table.after("cni")))
                .with(
                        "node-cidr",
                        () -> NodeCidrCommand.with(surroundings, table.after("node-cidr")))
                .with("explain", () -> ExplainCommand.with(surroundings))
                .with("who", () -> new WhoCommand(surroundings))
                .with("history", () -> new HistoryCommand(surroundings))
                .with("ledger", () -> LedgerCommand.with(surroundings));
        table.addTo(line);
        if (!table.namesOne()) {
            for (var provider : ServiceLoader.load(CommandProvider.class)) {
                provider.commands(surroundings).forEach(line::addSubcommand);
            }
            line.addSubcommand(new CompletionCommand(surroundings));
        }
        line.registerConverter(Boolean.class, GoBoolean::convert);
        line.registerConverter(boolean.class, GoBoolean::convert);
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
