package io.cadastre.engine.block.collect;

import io.cadastre.address.Prefix;

/// An address that is no longer in use.
///
/// @param sequence the number at which it was given
/// @param node where it was used
public record Leak(LeakTracker.Allocation allocation, Prefix block, long sequence, String node, Origin origin) {

    /// Why it is leaked.
    public enum Origin {
        /// Its pod is gone for longer than the grace.
        POD_GONE,
        /// Its node is gone.
        NODE_GONE,
        /// It was a tunnel of a node that is gone.
        TUNNEL_OF_GONE_NODE
    }
}
