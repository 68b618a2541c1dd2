package io.cadastre.controller.nodecidr;

import io.cadastre.engine.nodecidr.NodeCidrConfig;
import io.cadastre.wire.kubernetes.NodeObject;
import java.util.Collection;

/// A block of each cluster CIDR for each Node.
record RangeAllocator(NodeCidrConfig config) implements Allocator {

    @Override
    public String component() {
        return "cidrAllocator";
    }

    @Override
    public String queue() {
        return "cidrallocator_node";
    }

    @Override
    public CidrLaw begin(Collection<NodeObject> nodes) {
        return new RangeLaw(config, nodes);
    }
}
