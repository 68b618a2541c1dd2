package io.cadastre.engine.pool;

/// Gives back what a pod has.
///
/// @param uid that of the pod, as far as the caller knows; empty if it does not
public record PoolReleaseRequest(PodKey key, String nic, String uid, PodState standing) {

    /// What is known of the pod itself.
    public sealed interface PodState {

        /// It lives, and will ask again.
        record Alive() implements PodState {}

        /// It is there, and will not ask again.
        record Leaving(String uid) implements PodState {}

        record Gone() implements PodState {}
    }
}
