package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandTable;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Node CIDRs without a cluster.
@Command(
        name = "node-cidr",
        description = "Assign each node one prefix, the way the Kubernetes node IPAM controller does.")
public final class NodeCidrCommand {

    public static CommandLine with(CommandContext context, List<String> arguments) {
        return new CommandTable(arguments)
                .with("add", () -> new NodeCidrAdd(context))
                .with("remove", () -> new NodeCidrRemove(context))
                .with("show", () -> new NodeCidrShow(context))
                .addTo(new CommandLine(new NodeCidrCommand()));
    }
}
