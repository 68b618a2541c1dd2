package io.cadastre.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

@Command(
        name = "completion",
        description = "Print a script that completes commands and options in bash and zsh.",
        footer = {
            "Examples:",
            "  source <(cadastre completion)",
            "  cadastre completion > /etc/bash_completion.d/cadastre"
        })
final class CompletionCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Spec private CommandSpec spec = CommandSpec.create();

    CompletionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        surroundings.out().print(AutoComplete.bash("cadastre", spec.root().commandLine()));
        return ExitCode.DONE;
    }
}
