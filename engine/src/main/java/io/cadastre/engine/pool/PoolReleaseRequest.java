package io.cadastre.engine.pool;

import io.cadastre.engine.pool.keep.Succession.Successor;

/// Gives back what a pod has.
///
/// @param key the name under which it is recorded
/// @param uid that of the pod, as far as the caller knows; empty if it does not
/// @param successor whether another pod is going to have what is recorded for this one
public record PoolReleaseRequest(PodKey key, String nic, String uid, PodState standing, Successor successor) {

    /// Gives back what a pod has that has no successor.
    public PoolReleaseRequest(PodKey key, String nic, String uid, PodState standing) {
        this(key, nic, uid, standing, Successor.NOT_EXPECTED);
    }

    /// What is known of the pod itself.
    public sealed interface PodState {

        /// It lives, and will ask again.
        record Alive() implements PodState {}

        /// It is there, and will not ask again.
        record Leaving(String uid) implements PodState {}

        record Gone() implements PodState {}
    }
}
