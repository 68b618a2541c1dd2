package io.cadastre.cli;

import io.cadastre.wire.cni.CniVerb;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.util.List;
import java.util.Optional;

/// What container runtimes call.
@Command(
        name = "cni",
        description = {
            "Install the plugins that container runtimes call, and call them as a runtime does."
        })
final class CniCommand {

    static CommandLine with(Surroundings surroundings, List<String> arguments) {
        var table =
                new CommandTable(arguments)
                        .with("install", () -> new CniInstall(surroundings))
                        .with("upgrade", () -> new CniUpgrade(surroundings));
        for (var verb : CniVerb.values()) {
            describe(verb)
                    .ifPresent(
                            words ->
                                    table.with(
                                            CniDeed.name(verb),
                                            () -> CniDeed.command(surroundings, verb, words)));
        }
        return table.addTo(new CommandLine(new CniCommand()));
    }

    private static Optional<String> describe(CniVerb verb) {
        return switch (verb) {
            case ADD -> Optional.of("Attach a namespace to a network, and print the result.");
            case CHECK -> Optional.of("Check that a namespace is attached as it was told.");
            case DEL ->
                    Optional.of("Detach a namespace. It may be gone, or never have been there.");
            case GC -> Optional.of("Detach everything that is remembered of a network.");
            case STATUS -> Optional.of("Ask whether a network can attach anything now.");
            case VERSION -> Optional.empty();
        };
    }
}
