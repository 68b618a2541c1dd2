package io.cadastre.cli.ipam;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.CommandTable;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Addresses from blocks leased to nodes.
@Command(name = "ipam", description = "Manage addresses in blocks leased to nodes, the way Calico does.")
public final class IpamCommand {

    public static CommandLine with(CommandContext context, List<String> arguments) {
        return new CommandTable(arguments)
                .with("assign", () -> new IpamAssign(context))
                .with("release", () -> new IpamRelease(context))
                .with("release-handle", () -> new IpamReleaseHandle(context))
                .with("show", () -> new IpamShow(context))
                .with("check", () -> new IpamCheck(context))
                .with("configure", () -> new IpamConfigure(context))
                .with("split", () -> new IpamSplit(context))
                .with("collect", () -> new IpamCollect(context))
                .with("adopt", () -> new IpamAdopt(context))
                .addTo(new CommandLine(new IpamCommand()));
    }
}
