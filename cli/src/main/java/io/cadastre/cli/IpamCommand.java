package io.cadastre.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.util.List;

/// Addresses from blocks leased to nodes.
@Command(
        name = "ipam",
        description = "Give addresses from blocks that are leased to nodes, the way Calico does.")
final class IpamCommand {

    static CommandLine with(Surroundings surroundings, List<String> arguments) {
        return new CommandTable(arguments)
                .with("assign", () -> new IpamAssign(surroundings))
                .with("release", () -> new IpamRelease(surroundings))
                .with("release-handle", () -> new IpamReleaseHandle(surroundings))
                .with("show", () -> new IpamShow(surroundings))
                .with("check", () -> new IpamCheck(surroundings))
                .with("configure", () -> new IpamConfigure(surroundings))
                .with("split", () -> new IpamSplit(surroundings))
                .with("collect", () -> new IpamCollect(surroundings))
                .with("adopt", () -> new IpamAdopt(surroundings))
                .addTo(new CommandLine(new IpamCommand()));
    }
}
