package io.cadastre.engine.nodecidr;

import io.cadastre.address.Prefix;
import io.cadastre.address.Subdivision;
import java.util.List;

/// What a cluster was configured with.
///
/// @param clusters the cluster CIDRs and their node masks, one or one of each family; their order is
///     that of the CIDRs on a node
/// @param serviceRanges the primary and the secondary one, as far as they were given and readable
public record NodeCidrConfig(List<Subdivision> clusters, List<Prefix> serviceRanges) {

    /// One for each family.
    static final int CLUSTERS_MAX = 2;

    public NodeCidrConfig {
        clusters = List.copyOf(clusters);
        serviceRanges = List.copyOf(serviceRanges);
        if (clusters.isEmpty() || clusters.size() > CLUSTERS_MAX) {
            throw new IllegalArgumentException("there are one or two cluster CIDRs, not %d".formatted(clusters.size()));
        }
        if (clusters.stream()
                        .map(cluster -> cluster.whole().family())
                        .distinct()
                        .count()
                < clusters.size()) {
            throw new IllegalArgumentException("two cluster CIDRs are of different families");
        }
        clusters.forEach(CidrSet::checkSize);
    }
}
