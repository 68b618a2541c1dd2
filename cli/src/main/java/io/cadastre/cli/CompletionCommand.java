package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash and zsh.",
        footer = {
            "Examples:",
            "  source <(cadastre completion)",
            "  cadastre completion > /etc/bash_completion.d/cadastre"
        })
final class CompletionCommand implements Callable<Integer> {

    private final CommandContext context;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    CompletionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.out().print(AutoComplete.bash("cadastre", spec.root().commandLine()));
        return ExitCode.DONE;
    }
}
