package io.cadastre.controller.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.controller.ControllerContext;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.wire.kubernetes.clustercidr.ClusterCidrGroup;
import java.util.List;
import java.util.Optional;

/// The settings of the node allocator.
///
/// @param writersMax how many Nodes are written at once
public record NodeIpamSettings(AllocatorType type, int writersMax) {

    /// How CIDRs are chosen.
    public sealed interface AllocatorType {

        /// Blocks of cluster CIDRs.
        record Range(NodeCidrConfig config) implements AllocatorType {}

        /// Blocks of ClusterCIDRs.
        ///
        /// @param group the API group whose ClusterCIDRs are used
        /// @param serviceRanges what no Node gets
        /// @param flags of which the default ClusterCIDR is made; empty if they name no cluster CIDR
        record ClusterCidrs(ClusterCidrGroup group, List<Prefix> serviceRanges, List<NodeCidrConfig> flags)
                implements AllocatorType {

            public ClusterCidrs {
                serviceRanges = List.copyOf(serviceRanges);
                flags = List.copyOf(flags);
            }

            public ClusterCidrs in(ClusterCidrGroup other) {
                return new ClusterCidrs(other, serviceRanges, flags);
            }

            Optional<NodeCidrConfig> config() {
                return flags.stream().findFirst();
            }
        }
    }

    public NodeIpamSettings {
        if (writersMax < 1) {
            throw new IllegalArgumentException("%d Nodes at once: at least 1".formatted(writersMax));
        }
    }

    public NodeIpamSettings with(AllocatorType other) {
        return new NodeIpamSettings(other, writersMax);
    }

    Allocator allocator(ControllerContext context) {
        return switch (type) {
            case AllocatorType.Range(var config) -> new RangeAllocator(config);
            case AllocatorType.ClusterCidrs clusterCidrs -> new ClusterCidrAllocator(context, clusterCidrs);
        };
    }
}
