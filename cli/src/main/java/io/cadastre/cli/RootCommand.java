package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/// `cadastre` itself, and the options that every command has.
@Command(
        name = "cadastre",
        scope = ScopeType.INHERIT,
        description = "The register of who holds which address.",
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
            "1:failed: the store, the machine or the program",
            "2:wrong usage: nothing was read or written",
            "3:refused, or others were faster too often"
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

    private final Surroundings surroundings;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Show where an error comes from, with its stack trace.")
    private boolean verbose;

    RootCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    boolean verbose() {
        return verbose;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(surroundings.out());
        return ExitCode.DONE;
    }
}
