package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.UsageException;
import io.cadastre.wire.kubernetes.NodeName;
import java.util.List;
import picocli.CommandLine.Parameters;

/// The nodes that a command is about.
final class NodeNames {

    @Parameters(paramLabel = "NODE", arity = "1..*", description = "Names of nodes.")
    private List<String> names = List.of();

    /// Each name once, in the order given.
    List<String> checked() {
        names.forEach(NodeNames::check);
        return names.stream().distinct().toList();
    }

    static void check(String name) {
        NodeName.fault(name).ifPresent(fault -> {
            throw new UsageException(fault);
        });
    }

    /// The only name, for an option that is about one node.
    String single(String option) {
        if (names.size() != 1) {
            throw new UsageException("%s takes one node, not %d".formatted(option, names.size()));
        }
        return names.getFirst();
    }
}
