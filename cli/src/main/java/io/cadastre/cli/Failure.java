package io.cadastre.cli;

import io.cadastre.agent.AgentException;
import io.cadastre.cli.command.CommandRefusedException;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.datastore.DatastoreException;
import io.cadastre.linux.LinuxException;
import io.cadastre.registry.LedgerException;
import io.cadastre.registry.UnrecordedException;
import io.cadastre.registry.UnsettledException;
import io.cadastre.wire.calico.UnparsableEntryException;
import io.cadastre.wire.cni.CniException;
import io.cadastre.wire.json.UnreadableDocumentException;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The report of an exception to the operator: an exit code, one sentence, and hints.
record Failure(int exitCode, String sentence, List<String> hints) {

    Failure {
        sentence = sentence.strip().replaceAll("\\s*\\R\\s*", " ");
        hints = List.copyOf(hints);
    }

    static Failure of(Throwable thrown, CommandLine command) {
        return switch (thrown) {
            case UnmatchedArgumentException unmatched ->
                new Failure(ExitCode.WRONG_USAGE, words(unmatched), List.of(hint(unmatched, command)));
            case ParameterException wrong ->
                new Failure(ExitCode.WRONG_USAGE, words(wrong).replaceFirst("^Error: ", ""), List.of(see(command)));
            case UsageException wrong -> new Failure(ExitCode.WRONG_USAGE, words(wrong), List.of(see(command)));
            case UnsettledException unsettled ->
                new Failure(unsettled.perhapsDone() ? ExitCode.FAILED : ExitCode.REFUSED, words(unsettled), List.of());
            case UnrecordedException unrecorded -> new Failure(ExitCode.FAILED, words(unrecorded), List.of());
            case CommandRefusedException refused -> new Failure(ExitCode.REFUSED, words(refused), List.of());
            case UnparsableEntryException document -> new Failure(ExitCode.FAILED, words(document), List.of());
            case DatastoreException store -> new Failure(ExitCode.FAILED, words(store), List.of());
            case UncheckedIOException file -> new Failure(ExitCode.FAILED, words(file), List.of());
            case CniException cni -> new Failure(ExitCode.FAILED, cni.error().sentence(), List.of());
            case LinuxException system -> new Failure(ExitCode.FAILED, words(system), List.of());
            case AgentException agent -> new Failure(ExitCode.FAILED, words(agent), List.of());
            case LedgerException ledger -> new Failure(ExitCode.FAILED, words(ledger), List.of());
            case UnreadableDocumentException document -> new Failure(ExitCode.FAILED, words(document), List.of());
            default ->
                new Failure(
                        ExitCode.FAILED, "this is a bug in cadastre: %s; -v shows where".formatted(thrown), List.of());
        };
    }

    private static String words(Exception thrown) {
        return String.valueOf(thrown.getMessage());
    }

    private static String words(UnmatchedArgumentException unmatched) {
        var argument = unmatched.getUnmatched().getFirst();
        if (unmatched.isUnknownOption()) {
            return "unknown option '%s'".formatted(argument);
        }
        return unmatched.getCommandLine().getSubcommands().isEmpty()
                ? "unexpected argument '%s'".formatted(argument)
                : "unknown command '%s'".formatted(argument);
    }

    private static String hint(UnmatchedArgumentException unmatched, CommandLine command) {
        var suggestions = unmatched.getSuggestions();
        return suggestions.isEmpty()
                ? see(command)
                : "Did you mean %s? %s".formatted(String.join(" or ", suggestions), see(command));
    }

    private static String see(CommandLine command) {
        return "See '%s --help'.".formatted(command.getCommandSpec().qualifiedName());
    }
}
