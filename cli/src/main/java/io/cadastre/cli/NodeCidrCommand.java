package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Node CIDRs without a cluster.
@Command(
        name = "node-cidr",
        description =
                "Give each node one prefix, the way the Kubernetes node IPAM controller does.")
final class NodeCidrCommand {

    static CommandLine with(Surroundings surroundings) {
        return new CommandLine(new NodeCidrCommand())
                .addSubcommand(new NodeCidrAdd(surroundings))
                .addSubcommand(new NodeCidrRemove(surroundings))
                .addSubcommand(new NodeCidrShow(surroundings));
    }
}
