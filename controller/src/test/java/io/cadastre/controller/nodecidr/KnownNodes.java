package io.cadastre.controller.nodecidr;

import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.engine.nodecidr.NodeCidrFlags;
import io.cadastre.engine.nodecidr.NodeCidrSetup;
import io.cadastre.engine.nodecidr.NodeEntry;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.List;
import java.util.TreeMap;

/// Nodes and configurations in the words of tests.
final class KnownNodes {

    private KnownNodes() {}

    /// A Node as it was at a revision.
    static NodeObject node(String name, long revision, String... podCidrs) {
        return new NodeObject(NodeEntry.of(name, List.of(podCidrs)), new TreeMap<>(), revision);
    }

    /// One of several Nodes that have a name one after the other.
    static NodeObject nodeWithUid(String name, String uid, long revision) {
        return new NodeObject(new NodeEntry(name, List.of(), false, uid), new TreeMap<>(), revision);
    }

    /// A Node whose deletion has begun.
    static NodeObject terminating(String name, long revision, String... podCidrs) {
        return new NodeObject(new NodeEntry(name, List.of(podCidrs), true), new TreeMap<>(), revision);
    }

    static NodeCidrConfig cluster(String clusterCidr) {
        return config(NodeCidrFlags.forCluster(clusterCidr));
    }

    static NodeCidrConfig config(NodeCidrFlags flags) {
        if (NodeCidrSetup.from(flags) instanceof NodeCidrSetup.Configured(var config, var _)) {
            return config;
        }
        throw new AssertionError(flags);
    }
}
