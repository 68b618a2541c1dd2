package io.cadastre.cli.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.nodecidr.NodeCidrSetup;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/// The flags of kube-controller-manager that concern node CIDRs, by their names there.
final class NodeCidrOptions {

    /// For questions that need no cluster, since a configuration has to have one: the smallest there is.
    /// It must not be given nodes.
    static final NodeCidrConfig NO_CLUSTER =
            new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("0.0.0.0/32"), 32)), List.of());

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

    @Option(
            names = "--cidr-allocator-type",
            paramLabel = "TYPE",
            defaultValue = NodeCidrFlags.RANGE_ALLOCATOR,
            description = "Only ${DEFAULT-VALUE} is supported.")
    private String allocatorType = "";

    @Option(
            names = "--allocate-node-cidrs",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether to assign CIDRs to nodes. Default: ${DEFAULT-VALUE}; in"
                    + " kube-controller-manager: false.")
    private boolean allocate;

    @Option(
            names = "--configure-cloud-routes",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description = "Accepted for compatibility and ignored.")
    void configureCloudRoutes(boolean ignored) {}

    /// The configuration of the flags, or nothing if none of them is given, for commands that do without.
    ///
    /// @throws UsageException if they break a rule, or are given without a cluster
    Optional<NodeCidrConfig> configIfGiven(CommandContext context) {
        if (flags().equals(NodeCidrFlags.forCluster(""))) {
            return Optional.empty();
        }
        if (clusterCidr.isBlank()) {
            throw new UsageException("flags that describe a cluster require --cluster-cidr");
        }
        return config(context);
    }

    /// The configuration of the flags, or nothing if they switch node CIDRs off. Where it differs from what
    /// was typed, the operator gets a warning.
    ///
    /// @throws UsageException if they break a rule
    Optional<NodeCidrConfig> config(CommandContext context) {
        return switch (NodeCidrSetup.from(flags())) {
            case NodeCidrSetup.Rejected(var errors) -> throw new UsageException(String.join("; ", errors));
            case NodeCidrSetup.SwitchedOff _ -> Optional.empty();
            case NodeCidrSetup.Configured(var config, var because) -> {
                because.stream().map(NodeCidrReason::sentence).forEach(context::warn);
                warnOfOtherSpelling(config, context);
                yield Optional.of(config);
            }
        };
    }

    private NodeCidrFlags flags() {
        return new NodeCidrFlags(
                allocate, clusterCidr, serviceRange, maskSize, maskSizeIpv4, maskSizeIpv6, allocatorType);
    }

    /// Reports that node CIDRs are switched off.
    static int refuse(CommandContext context, List<String> nodes) {
        context.complain(
                "%s: no CIDR is assigned, since --allocate-node-cidrs is false".formatted(String.join(", ", nodes)));
        return ExitCode.REFUSED;
    }

    private void warnOfOtherSpelling(NodeCidrConfig config, CommandContext context) {
        var read = config.clusters().stream()
                .map(cluster -> cluster.whole().toString())
                .collect(Collectors.joining(","));
        if (!read.equals(clusterCidr.strip())) {
            context.warn("--cluster-cidr %s is read as %s".formatted(clusterCidr, read));
        }
    }
}
