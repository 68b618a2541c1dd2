package io.cadastre.cli.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/// The subcommands of a command, in the order in which the help lists them.
///
/// Building a command reads the annotations of its class, and building all takes longer than most commands run.
/// So a command that is called by its name is built alone; the others are built for help, for completion and to
/// suggest a name for a misspelt one.
public final class CommandTable {

    private final List<String> arguments;
    private final Map<String, Supplier<Object>> commands = new LinkedHashMap<>();

    /// An empty table.
    ///
    /// @param arguments those that follow the command whose subcommands these are; none to have all built
    public CommandTable(List<String> arguments) {
        this.arguments = List.copyOf(arguments);
    }

    /// Adds a subcommand, which the help lists last.
    ///
    /// @param command makes it, with the arguments that follow its name if it is called
    public CommandTable with(String name, Supplier<Object> command) {
        commands.put(name, command);
        return this;
    }

    /// Whether the arguments name one of these.
    public boolean namesOne() {
        return !arguments.isEmpty() && commands.containsKey(arguments.getFirst());
    }

    /// The arguments after the name of this subcommand; none if it is not the one that is called.
    public List<String> after(String name) {
        return !arguments.isEmpty() && arguments.getFirst().equals(name)
                ? arguments.subList(1, arguments.size())
                : List.of();
    }

    public CommandLine addTo(CommandLine parent) {
        boolean one = namesOne();
        commands.forEach((name, command) -> {
            if (!one || name.equals(arguments.getFirst())) {
                parent.addSubcommand(name, command.get());
            }
        });
        return parent;
    }
}
