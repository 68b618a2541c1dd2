package io.cadastre.cli.nodecidr;

import io.cadastre.cloud.google.GoogleCloudConfig;
import io.cadastre.controller.nodecidr.NodeIpamSettings;
import io.cadastre.controller.nodecidr.cloud.CloudIpamSettings;

/// What the options of the node allocator come to.
public sealed interface NodeAllocation {

    /// Nodes get blocks of ranges that the cluster has.
    record Blocks(NodeIpamSettings settings) implements NodeAllocation {}

    /// Nodes have alias ranges of their machines.
    record Aliases(CloudIpamSettings settings, GoogleCloudConfig cloud) implements NodeAllocation {}
}
