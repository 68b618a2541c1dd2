package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.nodecidr.NodeCidrSetup;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/// The flags of kube-controller-manager that describe the ranges of a cluster.
final class ClusterOptions {

    @Option(
            names = "--cluster-cidr",
            paramLabel = "CIDR[,CIDR]",
            defaultValue = "",
            description = "Range to divide into node CIDRs, or one range per address family. The"
                    + " CIDRs of a node are in the same order.")
    private String clusterCidr = "";

    @Option(
            names = "--node-cidr-mask-size",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description =
                    "Prefix length of a node CIDR; default 24 for IPv4, 64 for IPv6. Not allowed with two ranges.")
    private int maskSize;

    @Option(
            names = "--node-cidr-mask-size-ipv4",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description = "Prefix length of an IPv4 node CIDR; default 24.")
    private int maskSizeIpv4;

    @Option(
            names = "--node-cidr-mask-size-ipv6",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description = "Prefix length of an IPv6 node CIDR; default 64.")
    private int maskSizeIpv6;

    @Option(
            names = "--service-cluster-ip-range",
            paramLabel = "CIDR[,CIDR]",
            defaultValue = "",
            description = "Range of service addresses, which is never assigned to nodes.")
    private String serviceRange = "";

    boolean blank() {
        return clusterCidr.isBlank();
    }

    NodeCidrFlags flags(boolean allocate, String allocatorType) {
        return new NodeCidrFlags(
                allocate, clusterCidr, serviceRange, maskSize, maskSizeIpv4, maskSizeIpv6, allocatorType);
    }

    /// The configuration of the flags, or empty if they switch node CIDRs off.
    ///
    /// @throws UsageException if they break a rule
    Optional<NodeCidrConfig> config(NodeCidrFlags flags, CommandContext context) {
        return switch (NodeCidrSetup.from(flags)) {
            case NodeCidrSetup.Rejected(var errors) -> throw new UsageException(String.join("; ", errors));
            case NodeCidrSetup.SwitchedOff _, NodeCidrSetup.WithoutClusters _ -> Optional.empty();
            case NodeCidrSetup.Configured(var config, var because) -> {
                because.stream().map(NodeCidrReason::sentence).forEach(context::warn);
                warnOfOtherSpelling(config, context);
                yield Optional.of(config);
            }
        };
    }

    /// What the flags say of ClusterCIDRs, or empty if they switch node CIDRs off.
    ///
    /// @throws UsageException if they break a rule
    Optional<AllocatorType.ClusterCidrs> clusterCidrs(boolean allocate, CommandContext context) {
        if (!blank()) {
            return config(flags(allocate, NodeCidrFlags.RANGE_ALLOCATOR), context)
                    .map(config -> new AllocatorType.ClusterCidrs(
                            ClusterCidrGroup.CUSTOM, config.serviceRanges(), List.of(config)));
        }
        return switch (NodeCidrSetup.withoutClusters(flags(allocate, NodeCidrFlags.RANGE_ALLOCATOR))) {
            case NodeCidrSetup.Rejected(var errors) -> throw new UsageException(String.join("; ", errors));
            case NodeCidrSetup.SwitchedOff _, NodeCidrSetup.Configured _ -> Optional.empty();
            case NodeCidrSetup.WithoutClusters(var serviceRanges, var because) -> {
                because.stream().map(NodeCidrReason::sentence).forEach(context::warn);
                yield Optional.of(new AllocatorType.ClusterCidrs(ClusterCidrGroup.CUSTOM, serviceRanges, List.of()));
            }
        };
    }

    private void warnOfOtherSpelling(NodeCidrConfig config, CommandContext context) {
        var read = config.clusters().stream()
                .map(known -> known.whole().toString())
                .collect(Collectors.joining(","));
        if (!read.equals(clusterCidr.strip())) {
            context.warn("--cluster-cidr %s is read as %s".formatted(clusterCidr, read));
        }
    }
}
