package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.util.List;

/// Node CIDRs without a cluster.
@Command(
        name = "node-cidr",
        description =
                "Give each node one prefix, the way the Kubernetes node IPAM controller does.")
final class NodeCidrCommand {

    static CommandLine with(Surroundings surroundings, List<String> arguments) {
        return new CommandTable(arguments)
                .with("add", () -> new NodeCidrAdd(surroundings))
                .with("remove", () -> new NodeCidrRemove(surroundings))
                .with("show", () -> new NodeCidrShow(surroundings))
                .addTo(new CommandLine(new NodeCidrCommand()));
    }
}
