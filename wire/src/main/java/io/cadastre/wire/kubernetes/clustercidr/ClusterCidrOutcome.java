package io.cadastre.wire.kubernetes.clustercidr;

import io.cadastre.engine.MayRefuse;

/// What a request to store or to delete a ClusterCIDR came to.
public sealed interface ClusterCidrOutcome extends MayRefuse {

    record Created() implements ClusterCidrOutcome {}

    record Configured() implements ClusterCidrOutcome {}

    /// It was stored like this already.
    record Unchanged() implements ClusterCidrOutcome {}

    record Deleted() implements ClusterCidrOutcome {}

    /// Its deletion has begun, and ends when its last finalizer is removed.
    record Terminating() implements ClusterCidrOutcome {}

    /// It was not stored, or not deleted.
    record Refused(String sentence) implements ClusterCidrOutcome {}

    @Override
    default boolean refuses() {
        return this instanceof Refused;
    }
}
