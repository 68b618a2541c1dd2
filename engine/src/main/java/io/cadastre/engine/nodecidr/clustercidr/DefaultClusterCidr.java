package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Family;
import io.cadastre.address.Subdivision;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import java.util.Optional;

/// The ClusterCIDR that stands for the flags `--cluster-cidr` and `--node-cidr-mask-size…`.
///
/// One number of host bits serves both families, while the flags have a mask for each. So the result may
/// have other masks than the flags, and with the default masks of a dual-stack cluster it usually has too
/// many IPv6 blocks to be used.
final class DefaultClusterCidr {

    private static final int HOST_BITS_MIN = 4;

    private DefaultClusterCidr() {}

    static ClusterCidr of(NodeCidrConfig config) {
        var spec = new ClusterCidrSpec(
                hostBits(config), cidr(config, Family.IPV4), cidr(config, Family.IPV6), new NodeSelector.Absent());
        return ClusterCidr.of(ClusterCidr.DEFAULT_NAME, spec);
    }

    private static int hostBits(NodeCidrConfig config) {
        var ipv4 = find(config, Family.IPV4).map(DefaultClusterCidr::hostBits);
        var ipv6 = find(config, Family.IPV6).map(DefaultClusterCidr::hostBits);
        if (ipv4.isPresent() && ipv6.isPresent()) {
            return shared(ipv4.get(), ipv6.get());
        }
        return Math.max(HOST_BITS_MIN, ipv4.or(() -> ipv6).orElseThrow());
    }

    private static int shared(int ipv4, int ipv6) {
        if (ipv4 >= HOST_BITS_MIN && ipv4 <= ipv6) {
            return ipv4;
        }
        return ipv6 >= HOST_BITS_MIN && ipv6 <= Family.IPV4.bits() ? ipv6 : HOST_BITS_MIN;
    }

    private static int hostBits(Subdivision cluster) {
        return cluster.whole().family().bits() - cluster.partLength();
    }

    private static String cidr(NodeCidrConfig config, Family family) {
        return find(config, family).map(cluster -> cluster.whole().toString()).orElse("");
    }

    private static Optional<Subdivision> find(NodeCidrConfig config, Family family) {
        return config.clusters().stream()
                .filter(cluster -> cluster.whole().family() == family)
                .findFirst();
    }
}
