package io.cadastre.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.concurrent.Callable;

/// Commands that come from another jar.
public final class GuestCommands implements CommandProvider {

    @Override
    public List<Object> commands(Surroundings surroundings) {
        return List.of(new Guest(surroundings));
    }

    @Command(
            name = "guest",
            description = "Say a word, or fail.",
            footer = {"Examples:", "  cadastre guest hello"})
    private static final class Guest implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(paramLabel = "WORD")
        private String word = "";

        private Guest(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (word.equals("fail")) {
                throw new IllegalStateException("two lines\nin one message");
            }
            surroundings.out().println(word);
            return ExitCode.REFUSED;
        }
    }
}
