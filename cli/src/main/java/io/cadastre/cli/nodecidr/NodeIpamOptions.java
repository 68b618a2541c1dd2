package io.cadastre.cli.nodecidr;

import io.cadastre.cli.command.CommandContext;
import io.cadastre.cli.command.UsageException;
import io.cadastre.cloud.google.CloudConfigException;
import io.cadastre.cloud.google.GoogleCloudConfig;
import io.cadastre.controller.nodecidr.NodeIpamSettings;
import io.cadastre.controller.nodecidr.NodeIpamSettings.AllocatorType;
import io.cadastre.controller.nodecidr.cloud.CloudIpamSettings;
import io.cadastre.controller.nodecidr.cloud.CloudIpamSettings.Kind;
import io.cadastre.datastore.kubernetes.KubernetesSettings.Rate;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.cloud.CloudSetup;
import io.cadastre.engine.nodecidr.cloud.SyncBackoff;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of the node allocator in a controller, by their names in kube-controller-manager.
public final class NodeIpamOptions {

    private static final String MULTI_CIDR = "MultiCIDRRangeAllocator";

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--allocate-node-cidrs",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Whether node-ipam-controller assigns CIDRs to Nodes of a Kubernetes API; default"
                    + " ${DEFAULT-VALUE}.")
    private boolean allocate;

    @Option(
            names = "--cidr-allocator-type",
            paramLabel = "TYPE",
            defaultValue = NodeCidrFlags.RANGE_ALLOCATOR,
            description = {
                "How node CIDRs are chosen; default ${DEFAULT-VALUE}.",
                "RangeAllocator: the next block of each --cluster-cidr.",
                "MultiCIDRRangeAllocator: a block of the ClusterCIDR that suits the Node best; --cluster-cidr"
                        + " makes the ClusterCIDR 'default-cluster-cidr'.",
                "CloudAllocator: the alias ranges of the machine, as they are in the cloud.",
                "IPAMFromCluster, IPAMFromCloud: alias ranges and node CIDRs are made equal, in this direction."
            })
    private String allocatorType = "";

    @Option(
            names = "--cloud-provider",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Cloud that the last three types ask: gce.")
    private String cloudProvider = "";

    @Option(
            names = "--cloud-config",
            paramLabel = "FILE",
            defaultValue = "",
            description = "Configuration of the cloud, in the format of kube-controller-manager.")
    private String cloudConfig = "";

    @Option(
            names = "--configure-cloud-routes",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "true",
            fallbackValue = "true",
            description = "Accepted for compatibility and ignored.")
    void configureCloudRoutes(boolean ignored) {}

    @Option(
            names = "--concurrent-node-cidrs",
            paramLabel = "NUMBER",
            defaultValue = "30",
            description = "Nodes that are written at once; default ${DEFAULT-VALUE}, as in kube-controller-manager.")
    private int writers;

    @Option(
            names = "--kube-api-qps",
            paramLabel = "NUMBER",
            defaultValue = "20",
            description = "Requests per second that write Nodes and their events; default ${DEFAULT-VALUE}.")
    private int qps;

    @Option(
            names = "--kube-api-burst",
            paramLabel = "NUMBER",
            defaultValue = "30",
            description = "Requests that may be sent at once after a pause; default ${DEFAULT-VALUE}.")
    private int burst;

    /// What is to be done, or empty if no node CIDRs are to be assigned.
    ///
    /// @throws UsageException if the options break a rule
    public Optional<NodeAllocation> allocation(CommandContext context) {
        checkPositive("--concurrent-node-cidrs", writers);
        checkPositive("--kube-api-qps", qps);
        checkPositive("--kube-api-burst", burst);
        return switch (CloudSetup.from(cluster.flags(allocate, allocatorType), cloudProvider)) {
            case CloudSetup.WithoutCloud _ ->
                type(context).map(type -> new NodeAllocation.Blocks(new NodeIpamSettings(type, writers)));
            case CloudSetup.SwitchedOff _ -> Optional.empty();
            case CloudSetup.Rejected(var errors) -> throw new UsageException(String.join("; ", errors));
            case CloudSetup.Follow _ -> Optional.of(aliases(new Kind.Follow(), context));
            case CloudSetup.Sync sync -> {
                sync.because().stream().map(Because::sentence).forEach(context::warn);
                yield Optional.of(aliases(new Kind.Sync(sync, SyncBackoff.DEFAULT), context));
            }
        };
    }

    private NodeAllocation aliases(Kind kind, CommandContext context) {
        var settings = new CloudIpamSettings(kind, writers);
        settings.fault().ifPresent(fault -> {
            throw new UsageException(fault);
        });
        if (cloudConfig.isEmpty()) {
            throw new UsageException("--cloud-provider %s needs --cloud-config FILE".formatted(cloudProvider));
        }
        try {
            var metadata = context.environment().getOrDefault("GCE_METADATA_HOST", GoogleCloudConfig.METADATA_HOST);
            return new NodeAllocation.Aliases(settings, GoogleCloudConfig.read(Path.of(cloudConfig), metadata));
        } catch (CloudConfigException | InvalidPathException unusable) {
            throw new UsageException("--cloud-config: " + unusable.getMessage());
        }
    }

    private Optional<? extends AllocatorType> type(CommandContext context) {
        return allocatorType.equals(MULTI_CIDR)
                ? cluster.clusterCidrs(allocate, context)
                : cluster.config(cluster.flags(allocate, allocatorType), context)
                        .map(AllocatorType.Range::new);
    }

    /// How fast Nodes are written.
    public Rate rate() {
        return new Rate(qps, burst);
    }

    private static void checkPositive(String option, int number) {
        if (number < 1) {
            throw new UsageException("%s %d is not allowed; give at least 1".formatted(option, number));
        }
    }
}
