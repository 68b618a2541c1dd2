package io.cadastre.engine.nodecidr.cloud;

/// Which side is copied to the other.
public enum SyncMode {
    /// The CIDR of the node becomes an alias range of its machine (`IPAMFromCluster`).
    FROM_CLUSTER("SyncFromCluster"),

    /// The alias range of the machine becomes the CIDR of its node (`IPAMFromCloud`).
    FROM_CLOUD("SyncFromCloud");

    private final String upstreamName;

    SyncMode(String upstreamName) {
        this.upstreamName = upstreamName;
    }

    /// What upstream calls it in events and errors.
    public String upstreamName() {
        return upstreamName;
    }
}
