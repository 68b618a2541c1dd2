package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Decisions that are not enacted.
@Command(
        name = "explain",
        description = "Show what a command would decide and why. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain ipam assign --node node-1",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.244.0.0/16"
        })
final class ExplainCommand {

    @Command(name = "node-cidr", description = "Explain a decision about node CIDRs.")
    private static final class NodeCidr {}

    @Command(name = "ipam", description = "Explain a decision about blocks and addresses.")
    private static final class Ipam {}

    static CommandLine with(Surroundings surroundings) {
        return new CommandLine(new ExplainCommand())
                .addSubcommand(
                        new CommandLine(new Ipam())
                                .addSubcommand(new ExplainIpamAssign(surroundings)))
                .addSubcommand(
                        new CommandLine(new NodeCidr())
                                .addSubcommand(new ExplainNodeCidrAdd(surroundings)));
    }
}
