package io.cadastre.engine.nodecidr.clustercidr;

import io.cadastre.address.Prefix;
import java.util.List;

/// Blocks that are being written to a node. They are used, and not yet known to be the node's.
///
/// @param uid that of the node
public record Reservation(String node, String uid, List<Prefix> blocks, String clusterCidr) {

    public Reservation {
        blocks = List.copyOf(blocks);
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("nothing is reserved for node %s".formatted(node));
        }
    }

    Reservation withUid(String other) {
        return new Reservation(node, other, blocks, clusterCidr);
    }

    NodeHold confirmed() {
        return new NodeHold(node, uid, blocks, clusterCidr);
    }
}
