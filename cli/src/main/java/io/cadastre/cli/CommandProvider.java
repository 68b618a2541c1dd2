package io.cadastre.cli;

import io.cadastre.cli.command.CommandContext;
import java.util.List;

/// Adds commands to the command line.
///
/// A jar that has commands names its provider in `META-INF/services/io.cadastre.cli.CommandProvider` and
/// lies on the class path; without such a jar its commands do not exist. A command is an object with
/// picocli's `@Command` that implements `Callable<Integer>` and returns an
/// [io.cadastre.cli.command.ExitCode]. It prints to the streams of the context and not to `System.out`, and
/// throws what it cannot answer: exceptions become one sentence and an exit code in one place for all
/// commands. The options `-h` and `-v` are added to it.
public interface CommandProvider {

    /// The commands, in the order in which the help lists them.
    List<Object> commands(CommandContext context);
}
