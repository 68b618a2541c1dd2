package io.cadastre.cli.cni;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandTable;
import io.cadastre.wire.cni.CniVerb;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// What container runtimes call.
@Command(
        name = "cni",
        description = {"Install the CNI plugins, and call them the way a container runtime does."})
public final class CniCommand {

    public static CommandLine with(CommandContext context, List<String> arguments) {
        var table = new CommandTable(arguments)
                .with("install", () -> new CniInstall(context))
                .with("upgrade", () -> new CniUpgrade(context));
        for (var verb : CniVerb.values()) {
            describe(verb)
                    .ifPresent(words ->
                            table.with(CniOperation.name(verb), () -> CniOperation.command(context, verb, words)));
        }
        return table.addTo(new CommandLine(new CniCommand()));
    }

    private static Optional<String> describe(CniVerb verb) {
        return switch (verb) {
            case ADD -> Optional.of("Attach a namespace to a network and print the result.");
            case CHECK -> Optional.of("Check that a namespace is attached as its cached result says.");
            case DEL ->
                Optional.of("Detach a namespace. Succeeds even if the namespace no longer"
                        + " exists or was never attached.");
            case GC -> Optional.of("Detach every attachment cached for a network.");
            case STATUS -> Optional.of("Check whether a network can attach namespaces now.");
            case VERSION -> Optional.empty();
        };
    }
}
