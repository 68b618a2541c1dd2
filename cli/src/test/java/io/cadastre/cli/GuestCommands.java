package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Commands that come from another jar.
public final class GuestCommands implements CommandProvider {

    @Override
    public List<Object> commands(CommandContext context) {
        return List.of(new Guest(context));
    }

    @Command(
            name = "guest",
            description = "Say a word, or fail.",
            footer = {"Examples:", "  cadastre guest hello"})
    private static final class Guest implements Callable<Integer> {

        private final CommandContext context;

        @Parameters(paramLabel = "WORD")
        private String word = "";

        private Guest(CommandContext context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            if (word.equals("fail")) {
                throw new IllegalStateException("two lines\nin one message");
            }
            context.out().println(word);
            return ExitCode.REFUSED;
        }
    }
}
