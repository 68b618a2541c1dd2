package io.cadastre.engine.nodecidr.cloud;

import io.cadastre.address.Prefix;
import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrSetup;
import io.cadastre.engine.nodecidr.NodeEntry;
import java.util.List;

/// Nodes of a cloud, and what it answers.
final class CloudNodes {

    private CloudNodes() {}

    /// A node of a machine, which does not say yet that it has a network.
    static CloudNode aNode(String name, String... podCidrs) {
        return new CloudNode(NodeEntry.of(name, List.of(podCidrs)), "gce://p/z/" + name, "", false);
    }

    static CloudNode withNetwork(CloudNode node) {
        return new CloudNode(node.entry(), node.providerId(), "False", false);
    }

    static CloudNode withoutMachine(CloudNode node) {
        return new CloudNode(node.entry(), "", node.networkUnavailable(), node.tainted());
    }

    static AliasRanges ranges(String... ranges) {
        return new AliasRanges.Found(List.of(ranges));
    }

    static List<Prefix> cidrs(String... cidrs) {
        return List.of(cidrs).stream().map(Prefix::parse).toList();
    }

    static NodeCidrConfig config(String clusterCidr, String serviceRange) {
        var flags = NodeCidrFlags.forCluster(clusterCidr).withServiceRange(serviceRange);
        return switch (NodeCidrSetup.from(flags)) {
            case NodeCidrSetup.Configured(var config, var _) -> config;
            case NodeCidrSetup other -> throw new AssertionError("not configured: " + other);
        };
    }

    static SyncView view(SyncMode mode, String clusterCidr, CloudNode... nodes) {
        return switch (SyncView.begin(mode, config(clusterCidr, ""), List.of(nodes))) {
            case SyncView.Beginning.Ready ready -> ready.view();
            case SyncView.Beginning.Refused refused -> throw new AssertionError(refused.sentence());
        };
    }
}
