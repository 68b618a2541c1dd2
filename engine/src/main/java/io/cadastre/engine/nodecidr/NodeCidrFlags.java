package io.cadastre.engine.nodecidr;

/// The flags of kube-controller-manager that concern node CIDRs, as they were given.
///
/// @param allocateNodeCidrs `--allocate-node-cidrs`
/// @param clusterCidr `--cluster-cidr`
/// @param serviceClusterIpRange `--service-cluster-ip-range`
/// @param nodeCidrMaskSize `--node-cidr-mask-size`; zero is unset, as for the next two
/// @param nodeCidrMaskSizeIpv4 `--node-cidr-mask-size-ipv4`
/// @param nodeCidrMaskSizeIpv6 `--node-cidr-mask-size-ipv6`
/// @param cidrAllocatorType `--cidr-allocator-type`
public record NodeCidrFlags(
        boolean allocateNodeCidrs,
        String clusterCidr,
        String serviceClusterIpRange,
        int nodeCidrMaskSize,
        int nodeCidrMaskSizeIpv4,
        int nodeCidrMaskSizeIpv6,
        String cidrAllocatorType) {

    /// The allocator type that needs no cloud.
    public static final String RANGE_ALLOCATOR = "RangeAllocator";

    /// Allocation switched on for this cluster CIDR, and every other flag at its default.
    public static NodeCidrFlags forCluster(String clusterCidr) {
        return new NodeCidrFlags(true, clusterCidr, "", 0, 0, 0, RANGE_ALLOCATOR);
    }

    public NodeCidrFlags withAllocation(boolean allocate) {
        return new NodeCidrFlags(
                allocate,
                clusterCidr,
                serviceClusterIpRange,
                nodeCidrMaskSize,
                nodeCidrMaskSizeIpv4,
                nodeCidrMaskSizeIpv6,
                cidrAllocatorType);
    }

    public NodeCidrFlags withServiceRange(String range) {
        return new NodeCidrFlags(
                allocateNodeCidrs,
                clusterCidr,
                range,
                nodeCidrMaskSize,
                nodeCidrMaskSizeIpv4,
                nodeCidrMaskSizeIpv6,
                cidrAllocatorType);
    }

    public NodeCidrFlags withMaskSize(int size) {
        return new NodeCidrFlags(
                allocateNodeCidrs,
                clusterCidr,
                serviceClusterIpRange,
                size,
                nodeCidrMaskSizeIpv4,
                nodeCidrMaskSizeIpv6,
                cidrAllocatorType);
    }

    public NodeCidrFlags withMaskSizes(int sizeIpv4, int sizeIpv6) {
        return new NodeCidrFlags(
                allocateNodeCidrs,
                clusterCidr,
                serviceClusterIpRange,
                nodeCidrMaskSize,
                sizeIpv4,
                sizeIpv6,
                cidrAllocatorType);
    }

    public NodeCidrFlags withAllocatorType(String type) {
        return new NodeCidrFlags(
                allocateNodeCidrs,
                clusterCidr,
                serviceClusterIpRange,
                nodeCidrMaskSize,
                nodeCidrMaskSizeIpv4,
                nodeCidrMaskSizeIpv6,
                type);
    }
}
