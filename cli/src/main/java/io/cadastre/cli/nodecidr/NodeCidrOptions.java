package io.cadastre.cli.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.ExitCode;
import io.cadastre.cli.command.UsageException;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The flags of kube-controller-manager that concern node CIDRs, by their names there.
final class NodeCidrOptions {

    /// Stands in where no cluster is needed, since a configuration must have one: the smallest there is. It must
    /// not be used to add nodes.
    static final NodeCidrConfig NO_CLUSTER =
            new NodeCidrConfig(List.of(new Subdivision(Prefix.parse("0.0.0.0/32"), 32)), List.of());

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

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

    /// The configuration of the flags, or empty if none is given, for commands that work without them.
    ///
    /// @throws UsageException if they break a rule, or are given without a cluster
    Optional<NodeCidrConfig> configIfGiven(CommandContext context) {
        if (flags().equals(NodeCidrFlags.forCluster(""))) {
            return Optional.empty();
        }
        if (cluster.blank()) {
            throw new UsageException("flags that describe a cluster require --cluster-cidr");
        }
        return config(context);
    }

    /// The configuration of the flags, or empty if they switch node CIDRs off. Where it differs from the
    /// typed text, the operator gets a warning.
    ///
    /// @throws UsageException if they break a rule
    Optional<NodeCidrConfig> config(CommandContext context) {
        return cluster.config(flags(), context);
    }

    private NodeCidrFlags flags() {
        return cluster.flags(allocate, allocatorType);
    }

    /// Reports that node CIDRs are switched off.
    static int refuse(CommandContext context, List<String> nodes) {
        context.complain(
                "%s: no CIDR is assigned, since --allocate-node-cidrs is false".formatted(String.join(", ", nodes)));
        return ExitCode.REFUSED;
    }
}
