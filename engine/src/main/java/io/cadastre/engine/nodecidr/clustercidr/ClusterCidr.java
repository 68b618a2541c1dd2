package io.cadastre.engine.nodecidr.clustercidr;

/// A ClusterCIDR as it stands in the cluster.
///
/// @param uid distinguishes it from another one that has or had the same name; empty if it has none
/// @param generation counts how often it was changed; zero where nothing counts
/// @param terminating whether its deletion has begun
/// @param finalizer whether it has the finalizer that keeps it until its nodes are gone
public record ClusterCidr(
        String name, String uid, long generation, ClusterCidrSpec spec, boolean terminating, boolean finalizer) {

    /// The name of the one that is made of flags.
    public static final String DEFAULT_NAME = "default-cluster-cidr";

    /// One that was just created.
    public static ClusterCidr of(String name, ClusterCidrSpec spec) {
        return new ClusterCidr(name, "", 0, spec, false, false);
    }

    public ClusterCidr withUid(String other) {
        return new ClusterCidr(name, other, generation, spec, terminating, finalizer);
    }

    public ClusterCidr withGeneration(long other) {
        return new ClusterCidr(name, uid, other, spec, terminating, finalizer);
    }

    public ClusterCidr withFinalizer(boolean has) {
        return new ClusterCidr(name, uid, generation, spec, terminating, has);
    }

    public ClusterCidr withTermination() {
        return new ClusterCidr(name, uid, generation, spec, true, finalizer);
    }

    /// Whether its spec was changed since it was created, which only happens where the API server does not
    /// refuse it. A beginning deletion counts like a change.
    boolean modified() {
        return generation > 1;
    }
}
