package io.cadastre.cli.command;

import io.cadastre.wire.kubernetes.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/// The name of this node.
public final class NodeOption {

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    @Option(
            names = "--node",
            paramLabel = "NODE",
            defaultValue = "",
            description = "Name of this node; default: the host name.")
    private String node = "";

    /// The name of the node.
    ///
    /// @throws UsageException if it is not a valid node name
    public String name() {
        var name = node.isEmpty() ? hostName() : node;
        NodeName.fault(name).ifPresent(fault -> {
            throw new UsageException(fault);
        });
        return name;
    }

    /// The name of this machine, as Calico makes a node's from it.
    private static String hostName() {
        try {
            return Files.readString(HOST_NAME).strip().toLowerCase(Locale.ROOT);
        } catch (IOException unreadable) {
            throw new UsageException("cannot determine the host name; set --node");
        }
    }
}
