package io.cadastre.cli;

import io.cadastre.wire.kubernetes.NodeName;

import picocli.CommandLine.Parameters;

import java.util.List;

/// The nodes that a command is about.
final class NodeNames {

    @Parameters(paramLabel = "NODE", arity = "1..*", description = "The names of nodes.")
    private List<String> names = List.of();

    /// Each name once, in the order given.
    List<String> checked() {
        for (var name : names) {
            NodeName.fault(name)
                    .ifPresent(
                            fault -> {
                                throw new UsageException(fault);
                            });
        }
        return names.stream().distinct().toList();
    }

    /// The only name, for an option that is about one node.
    String single(String option) {
        if (names.size() != 1) {
            throw new UsageException(
                    "%s is about one node, not %d".formatted(option, names.size()));
        }
        return names.getFirst();
    }
}
