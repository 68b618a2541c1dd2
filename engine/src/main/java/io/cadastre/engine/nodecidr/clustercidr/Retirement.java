package io.cadastre.engine.nodecidr.clustercidr;

/// What a look at a ClusterCIDR came to that is being deleted.
public sealed interface Retirement {

    /// It is not used any more, and may vanish.
    record Retired(String name) implements Retirement {}

    /// Nodes still have blocks of it.
    record InUse(String name, int nodes) implements Retirement {

        /// A sentence without a full stop.
        public String sentence() {
            return "ClusterCIDRSet %s marked as terminating, won't be deleted until all associated nodes are deleted"
                    .formatted(name);
        }
    }
}
