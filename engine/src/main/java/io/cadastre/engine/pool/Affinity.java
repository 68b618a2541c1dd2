package io.cadastre.engine.pool;

import java.util.List;
import java.util.Optional;

/// Whom a pool is for. Whatever is not told restricts nobody, and names hide a selector of the same thing.
///
/// @param networks names of network attachment definitions, with their namespace or without
public record Affinity(
        Optional<LabelSelector> pods,
        List<String> nodeNames,
        Optional<LabelSelector> nodes,
        List<String> namespaceNames,
        Optional<LabelSelector> namespaces,
        List<String> networks) {

    /// For everybody.
    public static final Affinity NONE =
            new Affinity(
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of());

    public Affinity {
        nodeNames = List.copyOf(nodeNames);
        namespaceNames = List.copyOf(namespaceNames);
        networks = List.copyOf(networks);
    }
}
