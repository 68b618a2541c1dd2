package io.cadastre.engine.nodecidr.clustercidr;

import java.util.List;

/// What a controller found at its start.
///
/// @param unusable the ClusterCIDRs out of which nothing can be given
/// @param refused the nodes whose CIDRs fit no ClusterCIDR, or cannot be read. The controller in
///     Kubernetes does not start on these; the one with the CustomResourceDefinition reports them
public record Bootstrap(List<Registration.Unusable> unusable, List<NodeBlocks.Refused> refused) {
    public Bootstrap {
        unusable = List.copyOf(unusable);
        refused = List.copyOf(refused);
    }
}
