package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/// Addresses from blocks leased to nodes.
@Command(
        name = "ipam",
        description = "Give addresses from blocks that are leased to nodes, the way Calico does.")
final class IpamCommand {

    static CommandLine with(Surroundings surroundings) {
        return new CommandLine(new IpamCommand())
                .addSubcommand(new IpamAssign(surroundings))
                .addSubcommand(new IpamRelease(surroundings))
                .addSubcommand(new IpamReleaseHandle(surroundings))
                .addSubcommand(new IpamShow(surroundings))
                .addSubcommand(new IpamCheck(surroundings))
                .addSubcommand(new IpamConfigure(surroundings))
                .addSubcommand(new IpamSplit(surroundings))
                .addSubcommand(new IpamCollect(surroundings));
    }
}
