package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Subdivision;
import io.cadastre.engine.Because;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What the flags of a controller come to where a cloud has a say.
public sealed interface CloudSetup {

    /// `--cidr-allocator-type` of [CloudEngine].
    String CLOUD_ALLOCATOR = "CloudAllocator";

    /// `--cidr-allocator-type` of [SyncMode#FROM_CLUSTER].
    String IPAM_FROM_CLUSTER = "IPAMFromCluster";

    /// `--cidr-allocator-type` of [SyncMode#FROM_CLOUD].
    String IPAM_FROM_CLOUD = "IPAMFromCloud";

    /// The only `--cloud-provider` that these modes know, as upstream.
    String GCE = "gce";

    /// `--cloud-provider` of a cluster whose cloud another process looks after.
    String EXTERNAL = "external";

    /// The alias ranges are copied, whatever they are.
    record Follow() implements CloudSetup {}

    /// Nodes and alias ranges are brought together within a cluster CIDR.
    ///
    /// @param config of the first cluster CIDR alone
    /// @param because what an operator should know although it is not an error
    record Sync(SyncMode mode, NodeCidrConfig config, List<Because> because) implements CloudSetup {
        public Sync {
            because = List.copyOf(because);
        }
    }

    /// The allocator type is another one, which needs no cloud.
    record WithoutCloud() implements CloudSetup {}

    /// Node CIDRs are not to be given at all.
    record SwitchedOff() implements CloudSetup {}

    /// They break a rule.
    ///
    /// @param errors a sentence for each broken rule; of those that concern the cluster only the first
    record Rejected(List<String> errors) implements CloudSetup {
        public Rejected {
            errors = List.copyOf(errors);
        }
    }

    /// Reads the flags by the rules that upstream had up to 1.30, in its order and words.
    ///
    /// @param provider `--cloud-provider` as it was given
    static CloudSetup from(NodeCidrFlags flags, String provider) {
        return switch (flags.cidrAllocatorType()) {
            case CLOUD_ALLOCATOR, IPAM_FROM_CLUSTER, IPAM_FROM_CLOUD -> ofCloud(flags, provider);
            default -> new WithoutCloud();
        };
    }

    private static CloudSetup ofCloud(NodeCidrFlags flags, String provider) {
        var type = flags.cidrAllocatorType();
        var others = flags.withAllocatorType(NodeCidrFlags.RANGE_ALLOCATOR);
        var errors = NodeCidrSetup.errorsWithoutBlocks(others);
        boolean options = NodeCidrSetup.from(others.withAllocation(false)) instanceof NodeCidrSetup.SwitchedOff;
        if (options && !flags.allocateNodeCidrs()) {
            return new SwitchedOff();
        }
        if (options && (provider.isEmpty() || provider.equals(EXTERNAL))) {
            return new Rejected(List.of(
                    "--cidr-allocator-type is set to '%s' but cloud provider is not configured".formatted(type)));
        }
        if (!errors.isEmpty()) {
            return new Rejected(errors);
        }
        return type.equals(CLOUD_ALLOCATOR) ? follow(provider) : sync(others, type, provider);
    }

    private static CloudSetup follow(String provider) {
        return provider.equals(GCE)
                ? new Follow()
                : new Rejected(List.of("cloudCIDRAllocator does not support %s provider".formatted(provider)));
    }

    private static CloudSetup sync(NodeCidrFlags flags, String type, String provider) {
        return switch (NodeCidrSetup.from(flags)) {
            case NodeCidrSetup.Rejected(var errors) -> new Rejected(errors);
            case NodeCidrSetup.SwitchedOff _, NodeCidrSetup.WithoutClusters _ -> new SwitchedOff();
            case NodeCidrSetup.Configured(var config, var because) -> {
                if (!provider.equals(GCE)) {
                    yield new Rejected(List.of(
                            "cloud IPAM controller does not support %s provider".formatted(GoWords.quoted(provider))));
                }
                var mode = type.equals(IPAM_FROM_CLUSTER) ? SyncMode.FROM_CLUSTER : SyncMode.FROM_CLOUD;
                var first = new NodeCidrConfig(config.clusters().subList(0, 1), config.serviceRanges());
                yield new Sync(mode, first, remarks(config.clusters(), because));
            }
        };
    }

    private static List<Because> remarks(List<Subdivision> clusters, List<? extends Because> because) {
        var remarks = new ArrayList<Because>(because);
        if (clusters.size() > 1) {
            remarks.add(new CloudReason.Discarded(clusters.stream()
                    .skip(1)
                    .map(cluster -> cluster.whole().toString())
                    .collect(Collectors.joining(", "))));
        }
        return remarks;
    }
}
