package io.cadastre.engine.pool;

import java.util.List;
import java.util.Optional;

/// Which pods a pool is for. What is not set restricts nothing, and names hide a selector of the same
/// thing.
///
/// @param networks names of network attachment definitions, with their namespace or without
public record PoolAffinity(
        Optional<LabelSelector> pods,
        List<String> nodeNames,
        Optional<LabelSelector> nodes,
        List<String> namespaceNames,
        Optional<LabelSelector> namespaces,
        List<String> networks) {

    /// For all pods.
    public static final PoolAffinity NONE =
            new PoolAffinity(Optional.empty(), List.of(), Optional.empty(), List.of(), Optional.empty(), List.of());

    public PoolAffinity {
        nodeNames = List.copyOf(nodeNames);
        namespaceNames = List.copyOf(namespaceNames);
        networks = List.copyOf(networks);
    }
}
