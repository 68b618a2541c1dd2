package io.cadastre.cli;

import io.cadastre.cli.cni.ExplainCniAdd;
import io.cadastre.cli.cni.ExplainPod;
import io.cadastre.cli.cni.ExplainSpiderpoolAdd;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.ipam.ExplainIpamAssign;
import io.cadastre.cli.nodecidr.ExplainNodeCidrAdd;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Decisions that are not carried out.
@Command(
        name = "explain",
        description = "Show what a command would decide and why. Nothing is written.",
        footer = {
            "Examples:",
            "  cadastre explain pod shop/web-0",
            "  cadastre explain ipam assign --node node-1",
            "  cadastre explain spiderpool add shop/web-0 --nic net1",
            "  cadastre explain node-cidr add node-1 --cluster-cidr 10.244.0.0/16"
        })
final class ExplainCommand {

    @Command(name = "node-cidr", description = "Explain a decision about node CIDRs.")
    private static final class NodeCidr {}

    @Command(name = "cni", description = "Explain which addresses a CNI plugin would get.")
    private static final class Cni {}

    @Command(name = "ipam", description = "Explain a decision about blocks and addresses.")
    private static final class Ipam {}

    @Command(name = "spiderpool", description = "Explain which addresses of Spiderpool's pools a pod would get.")
    private static final class Pools {}

    static CommandLine with(CommandContext context) {
        return new CommandLine(new ExplainCommand())
                .addSubcommand(new ExplainPod(context))
                .addSubcommand(new CommandLine(new Cni()).addSubcommand(new ExplainCniAdd(context)))
                .addSubcommand(new CommandLine(new Ipam()).addSubcommand(new ExplainIpamAssign(context)))
                .addSubcommand(new CommandLine(new NodeCidr()).addSubcommand(new ExplainNodeCidrAdd(context)))
                .addSubcommand(new CommandLine(new Pools()).addSubcommand(new ExplainSpiderpoolAdd(context)));
    }
}
