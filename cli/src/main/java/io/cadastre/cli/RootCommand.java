package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// `cadastre` itself, and the options that every command has.
@Command(
        name = "cadastre",
        scope = ScopeType.INHERIT,
        description = "IP address manager: assigns addresses and records who holds them and why.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        descriptionHeading = "%n",
        parameterListHeading = "%nArguments:%n",
        footerHeading = "%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed: an error in the store, the machine or the program",
            "2:wrong usage: nothing was read or written",
            "3:refused, or gave up after repeated write conflicts"
        },
        footer = {
            "Examples:",
            "  cadastre apply -f pool.yaml",
            "  cadastre ipam assign --node node-1",
            "  cadastre ipam show --show-blocks",
            "  cadastre node-cidr add node-1 --cluster-cidr 10.244.0.0/16",
            "  cadastre explain node-cidr add node-2 --cluster-cidr 10.244.0.0/16",
            "  cadastre node-cidr show",
            "  cadastre who 10.244.0.7",
            "  cadastre history --node node-1"
        })
final class RootCommand implements Callable<Integer> {

    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Print the stack trace of an error.")
    private boolean verbose;

    RootCommand(CommandContext context) {
        this.context = context;
    }

    boolean verbose() {
        return verbose;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(context.out());
        return ExitCode.DONE;
    }
}
