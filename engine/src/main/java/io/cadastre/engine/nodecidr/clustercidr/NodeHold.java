package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import java.util.List;

/// The CIDRs of a node, and the ClusterCIDR that they belong to.
///
/// @param uid distinguishes the node from another one that has or had the same name; empty if it has none
/// @param cidrs those that can be read
/// @param clusterCidr the name; empty if none was found that they fit
public record NodeHold(String node, String uid, List<Prefix> cidrs, String clusterCidr) {

    public NodeHold {
        cidrs = List.copyOf(cidrs);
    }

    public boolean associated() {
        return !clusterCidr.isEmpty();
    }

    NodeHold withoutAssociation() {
        return new NodeHold(node, uid, cidrs, "");
    }

    /// Whether a node of this uid is the one meant. Where a uid is missing the name decides.
    boolean sameNode(String otherUid) {
        return uid.isEmpty() || otherUid.isEmpty() || uid.equals(otherUid);
    }
}
