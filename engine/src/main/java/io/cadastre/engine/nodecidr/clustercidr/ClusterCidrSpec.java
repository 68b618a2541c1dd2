package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Family;
import java.util.ArrayList;
import java.util.List;

/// What a ClusterCIDR describes, as it is written. It never changes.
///
/// @param perNodeHostBits how many bits of an address tell the addresses of one node apart, in either family
/// @param ipv4 a CIDR; empty for none
/// @param ipv6 a CIDR; empty for none
public record ClusterCidrSpec(int perNodeHostBits, String ipv4, String ipv6, NodeSelector nodeSelector) {

    /// The CIDR of a family as it is written.
    String cidr(Family family) {
        return switch (family) {
            case IPV4 -> ipv4;
            case IPV6 -> ipv6;
        };
    }

    /// The families of which it has a CIDR, in the order in which a node lists its blocks.
    List<Family> families() {
        var families = new ArrayList<Family>();
        for (var family : Family.values()) {
            if (!cidr(family).isEmpty()) {
                families.add(family);
            }
        }
        return families;
    }

    /// The prefix length of a node's block.
    int nodeMask(Family family) {
        return family.bits() - perNodeHostBits;
    }
}
