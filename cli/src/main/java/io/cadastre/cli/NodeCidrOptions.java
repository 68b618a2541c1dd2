package io.cadastre.cli;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrReason;
import io.cadastre.engine.nodecidr.NodeCidrSetup;

import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The flags of kube-controller-manager that concern node CIDRs, by their names there.
final class NodeCidrOptions {

    /// For questions that need no cluster: one block that no node can hold.
    static final NodeCidrConfig NO_CLUSTER =
            new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("0.0.0.0/32"), 32)), List.of());

    @Option(
            names = "--cluster-cidr",
            paramLabel = "CIDR[,CIDR]",
            defaultValue = "",
            description =
                    "The range that is cut into node CIDRs, or one of each family. The order is"
                            + " that of the CIDRs on a node.")
    private String clusterCidr = "";

    @Option(
            names = "--node-cidr-mask-size",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description =
                    "The length of a node CIDR; default 24 for IPv4, 64 for IPv6. Not with two"
                            + " ranges.")
    private int maskSize;

    @Option(
            names = "--node-cidr-mask-size-ipv4",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description = "The length of an IPv4 node CIDR; default 24.")
    private int maskSizeIpv4;

    @Option(
            names = "--node-cidr-mask-size-ipv6",
            paramLabel = "LENGTH",
            defaultValue = "0",
            description = "The length of an IPv6 node CIDR; default 64.")
    private int maskSizeIpv6;

    @Option(
            names = "--service-cluster-ip-range",
            paramLabel = "CIDR[,CIDR]",
            defaultValue = "",
            description = "The range of service addresses; no node is given any of it.")
    private String serviceRange = "";

    @Option(
            names = "--cidr-allocator-type",
            paramLabel = "TYPE",
            defaultValue = NodeCidrFlags.RANGE_ALLOCATOR,
            description = "Only ${DEFAULT-VALUE}.")
    private String allocatorType = "";

    @Option(
            names = "--allocate-node-cidrs",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Whether nodes are given CIDRs at all. Default here ${DEFAULT-VALUE}, since the"
                            + " command asks for one; in kube-controller-manager false.")
    private boolean allocate;

    @Option(
            names = "--configure-cloud-routes",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description = "Accepted and not used.")
    void configureCloudRoutes(boolean ignored) {}

    /// Whether any cluster is spoken of.
    boolean given() {
        return !clusterCidr.isEmpty();
    }

    /// What the flags come to, or nothing if they switch node CIDRs off. The operator is told what in them
    /// is not as it was written.
    ///
    /// @throws UsageException if they break a rule
    Optional<NodeCidrConfig> config(Surroundings surroundings) {
        var flags =
                new NodeCidrFlags(
                        allocate,
                        clusterCidr,
                        serviceRange,
                        maskSize,
                        maskSizeIpv4,
                        maskSizeIpv6,
                        allocatorType);
        return switch (NodeCidrSetup.from(flags)) {
            case NodeCidrSetup.Rejected(var errors) ->
                    throw new UsageException(String.join("; ", errors));
            case NodeCidrSetup.SwitchedOff _ -> Optional.empty();
            case NodeCidrSetup.Configured(var config, var because) -> {
                because.stream().map(NodeCidrReason::sentence).forEach(surroundings::warn);
                warnOfOtherSpelling(config, surroundings);
                yield Optional.of(config);
            }
        };
    }

    /// Tells that node CIDRs are switched off.
    static int refuse(Surroundings surroundings, List<String> nodes) {
        surroundings.complain(
                "%s: no CIDR is given, since --allocate-node-cidrs is false"
                        .formatted(String.join(", ", nodes)));
        return ExitCode.REFUSED;
    }

    private void warnOfOtherSpelling(NodeCidrConfig config, Surroundings surroundings) {
        var read =
                config.clusters().stream()
                        .map(cluster -> cluster.whole().toString())
                        .collect(Collectors.joining(","));
        if (!read.equals(clusterCidr.strip())) {
            surroundings.warn("--cluster-cidr %s is read as %s".formatted(clusterCidr, read));
        }
    }
}
